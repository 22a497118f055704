import { userInfo } from 'node:os';
import { RELEASED, STATUS } from '../../../state-machine/contract/index';
import { dateTime, printable } from '../../text';
import { failureOf } from '../failure';
import type { KeyRecord, RecordState } from '../record';

/** The reservation of a record: by whom, for what and since when. Another operator needs it to continue, or to wait. */
export interface Reservation {
  readonly purpose: 'complete' | 'release';
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

/** What the error of a reserved record contains. */
interface Cause extends Reservation {
  /** What the record said before, so that any process can give it back. */
  readonly before: Pick<RecordState, 'status' | 'error'>;
}

/** The name of the operator; `unknown` if the system has none, as in a container. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** The error that a release writes into a record. The token tells this release from every other. */
export function releasedError({ owner, attempt }: KeyRecord, token: string): string {
  return errorOf({ message: 'an operator has released the key', owner, attempt, token });
}

/** The error of a record while it is reserved. The token tells this reservation from every other. */
export function reservedError(record: KeyRecord, token: string, reservation: Reservation): string {
  const { owner, attempt } = record;
  const before = beforeReservation(record);
  return errorOf({
    message: 'an operator has reserved the key',
    owner,
    attempt,
    token,
    ...reservation,
    before,
  });
}

function errorOf(cause: object): string {
  return JSON.stringify({ Error: RELEASED, Cause: JSON.stringify(cause) });
}

/** What a record said before it was reserved; of a record that is not reserved, what it says. */
export function beforeReservation({ status, error }: RecordFacts): Pick<RecordState, 'status' | 'error'> {
  if (status !== STATUS.releasing) return { status, error };
  const { before } = causeIn({ error });
  return before === undefined
    ? { status: STATUS.inProgress, error: undefined }
    : { status: before.status, error: before.error };
}

type RecordFacts = Pick<RecordState, 'status' | 'error'>;

function causeIn({ error }: Pick<RecordFacts, 'error'>): Partial<Cause> {
  try {
    return JSON.parse(failureOf({ error })?.cause ?? '{}') as Partial<Cause>;
  } catch {
    return {};
  }
}

/** The reservation of a record; undefined if it is not reserved. */
export function reservationOf({ status, error }: RecordFacts): Reservation | undefined {
  if (status !== STATUS.releasing) return undefined;
  const { purpose, by, at } = causeIn({ error });
  return {
    purpose: purpose === 'complete' ? 'complete' : 'release',
    by: typeof by === 'string' ? by : 'an operator',
    at: typeof at === 'string' ? at : '',
  };
}

/** By whom, since when and for what a record is reserved, and what continues that: the end of a sentence. */
export function reservedInWords({ purpose, by, at }: Reservation): string {
  const since = at === '' ? '' : ` at ${dateTime(at)}`;
  return (
    `${printable(by)} began to ${purpose} it${since}, which is running or was interrupted; ` +
    `\`onceflow ${purpose} KEY\` continues it`
  );
}
