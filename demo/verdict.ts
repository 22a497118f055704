import { recordKey } from '../state-machine/contract/index';
import type { OrderOf } from './order';

/** The scope of the reference app's records. */
const SCOPE = 'ChargePayment';

/**
 * What is wrong with the ledger, a sentence per order; nothing if every order that could be charged was, once.
 *
 * `charges` is what the ledger says, by record key. An order that is also delivered with a payload which cannot be
 * charged may be charged or not, depending on which came first: the key belongs to the first payload.
 */
export function wrongCharges(orders: readonly OrderOf[], charges: ReadonlyMap<string, number>): string[] {
  const chargeable = recordKeys(orders.filter(order => order.isChargeable));
  const doubtful = recordKeys(orders.filter(order => !order.isChargeable));
  const missed = [...chargeable].filter(key => !doubtful.has(key) && !charges.has(key));
  const repeated = [...charges].filter(([, count]) => count !== 1);
  const groundless = [...charges.keys()].filter(key => !chargeable.has(key));
  return [
    ...missed.map(key => `${key} was not charged`),
    ...repeated.map(([key, count]) => `${key} was charged ${count} times`),
    ...groundless.map(key => `${key} was charged, although no event asked for it with a valid payload`),
  ];
}

function recordKeys(orders: readonly OrderOf[]): Set<string> {
  return new Set(orders.flatMap(({ key }) => (key === undefined ? [] : recordKey(SCOPE, key))));
}
