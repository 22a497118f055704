import type { EventEnvelope, ExecutionDescription, LocalStack } from '../local/index';
import { isRetryable } from '../state-machine/contract/index';
import type { EventLine } from './events-file';
import { STEP_FAILURE } from './faults';
import { orderOf } from './order';

/** One delivery and what came of it. */
export interface Outcome {
  readonly line: number;
  readonly event: EventEnvelope;
  /** The execution it started, ended; absent where the start was refused because the name was taken. */
  readonly execution?: ExecutionDescription;
}

/** What is wrong with a line of the file. */
export interface Complaint {
  readonly line: number;
  readonly message: string;
}

/** What delivering a file came to. */
export interface Deliveries {
  readonly outcomes: readonly Outcome[];
  /** Lines whose events no rule of the bus matches: none of ours. */
  readonly unmatched: readonly Complaint[];
  /** Events that the target did not take. Their orders count as asked for. */
  readonly undelivered: readonly (Complaint & { readonly event: EventEnvelope })[];
}

/** How to deliver. */
export interface DeliveryOptions {
  readonly concurrency: number;
  readonly progress: (done: number, total: number) => void;
}

type NumberedEvent = Extract<EventLine, { kind: 'event' }>;

/** Far more rounds than a fail rate below 1 takes; a bound all the same. */
const ROUNDS_MAX = 1000;

/**
 * Delivers every event to the bus, as often as the file has it, and orders that failed again until they are done.
 *
 * A delivery takes one of `concurrency` places until its execution has ended.
 */
export async function deliverAll(
  stack: LocalStack,
  events: readonly NumberedEvent[],
  options: DeliveryOptions,
): Promise<Deliveries> {
  const outcomes: Outcome[] = [];
  const unmatched: Complaint[] = [];
  const undelivered: (Complaint & { readonly event: EventEnvelope })[] = [];
  const ended = endings(stack);
  let total = 0;
  let done = 0;

  const deliver = async (item: NumberedEvent) => {
    const result = await deliverOne(stack, ended, item);
    if (!('message' in result)) outcomes.push(result);
    else if ('event' in result) undelivered.push(result);
    else unmatched.push(result);
    done += 1;
    options.progress(done, total);
  };

  let pending: readonly NumberedEvent[] = events;
  for (let round = 0; pending.length > 0 && round < ROUNDS_MAX; round += 1) {
    total += pending.length;
    const before = outcomes.length;
    await withPlaces(pending, options.concurrency, deliver);
    pending = notDone(outcomes, outcomes.slice(before));
  }
  return { outcomes, unmatched, undelivered };
}

function mayBeRetried(error: string): boolean {
  return error === STEP_FAILURE || isRetryable(error);
}

/** One event of each order that no execution has succeeded for, where the last round says that another delivery may. */
function notDone(outcomes: readonly Outcome[], lastRound: readonly Outcome[]): NumberedEvent[] {
  const keyOf = ({ event }: Outcome) => orderOf(event.detail).key;
  const succeeded = new Set(outcomes.filter(({ execution }) => execution?.status === 'SUCCEEDED').map(keyOf));
  const open = new Map<string, NumberedEvent>();
  for (const outcome of lastRound) {
    const key = keyOf(outcome);
    if (key === undefined || succeeded.has(key) || !mayBeRetried(outcome.execution?.error ?? '')) continue;
    open.set(key, { kind: 'event', line: outcome.line, event: outcome.event });
  }
  return [...open.values()];
}

async function deliverOne(
  stack: LocalStack,
  ended: (executionArn: string) => Promise<ExecutionDescription>,
  { line, event }: NumberedEvent,
): Promise<Outcome | Complaint | (Complaint & { readonly event: EventEnvelope })> {
  const { deliveries } = await stack.eventBuses.publish(event, stack.output('EventBusName'));
  const [delivery] = deliveries;
  if (delivery === undefined) {
    const message = `no rule of the bus matches source ${event.source} and detail-type ${event['detail-type']}`;
    return { line, message };
  }
  if (delivery.kind === 'delivered') {
    const { executionArn } = delivery.answer as { executionArn: string };
    return { line, event, execution: await ended(executionArn) };
  }
  if (delivery.reason.startsWith('Execution Already Exists')) return { line, event };
  return { line, event, message: `could not be delivered: ${delivery.reason}` };
}

/** The ends of executions, to wait for by ARN, whether they come before or after somebody waits. */
function endings(stack: LocalStack): (executionArn: string) => Promise<ExecutionDescription> {
  const waiting = new Map<string, (execution: ExecutionDescription) => void>();
  stack.runtime.subscribe(({ kind, execution }) => {
    if (kind !== 'ended') return;
    waiting.get(execution.executionArn)?.(execution);
    waiting.delete(execution.executionArn);
  });
  return async executionArn => {
    const end = new Promise<ExecutionDescription>(resolve => waiting.set(executionArn, resolve));
    const now = await stack.runtime.describeExecution({ executionArn });
    return now.status === 'RUNNING' ? end : now;
  };
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
