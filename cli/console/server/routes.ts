import type {
  ConnectionView,
  CostView,
  DeliveriesView,
  ExecutionView,
  HealthView,
  KeysView,
  KeyView,
  Problem,
  QueueView,
} from '@onceflow/console';
import { STATUS } from '../../../state-machine/contract/index';
import { Rejection } from '../../program/rejection';
import { readHealth } from '../../repair/recovery-health';
import { type AskedRange, MOMENT_WORDS, momentIn } from '../../time-range';
import { allAccesses, type Connection } from '../connection';
import { readDeliveries } from '../views/read-deliveries';
import { readExecution } from '../views/read-execution';
import { isExpress, readExpress } from '../views/read-express';
import { readKey } from '../views/read-key';
import { readKeys } from '../views/read-keys';
import { readQueue } from '../views/read-queue';
import { readConnection, readCost } from '../views/read-workflows';

/** What a view is made of. */
export type View =
  | ConnectionView
  | KeysView
  | CostView
  | KeyView
  | ExecutionView
  | DeliveriesView
  | QueueView
  | HealthView;

/** A view, and how often it is read again while a page shows it. */
export interface ViewRoute {
  /**
   * `onPart` gets the parts that were read so far, if the read takes its time; `before` is the view as it was the last
   * time.
   */
  read(connection: Connection, onPart: (part: () => View) => void, before: View | undefined): Promise<View>;
  /** In milliseconds; on AWS a reading costs, and takes from the account's quotas. */
  readonly every: { readonly local: number; readonly aws: number };
}

const SECOND = 1000;
/** A completed row changes by a redrive or another delivery only: on AWS it is read so much less often. */
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

/** Views at addresses of one form. */
interface AddressForm {
  /** The parts of the address; `*` stands for a name, which is not empty. */
  readonly parts: readonly string[];
  /** In seconds. */
  readonly every: ViewRoute['every'];
  /** The reading of the view with these names in its address, in the time range of the address. */
  reader(names: readonly string[], range: () => AskedRange): ViewRoute['read'];
}

const KEYS: Pick<AddressForm, 'every' | 'reader'> = {
  every: { local: 1, aws: 60 },
  reader:
    ([name], range) =>
    (connection, onPart) =>
      readKeys(connection, name, range(), onPart),
};

const COST: Pick<AddressForm, 'every' | 'reader'> = {
  // On AWS a reading takes as many histories as a second of the account's quota has, for some ten seconds.
  every: { local: 5, aws: 3600 },
  reader:
    ([name], range) =>
    connection =>
      readCost(connection, name, range()),
};

const FORMS: readonly AddressForm[] = [
  { parts: ['connection'], every: { local: 2, aws: 300 }, reader: () => readConnection },
  { parts: ['keys'], ...KEYS },
  { parts: ['workflows', '*', 'keys'], ...KEYS },
  {
    parts: ['workflows', '*', 'keys', '*'],
    every: { local: 1, aws: 30 },
    reader:
      ([name = '', key = '']) =>
      connection =>
        readKey(connection, name, key),
  },
  {
    parts: ['keys', '*'],
    every: { local: 1, aws: 30 },
    reader:
      ([key = '']) =>
      connection =>
        readKey(connection, undefined, key),
  },
  {
    parts: ['health'],
    every: { local: 5, aws: 300 },
    reader: () => async connection => ({ lines: await readHealth(await allAccesses(connection)) }),
  },
  { parts: ['cost'], ...COST },
  { parts: ['workflows', '*', 'cost'], ...COST },
  { parts: ['deliveries'], every: { local: 2, aws: 60 }, reader: () => readDeliveries },
  {
    parts: ['queues', '*'],
    every: { local: 5, aws: 300 },
    reader:
      ([name = '']) =>
      connection =>
        readQueue(connection, name),
  },
  {
    parts: ['executions', '*'],
    every: { local: 1, aws: 5 },
    reader:
      ([arn = '']) =>
      ({ aws, local }, onPart, before) =>
        isExpress(arn)
          ? readExpress(aws, arn, local?.())
          : readExecution(aws, arn, onPart, before && 'events' in before ? before : undefined),
  },
];

/** The view of an address such as `/workflows/orders/keys?since=1h`; undefined where there is none. */
export function routeFor(address: string): ViewRoute | undefined {
  const [path = '', query] = address.split('?');
  const [root, ...parts] = path.split('/').map(decoded);
  const form = FORMS.find(one => isOfForm(one, parts));
  if (root !== '' || form === undefined) return undefined;
  const names = parts.filter((_, index) => form.parts[index] === '*').map(String);
  const { local, aws } = form.every;
  return {
    read: form.reader(names, () => rangeIn(query)),
    every: { local: local * SECOND, aws: aws * SECOND },
  };
}

function isOfForm({ parts: form }: AddressForm, parts: readonly (string | undefined)[]): boolean {
  const fits = (given: string | undefined, part = '') => given === part || (part === '*' && Boolean(given));
  return form.length === parts.length && parts.every((given, index) => fits(given, form[index]));
}

/** The time range of an address. @throws Rejection for an invalid range */
function rangeIn(query: string | undefined): AskedRange {
  const given = new URLSearchParams(query);
  const momentOf = (name: string) => {
    const text = given.get(name) ?? '';
    const moment = momentIn(text);
    if (text !== '' && moment === undefined)
      throw new Rejection(`"${text}" is not a time: enter ${MOMENT_WORDS}`);
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
