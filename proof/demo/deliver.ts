import type { EventEnvelope, ExecutionDescription } from '@onceflow/local';
import { isRetryable } from '../../state-machine/contract/index';
import type { Channel } from './channels/channel';
import type { EventLine } from './events-file';
import { detailOf, type WorkflowExecutions } from './executions';
import { STEP_FAILURE } from './faults';
import { detailText, orderOf } from './order';

/** An event with the line of the file that it comes from. */
export type NumberedEvent = Omit<Extract<EventLine, { kind: 'event' }>, 'kind'>;

/** The fault in a line of the file. */
export interface Complaint {
  readonly line: number;
  readonly message: string;
}

/** What delivering a file came to. */
export interface Deliveries {
  /** What the workflow, or what stands before it, has taken; an event that was delivered again is there again. */
  readonly taken: readonly NumberedEvent[];
  /** Lines whose events no rule matches. */
  readonly unmatched: readonly Complaint[];
  /** Events that were rejected before an execution was started, each with the name of the error. */
  readonly rejected: readonly { readonly event: EventEnvelope; readonly error: string }[];
  /** Events that could not be delivered. Their orders count as asked for. */
  readonly undelivered: readonly (Complaint & { readonly event: EventEnvelope })[];
}

/**
 * The way in which unfinished orders are completed: repeated deliveries, or recovery alone when nothing has been
 * running for so many pauses. With recovery alone, each event may be delivered a second time after so many pauses.
 */
export type EndsBy =
  | { readonly kind: 'deliveries' }
  | {
      readonly kind: 'recovery';
      readonly quietPauses: number;
      readonly secondDelivery?: { readonly afterPauses: number; readonly before: () => void };
    };

/** How to deliver. */
export interface DeliveryOptions {
  readonly channel: Channel;
  readonly executions: WorkflowExecutions;
  readonly concurrency: number;
  /** What ends orders whose executions were stopped. */
  readonly until: EndsBy;
  /** Resolves when it is time to deliver again what is not done. */
  readonly pause: () => Promise<void>;
  readonly progress: (done: number, total: number) => void;
}

/** Far more rounds than a fail rate below 1 takes; a bound all the same. */
const ROUNDS_MAX = 1000;

/**
 * Delivers every event, as often as the file has it, and orders that failed or were stopped again until they are done.
 * If recovery ends them, each event is delivered once, or twice, and nothing is delivered again.
 *
 * A delivery takes one of `concurrency` places until no execution of its order is running.
 */
export async function deliverAll(
  events: readonly NumberedEvent[],
  options: DeliveryOptions,
): Promise<Deliveries> {
  const { channel, executions, concurrency, until } = options;
  const taken: NumberedEvent[] = [];
  const unmatched: Complaint[] = [];
  const rejected: { readonly event: EventEnvelope; readonly error: string }[] = [];
  const undelivered: (Complaint & { readonly event: EventEnvelope })[] = [];
  let total = 0;
  let done = 0;

  const deliver = async ({ line, event }: NumberedEvent) => {
    const handover = await channel.deliver(event);
    await executions.atRest(orderOf(event.detail).key);
    switch (handover.kind) {
      case 'taken':
        taken.push({ line, event });
        break;
      case 'unmatched':
        unmatched.push({ line, message: handover.message });
        break;
      case 'rejected':
        rejected.push({ event, error: handover.error });
        break;
      case 'failed':
        undelivered.push({ line, event, message: `could not be delivered: ${handover.message}` });
        break;
    }
    done += 1;
    options.progress(done, total);
  };

  const deliverThese = (these: readonly NumberedEvent[]) => {
    total += these.length;
    return withPlaces(these, concurrency, deliver);
  };

  if (until.kind === 'recovery') await deliverThenRecover(events, until, { ...options, deliverThese });
  else await deliverUntilDone(events, { ...options, deliverThese });
  return { taken, unmatched, rejected, undelivered };
}

type Rounds = DeliveryOptions & {
  readonly deliverThese: (these: readonly NumberedEvent[]) => Promise<unknown>;
};

/** Delivers each event once, or twice, and waits until recovery has nothing left to do. */
async function deliverThenRecover(
  events: readonly NumberedEvent[],
  { quietPauses, secondDelivery }: Extract<EndsBy, { readonly kind: 'recovery' }>,
  rounds: Rounds,
): Promise<void> {
  const each = withoutDuplicates(events);
  await rounds.deliverThese(each);
  if (secondDelivery) {
    await untilQuiet(secondDelivery.afterPauses, rounds);
    secondDelivery.before();
    await rounds.deliverThese(each);
  }
  await untilQuiet(quietPauses, rounds);
}

/** Delivers the events, and those of orders that are not done again, until all orders are done. */
async function deliverUntilDone(
  events: readonly NumberedEvent[],
  { executions, pause, deliverThese }: Rounds,
): Promise<void> {
  const eventOf = eventsByOrder(events);
  let pending = events;
  for (let round = 0; pending.length > 0 && round < ROUNDS_MAX; round += 1) {
    if (round > 0) await pause();
    await deliverThese(pending);
    pending = notDone(executions).flatMap(execution => eventOf(execution) ?? []);
  }
}

/** The first of the events that are equal except for their ids. */
function withoutDuplicates(events: readonly NumberedEvent[]): NumberedEvent[] {
  const first = new Map(events.toReversed().map(item => [detailText(item.event.detail), item]));
  return events.filter(item => first.get(detailText(item.event.detail)) === item);
}

/** Resolves when nothing has been running for so many pauses in a row: recovery looks again for hours. */
async function untilQuiet(pauses: number, { executions, pause }: DeliveryOptions): Promise<void> {
  let quiet = 0;
  for (let round = 0; round < ROUNDS_MAX && quiet < pauses; round += 1) {
    await pause();
    quiet = executions.allHaveEnded ? quiet + 1 : 0;
  }
}

/**
 * Of the executions that ended in the last round: one for each order without a success, if another delivery may help.
 * Orders that share a key and not the payload count apart: one of them owns the key.
 *
 * A delivery that a finished record answers starts nothing, so that its order is not among them, either.
 */
function notDone(executions: WorkflowExecutions): ExecutionDescription[] {
  const open = new Map<string, ExecutionDescription>();
  for (const execution of executions.takeEnded()) {
    const key = executions.keyOf(execution.executionArn);
    if (key === undefined || executions.hasSucceeded(key) || !mayHelp(execution)) continue;
    open.set(detailText(detailOf(execution.input)), execution);
  }
  return [...open.values()];
}

/** Whether another delivery may do what this execution has not done. */
function mayHelp({ status, error = '' }: ExecutionDescription): boolean {
  return status === 'ABORTED' || error === STEP_FAILURE || isRetryable(error);
}

/** Finds the event that an execution is about: what starts it may leave members of the event out. */
function eventsByOrder(
  events: readonly NumberedEvent[],
): (execution: ExecutionDescription) => NumberedEvent | undefined {
  const byDetail = new Map(events.map(item => [detailText(item.event.detail), item]));
  return ({ input }) => byDetail.get(detailText(detailOf(input)));
}

/** Works through items in order, at most `places` at a time. */
async function withPlaces<Item>(
  items: readonly Item[],
  places: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(places, items.length) }, worker));
}
