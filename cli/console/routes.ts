import type { ExecutionView, KeysView, KeyView, PlaceView } from '@onceflow/console';
import { type Place, readExecution, readKey, readKeys, readPlace } from './read-views';

/** A view, and how often it is read anew while somebody looks at it. */
export interface ViewRoute {
  read(place: Place): Promise<PlaceView | KeysView | KeyView | ExecutionView>;
  /** In milliseconds; on AWS a reading costs, and takes from the account's quotas. */
  readonly every: { readonly local: number; readonly aws: number };
}

const SECOND = 1000;

/** The view of an address such as `/workflows/orders/keys/order-1`; undefined where there is none. */
export function routeFor(address: string): ViewRoute | undefined {
  const parts = address.split('/').map(decoded);
  if (parts.shift() !== '' || parts.includes(undefined)) return undefined;
  const [first, second, third, fourth, ...more] = parts;
  if (more.length > 0) return undefined;
  if (first === 'place' && second === undefined) {
    return { read: readPlace, every: { local: 2 * SECOND, aws: 300 * SECOND } };
  }
  if (first === 'executions' && second && third === undefined) {
    return { read: place => readExecution(place, second), every: { local: SECOND, aws: 5 * SECOND } };
  }
  if (first !== 'workflows' || !second || third !== 'keys') return undefined;
  if (fourth === undefined) {
    return { read: place => readKeys(place, second), every: { local: SECOND, aws: 60 * SECOND } };
  }
  return fourth === ''
    ? undefined
    : { read: place => readKey(place, second, fourth), every: { local: SECOND, aws: 10 * SECOND } };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
