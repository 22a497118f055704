import type {
  CostView,
  DeliveriesView,
  ExecutionView,
  KeysView,
  KeyView,
  PlaceView,
  Problem,
  QueueView,
} from '@onceflow/console';
import { STATUS } from '../../state-machine/contract/index';
import { type AskedRange, MOMENT_WORDS, momentIn } from '../key/time-range';
import { Refusal } from '../program/refusal';
import { readDeliveries } from './read-deliveries';
import { readExecution } from './read-execution';
import { isExpress, readExpress } from './read-express';
import { readKeys } from './read-keys';
import { readQueue } from './read-queue';
import { type Place, readCost, readKey, readPlace } from './read-views';

/** What a view is made of. */
export type View = PlaceView | KeysView | CostView | KeyView | ExecutionView | DeliveriesView | QueueView;

/** A view, and how often it is read anew while somebody looks at it. */
export interface ViewRoute {
  /** `onPart` gets what was read so far, where that takes its time; `before` is the view as it was the last time. */
  read(place: Place, onPart: (part: () => View) => void, before: View | undefined): Promise<View>;
  /** In milliseconds; on AWS a reading costs, and takes from the account's quotas. */
  readonly every: { readonly local: number; readonly aws: number };
}

const SECOND = 1000;
/** What has come to its end changes by a redrive or another delivery only: on AWS it is read so much less often. */
const ENDED_FACTOR = 10;

/** In how many milliseconds a view is read again, after what it was read as; `tookMs` is how long that took. */
export function untilNext(
  { every }: ViewRoute,
  view: View | Problem,
  { isLocal, tookMs }: { readonly isLocal: boolean; readonly tookMs: number },
): number {
  const usual = isLocal ? every.local : every.aws * (hasEnded(view) ? ENDED_FACTOR : 1);
  // A large table takes a tenth of the time at most.
  return Math.max(usual, 9 * tookMs);
}

function hasEnded(view: View | Problem): boolean {
  if ('events' in view) return view.stop !== null;
  return 'record' in view && view.record !== null && view.record['status'] === STATUS.completed;
}

/** The view of an address such as `/workflows/orders/keys?since=1h`; undefined where there is none. */
export function routeFor(address: string): ViewRoute | undefined {
  const [path = '', query] = address.split('?');
  const parts = path.split('/').map(decoded);
  if (parts.shift() !== '' || parts.includes(undefined)) return undefined;
  const [first, second, third, fourth, ...more] = parts;
  if (more.length > 0) return undefined;
  if (first === 'place' && second === undefined) {
    return { read: readPlace, every: { local: 2 * SECOND, aws: 300 * SECOND } };
  }
  const keysOf = (name: string | undefined): ViewRoute => ({
    read: (place, onPart) => readKeys(place, name, rangeIn(query), onPart),
    every: { local: SECOND, aws: 60 * SECOND },
  });
  if (first === 'keys' && second === undefined) return keysOf(undefined);
  const costOf = (name: string | undefined): ViewRoute => ({
    read: place => readCost(place, name, rangeIn(query)),
    // On AWS a reading takes as many histories as a second of the account's quota has, for some ten seconds.
    every: { local: 5 * SECOND, aws: 3600 * SECOND },
  });
  if (first === 'cost' && second === undefined) return costOf(undefined);
  if (first === 'deliveries' && second === undefined) {
    return { read: readDeliveries, every: { local: 2 * SECOND, aws: 60 * SECOND } };
  }
  if (first === 'queues' && second && third === undefined) {
    return { read: place => readQueue(place, second), every: { local: 5 * SECOND, aws: 300 * SECOND } };
  }
  if (first === 'executions' && second && third === undefined) {
    return {
      read: ({ aws, local }, onPart, before) =>
        isExpress(second)
          ? readExpress(aws, second, local?.())
          : readExecution(aws, second, onPart, before && 'events' in before ? before : undefined),
      every: { local: SECOND, aws: 5 * SECOND },
    };
  }
  if (first === 'workflows' && second && third === 'cost' && fourth === undefined) return costOf(second);
  if (first !== 'workflows' || !second || third !== 'keys') return undefined;
  if (fourth === undefined) return keysOf(second);
  return fourth === ''
    ? undefined
    : { read: place => readKey(place, second, fourth), every: { local: SECOND, aws: 30 * SECOND } };
}

/** The time range of an address. @throws Refusal for what is none */
function rangeIn(query: string | undefined): AskedRange {
  const given = new URLSearchParams(query);
  const momentOf = (name: string) => {
    const text = given.get(name) ?? '';
    const moment = momentIn(text);
    if (text !== '' && moment === undefined)
      throw new Refusal(`"${text}" is not a time: enter ${MOMENT_WORDS}`);
    return moment;
  };
  return { since: momentOf('since'), until: momentOf('until') };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
