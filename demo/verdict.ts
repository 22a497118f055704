import { recordKey } from '../state-machine/contract/index';
import type { OrderOf } from './order';

/** The scope of the reference app's records. */
const SCOPE = 'ChargePayment';

/**
 * Whether every order that could be charged was, once, and nothing else was.
 *
 * `charges` is what the ledger says, by record key. An order that is also delivered with a payload which cannot be
 * charged may be charged or not, depending on which came first: the key belongs to the first payload.
 */
export function isExactlyOnce(orders: readonly OrderOf[], charges: ReadonlyMap<string, number>): boolean {
  const chargeable = recordKeys(orders.filter(order => order.isChargeable));
  const doubtful = recordKeys(orders.filter(order => !order.isChargeable));
  const isMissed = [...chargeable].some(key => !doubtful.has(key) && !charges.has(key));
  const isWrong = [...charges].some(([key, count]) => count !== 1 || !chargeable.has(key));
  return !isMissed && !isWrong;
}

function recordKeys(orders: readonly OrderOf[]): Set<string> {
  return new Set(orders.flatMap(({ key }) => (key === undefined ? [] : recordKey(SCOPE, key))));
}
