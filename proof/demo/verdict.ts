import { recordKey } from '../../state-machine/contract/index';
import type { OrderOf } from './order';
import type { RecoveryReport } from './recovery';

/** The scope of the reference app's records. */
const SCOPE = 'ChargePayment';

/**
 * The faults in the ledger, a sentence per order; nothing if every order that could be charged was charged once.
 *
 * `charges` is what the ledger says, by record key. An order that is also delivered with a payload which cannot be
 * charged may be charged or not, depending on which came first: the key belongs to the first payload.
 *
 * `cutOffs` says how often an order's business step was cut off, by the key's text. Each time it may have charged, and
 * have run again: so many charges more are no fault.
 */
export function wrongCharges(
  orders: readonly OrderOf[],
  charges: ReadonlyMap<string, number>,
  cutOffs: ReadonlyMap<string, number> = new Map(),
): string[] {
  const chargeable = recordKeys(orders.filter(order => order.isChargeable));
  const doubtful = recordKeys(orders.filter(order => !order.isChargeable));
  const missed = [...chargeable].filter(key => !doubtful.has(key) && !charges.has(key));
  const spare = new Map([...cutOffs].map(([key, count]) => [recordKey(SCOPE, key), count]));
  const repeated = [...charges].filter(([key, count]) => count < 1 || count > 1 + (spare.get(key) ?? 0));
  const groundless = [...charges.keys()].filter(key => !chargeable.has(key));
  return [
    ...missed.map(key => `${key} was not charged`),
    ...repeated.map(([key, count]) => `${key} was charged ${count} times${cutOffText(spare.get(key))}`),
    ...groundless.map(key => `${key} was charged, although no event asked for it with a valid payload`),
  ];
}

/** What recovery left unfinished without further deliveries, a sentence each; empty if everything is completed. */
export function unfinishedWork({
  unfinished,
  givenUp,
}: Pick<RecoveryReport, 'unfinished' | 'givenUp'>): string[] {
  const records = unfinished === 1 ? '1 record is' : `${unfinished} records are`;
  const executions = `${givenUp} execution${givenUp === 1 ? '' : 's'}`;
  return [
    ...(unfinished > 0
      ? [`${records} unfinished, and no execution continues ${unfinished === 1 ? 'it' : 'them'}`]
      : []),
    ...(givenUp > 0 ? [`recovery abandoned ${executions}`] : []),
  ];
}

function cutOffText(cutOffs: number | undefined): string {
  return cutOffs === undefined ? '' : `, and its step was cut off ${cutOffs} times`;
}

function recordKeys(orders: readonly OrderOf[]): Set<string> {
  return new Set(orders.flatMap(({ key }) => (key === undefined ? [] : recordKey(SCOPE, key))));
}
