import { Activity, type Interceptor, type LocalStack, startLocal, VirtualClock } from '@onceflow/local';
import type { Progress } from '../../cli/program/progress';
import { chanceByKey } from './chance';
import { CHANNELS } from './channels/channels';
import { Chaos } from './chaos';
import { type Complaint, type Deliveries, deliverAll, type NumberedEvent } from './deliver';
import type { EventLine } from './events-file';
import { WorkflowExecutions } from './executions';
import { observer } from './faults';
import type { Options } from './options';
import { Recoveries } from './recovery';
import { reportOf } from './report';
import { pass, whileTimePasses } from './time';

/** The report, and what is not ok, a sentence per order. */
export type Judged = Awaited<ReturnType<typeof reportOf>>;

/** What is to be run, and who hears of it. */
export interface Task {
  readonly options: Options;
  readonly lines: readonly EventLine[];
  readonly progress: Progress;
  readonly complain: (complaint: Complaint) => void;
  /** Ends it early: the promise is rejected. */
  readonly signal: AbortSignal;
}

/** When every run begins. Waits cost nothing: the clock goes to the next deadline when nothing is in progress. */
const START = Date.UTC(2026, 10, 20, 9);
/** How long an order that is not done waits, as in a queue: longer than a dead owner's step may still be working. */
const REDELIVERY_MS = 60_000;

/** Starts the app of an assembly, delivers the events, and judges the outcome. */
export async function runOn(assembly: string, task: Task): Promise<Judged> {
  const { options, lines, progress, complain } = task;
  let executions: WorkflowExecutions | undefined;
  const failures = chanceByKey(options.seed);
  const { calls, interceptor } = observer(options.failRate, arn => failures(executions?.keyOf(arn)));
  const clock = new VirtualClock(START);
  const activity = new Activity();
  const chaos = options.chaos
    ? // Chance of its own, so that the same steps fail with it and without.
      new Chaos({ chance: chanceByKey(~options.seed), clock, activity })
    : undefined;
  const stack = await startLocal({
    assembly,
    seed: String(options.seed),
    clock,
    activity,
    // Only code reaches the stack from outside.
    ...(options.via === 'code' && { port: 0 }),
    interceptor: chaos ? around(chaos.interceptor, interceptor) : interceptor,
  });
  try {
    executions = new WorkflowExecutions(stack);
    chaos?.begin(stack, executions);
    const recoveries = options.deliverOnce ? new Recoveries(stack) : undefined;
    const events = lines.filter(line => line.kind === 'event');
    const startedAt = performance.now();
    const deliveries = await deliver(events, { task, stack, clock, activity, executions });
    // What else was begun by now, such as a look of recovery: it counts in every run or in none.
    await stack.runtime.idle();
    const seconds = (performance.now() - startedAt) / 1000;
    progress.clear();
    for (const problem of [...deliveries.unmatched, ...deliveries.undelivered]) complain(problem);
    const invalidLines = lines.length - events.length;
    const cutOffs = chaos?.cutOffs;
    const { provider } = options;
    const counted = { deliveries, executions, invalidLines, calls, cutOffs, recoveries };
    return await reportOf({ ...counted, stack, provider, seconds });
  } finally {
    progress.clear();
    await stack.close();
  }
}

interface Delivering {
  readonly task: Task;
  readonly stack: LocalStack;
  readonly clock: VirtualClock;
  readonly activity: Activity;
  readonly executions: WorkflowExecutions;
}

function deliver(events: readonly NumberedEvent[], delivering: Delivering): Promise<Deliveries> {
  const { task, stack, clock, activity, executions } = delivering;
  const { options, progress, signal } = task;
  const channel = CHANNELS[options.via]({ stack, activity });
  const work = deliverAll(events, {
    channel,
    executions,
    concurrency: options.concurrency,
    deliverOnce: options.deliverOnce,
    pause: () => pass(clock, REDELIVERY_MS),
    progress: (done, total) => progress.show('delivering', done, total),
  });
  const over = Promise.race([work, rejectOnAbort(signal)]).finally(() => channel.close?.());
  return whileTimePasses(stack, clock, over);
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
