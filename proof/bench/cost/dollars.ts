import { ASSUMED, listPriceOf } from '../../../cli/program/prices';
import type { Cost, CostRow } from './cost';

/** US dollars that a million deliveries cost. */
export interface DollarRow {
  readonly what: string;
  readonly fresh: number;
  readonly duplicate: number;
  /** By how many deliveries in a hundred are duplicates. */
  readonly mixed: readonly { readonly percent: number; readonly dollars: number }[];
}

/** What a duplicate is in the sums: most come when the first delivery has long ended. */
const FINISHED = 'duplicate of a finished one';
const DUPLICATES = [0, 5, 50] as const;

/**
 * The dollars of all whose fresh delivery and duplicate of a finished one were counted, without the step's own
 * invocation.
 */
export function dollarRows(rows: readonly CostRow[]): DollarRow[] {
  const names = [...new Set(rows.map(({ what }) => what))];
  return names.flatMap((what): DollarRow[] => {
    const [fresh] = rows.filter(row => row.what === what && row.delivery === 'fresh');
    const [duplicate] = rows.filter(row => row.what === what && row.delivery === FINISHED);
    if (!fresh || !duplicate) return [];
    const ofFresh = dollarsPerMillion(fresh, STEP);
    const ofDuplicate = dollarsPerMillion(duplicate, 0);
    const mixed = DUPLICATES.map(percent => {
      const dollars = cents((ofFresh * (100 - percent) + ofDuplicate * percent) / 100);
      return { percent, dollars };
    });
    return [{ what, fresh: cents(ofFresh), duplicate: cents(ofDuplicate), mixed }];
  });
}

/** A fresh delivery's one invocation is the step itself, which everyone pays. */
const STEP = 1;

/** The dollars that a million deliveries cost, without this many invocations of the step for each. */
export function dollarsPerMillion(cost: Cost, stepInvocations: number): number {
  const invocations = cost.invocations - stepInvocations;
  const seconds = cost.awaitedInFunction * ASSUMED.awaitedSeconds + invocations * ASSUMED.invocationSeconds;
  const dollars = listPriceOf({
    standardTransition: cost.transitions,
    expressExecution: cost.expressExecutions,
    expressGbSecond: cost.expressExecutions * ASSUMED.dispatcherSeconds * ASSUMED.dispatcherGb,
    writeRequestUnit: cost.writes * ASSUMED.recordKb,
    readRequestUnit: cost.reads,
    invocation: invocations,
    lambdaGbSecond: seconds * ASSUMED.functionGb,
    logGb: (invocations * ASSUMED.invocationLogBytes + cost.logBytes) / 1024 ** 3,
  });
  return dollars * 1e6;
}

/** How the events of an Express workflow come to it. */
export interface Queued {
  /** How many messages the function takes at once. */
  readonly batch: number;
  /** Whether a rule sends the message: that is one more request. */
  readonly isFromBus: boolean;
  /** How long the function waits for the slowest execution of a batch, seconds. */
  readonly waitedSeconds: number;
}

/**
 * The dollars that a million messages of a queue cost beside what they start: for each batch a receive, a deletion, and
 * an invocation that waits for its executions.
 */
export function queueDollarsPerMillion({ batch, isFromBus, waitedSeconds }: Queued): number {
  const batchDollars = listPriceOf({
    queueRequest: 2,
    invocation: 1,
    lambdaGbSecond: waitedSeconds * ASSUMED.functionGb,
    logGb: ASSUMED.invocationLogBytes / 1024 ** 3,
  });
  const sendDollars = listPriceOf({ queueRequest: isFromBus ? 1 : 0 });
  return (batchDollars / batch + sendDollars) * 1e6;
}

function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}
