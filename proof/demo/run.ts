import {
  type Clock,
  type Interceptor,
  type LocalStack,
  startLocal,
  VirtualClock,
  WorkTracker,
} from '@onceflow/local';
import { serveStackPage } from '../../cli/console/stack-page';
import type { Progress } from '../../cli/program/progress';
import type { Channel } from './channels/channel';
import { CHANNELS } from './channels/channels';
import { Chaos } from './chaos';
import { type Complaint, type Deliveries, deliverAll, type EndsBy, type NumberedEvent } from './deliver';
import type { EventLine } from './events-file';
import { WorkflowExecutions } from './executions';
import { observer } from './faults';
import type { Options } from './options';
import { type OrderStory, Recorder } from './recorder';
import { Recoveries } from './recovery';
import { reportOf } from './report';
import { chanceByKey } from './seeded-random';
import { pass, REAL_CLOCK, whileTimePasses } from './time';

/** The report, and what is not ok, a sentence per order. */
export type Judged = Awaited<ReturnType<typeof reportOf>> & {
  /** What happened to each order. */
  readonly stories: readonly OrderStory[];
};

/** The settings of a run, and its listener. */
export interface Task {
  readonly options: Options;
  readonly lines: readonly EventLine[];
  readonly progress: Progress;
  readonly complain: (complaint: Complaint) => void;
  /** Ends it early: the promise is rejected. */
  readonly signal: AbortSignal;
  /** If a page was requested: the page is open, and nothing has been delivered yet. */
  readonly opened?: (url: string) => void;
  /** The outcome is there; the stack, and its page, are closed when this has resolved. */
  readonly judged?: (judged: Judged) => Promise<void>;
}

/** When every run begins. Waits cost nothing: the clock goes to the next deadline when nothing is in progress. */
const START = Date.UTC(2026, 10, 20, 9);
/** How long an order that is not done waits, as in a queue: longer than an ended owner's step may still be working. */
const REDELIVERY_MS = 60_000;
/** The search runs every hour: so many pauses later two of them have found nothing. */
const TWO_SEARCHES = 130;
/** A second delivery of each event comes when every step has had its time, and long before the search. */
const SECOND_DELIVERY = 5;
/** So far apart deliveries begin that a person watches. */
const PACE_MS = 250;

/** Starts the app of an assembly, with what records its calls and injects faults. */
async function openRun(assembly: string, options: Task['options']) {
  let executions: WorkflowExecutions | undefined;
  const failures = chanceByKey(options.seed);
  const { calls, interceptor } = observer(options.failRate, arn => failures(executions?.keyOf(arn)));
  const clock = options.console ? REAL_CLOCK : new VirtualClock(START);
  const work = new WorkTracker();
  const recorder = new Recorder(clock, options.provider);
  const chaos = options.chaos
    ? // Chance of its own, so that the same steps fail with it and without.
      new Chaos({ chance: chanceByKey(~options.seed), clock, work })
    : undefined;
  let isLost = (_targetArn: string) => false;
  // What chaos does to an answer does not undo what was done.
  const observed = around(recorder.interceptor, interceptor);
  const stack = await startLocal({
    assembly,
    seed: String(options.seed),
    // The stack has a real clock of its own.
    ...(clock instanceof VirtualClock && { clock }),
    work,
    // Only code and the page reach the stack from outside.
    ...((options.via === 'code' || options.console) && { port: 0 }),
    interceptor: chaos ? around(chaos.interceptor, observed) : observed,
    deliveryInterceptor: async ({ targetArn }, next) =>
      isLost(targetArn) ? { executionArn: 'lost' } : next(),
  });
  const recoveryArn = stack.output('RecoveryArn');
  isLost = targetArn => options.recoveryBy !== 'events' && targetArn === recoveryArn;
  // After the page is open: what the recorder reads begins here.
  const begin = () => {
    executions = new WorkflowExecutions(stack);
    recorder.begin(stack, executions);
    chaos?.begin(stack, executions);
    return executions;
  };
  return { stack, clock, work, calls, recorder, chaos, begin };
}

/** Starts the app of an assembly, delivers the events, and judges the outcome. */
export async function runOn(assembly: string, task: Task): Promise<Judged> {
  const { options, lines, progress, complain } = task;
  const { stack, clock, work, calls, recorder, chaos, begin } = await openRun(assembly, options);
  let page: Page | undefined;
  try {
    if (options.console) page = await openPage(stack, task);
    const executions = begin();
    const recoveries = options.deliverOnce ? new Recoveries(stack) : undefined;
    const events = lines.filter(line => line.kind === 'event');
    const startedAt = performance.now();
    const deliveries = await deliver(events, { task, stack, clock, work, executions, recorder, chaos });
    // What else has begun by now, such as a check of recovery, counts in every run or in none.
    await stack.runtime.work.idle();
    const seconds = (performance.now() - startedAt) / 1000;
    progress.clear();
    for (const problem of [...deliveries.unmatched, ...deliveries.undelivered]) complain(problem);
    const invalidLines = lines.length - events.length;
    const cutOffs = chaos?.cutOffs;
    const { provider } = options;
    const counted = { deliveries, executions, invalidLines, calls, cutOffs, recoveries };
    const { stories } = recorder;
    const judged = { ...(await reportOf({ ...counted, stack, provider, seconds })), stories };
    await task.judged?.(judged);
    return judged;
  } finally {
    progress.clear();
    await page?.close();
    await stack.close();
  }
}

type Page = NonNullable<Awaited<ReturnType<typeof serveStackPage>>>;

async function openPage(stack: LocalStack, task: Task): Promise<Page> {
  const page = await serveStackPage(stack.endpoint, stack.region);
  if (page === undefined) throw new Error('@onceflow/console is not installed; npm ci installs it');
  task.opened?.(page.url);
  return page;
}

interface Delivering {
  readonly task: Task;
  readonly stack: LocalStack;
  readonly clock: Clock;
  readonly work: WorkTracker;
  readonly executions: WorkflowExecutions;
  readonly recorder: Recorder;
  readonly chaos: Chaos | undefined;
}

function deliver(events: readonly NumberedEvent[], delivering: Delivering): Promise<Deliveries> {
  const { task, stack, clock, work, executions, recorder, chaos } = delivering;
  const { options, progress, signal } = task;
  const opened = CHANNELS[options.via]({ stack, work });
  const watched = recorder.watched(opened);
  const channel = options.console ? paced(watched) : watched;
  const deliveries = deliverAll(events, {
    channel,
    executions,
    concurrency: options.concurrency,
    until: endsBy(options, chaos),
    pause: () => pass(clock, REDELIVERY_MS),
    progress: (done, total) => progress.show('delivering', done, total),
  });
  const over = Promise.race([deliveries, rejectOnAbort(signal)]).finally(() => channel.close?.());
  return clock instanceof VirtualClock ? whileTimePasses(stack, clock, over) : over;
}

function endsBy({ deliverOnce, recoveryBy }: Options, chaos: Chaos | undefined): EndsBy {
  if (!deliverOnce) return { kind: 'deliveries' };
  const secondDelivery = { afterPauses: SECOND_DELIVERY, before: () => chaos?.end() };
  return {
    kind: 'recovery',
    quietPauses: recoveryBy === 'search' ? TWO_SEARCHES : 1,
    ...(recoveryBy === 'delivery' && { secondDelivery }),
  };
}

/** Deliveries that begin one after the other, so that a person can follow them. */
function paced(channel: Channel): Channel {
  let turn = Promise.resolve();
  return {
    ...channel,
    async deliver(event) {
      const mine = turn;
      turn = mine.then(() => pass(REAL_CLOCK, PACE_MS));
      await mine;
      return channel.deliver(event);
    },
  };
}

/** One interceptor around another, which is nearer to the services. */
function around(outer: Interceptor, inner: Interceptor): Interceptor {
  return (call, next) => outer(call, () => inner(call, next));
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(new Error('interrupted'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
