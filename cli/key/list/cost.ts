import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { STATE } from '../../../state-machine/contract/state-names';
import { ASSUMED, listPriceOf, PRICES } from '../../program/prices';
import { plural } from '../../text';

/** What executions were billed for, by their histories. */
export interface Cost {
  readonly executions: number;
  /** Of them: those that did not come to the business step, such as duplicates. */
  readonly duplicates: number;
  /** State transitions: each state that was entered, and each retry. */
  readonly transitions: number;
  /** Writes and reads of the record, and invocations of functions. */
  readonly writes: number;
  readonly reads: number;
  readonly invocations: number;
  /** In US dollars, at list prices, without what functions take of time and memory. */
  readonly dollars: number;
  /** Of the dollars: what duplicates cost. */
  readonly duplicateDollars: number;
}

/** What one execution was billed for, by its history: an Express workflow has none. */
export function costOf(events: readonly HistoryEvent[], prefix: string): Cost {
  const { hasRun, ...counts } = billedIn(events, prefix);
  const dollars = listPriceOf({
    standardTransition: counts.transitions,
    writeRequestUnit: counts.writes,
    readRequestUnit: counts.reads,
    invocation: counts.invocations,
  });
  const duplicates = hasRun ? 0 : 1;
  return { ...counts, executions: 1, duplicates, dollars, duplicateDollars: hasRun ? 0 : dollars };
}

/** The billed parts of an execution, and whether it came to the business step. */
function billedIn(events: readonly HistoryEvent[], prefix: string) {
  const calls = new Map<number, number>();
  const counts = { transitions: 0, writes: 0, reads: 0, invocations: 0 };
  let hasRun = false;
  // Each event leads back to the state that it is of.
  const stateOf = new Map<number, number>();
  for (const event of events) {
    const { id = 0, previousEventId = 0, type = '', stateEnteredEventDetails: entered } = event;
    if (entered) {
      counts.transitions += 1;
      stateOf.set(id, id);
      if (entered.name === `${prefix}${STATE.step}`) hasRun = true;
      continue;
    }
    const state = stateOf.get(previousEventId) ?? 0;
    stateOf.set(id, state);
    if (!/^(?:Task|LambdaFunction|Activity)Scheduled$/.test(type)) continue;
    const before = calls.get(state) ?? 0;
    calls.set(state, before + 1);
    if (before > 0) counts.transitions += 1;
    const { resourceType, resource } = event.taskScheduledEventDetails ?? {};
    if (type === 'LambdaFunctionScheduled' || resourceType === 'lambda') counts.invocations += 1;
    if (resource === 'putItem' || resource === 'updateItem' || resource === 'deleteItem') counts.writes += 1;
    if (resource === 'getItem') counts.reads += 1;
  }
  return { ...counts, hasRun };
}

/** Several together; `factor` says how many each of them stands for. */
export function sumOf(costs: readonly Cost[], factor = 1): Cost {
  const sum = (name: keyof Cost) => costs.reduce((total, cost) => total + cost[name], 0) * factor;
  return {
    executions: sum('executions'),
    duplicates: sum('duplicates'),
    transitions: sum('transitions'),
    writes: sum('writes'),
    reads: sum('reads'),
    invocations: sum('invocations'),
    dollars: sum('dollars'),
    duplicateDollars: sum('duplicateDollars'),
  };
}

/** A sentence without its period: what it was, and how much of it was for duplicates. */
export function costInWords(cost: Cost): string {
  const { executions, duplicates, dollars, duplicateDollars } = cost;
  if (executions === 0) return 'no execution';
  const share = dollars === 0 ? 0 : Math.round((100 * duplicateDollars) / dollars);
  const counts = (['execution', 'transition', 'write', 'read', 'invocation'] as const)
    .map(noun => plural(Math.round(cost[`${noun}s`]), noun))
    .join(', ');
  return (
    `${inDollars(dollars)} at list prices (${PRICES.region}, ${PRICES.date}): ${counts}; ` +
    `${Math.round(duplicates)} did not run the step, ${share} % of the cost`
  );
}

/** The cost of duplicates that started nothing: an Express execution that reads the record. */
export function stoppedCostInWords(count: number): string {
  const { dispatcherSeconds, dispatcherGb } = ASSUMED;
  const each = { expressExecution: 1, expressGbSecond: dispatcherSeconds * dispatcherGb, readRequestUnit: 1 };
  return `${plural(count, 'duplicate')} started nothing, for about ${inDollars(count * listPriceOf(each))}`;
}

function inDollars(dollars: number): string {
  return `$${dollars >= 1 ? dollars.toFixed(2) : dollars.toPrecision(3)}`;
}
