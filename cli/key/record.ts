import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { IS_FAILED, IS_IN_DOUBT } from '../../state-machine/contract/conditions';
import {
  type EpochMs,
  type EpochSeconds,
  isExpired,
  RECORD,
  STATUS,
} from '../../state-machine/contract/index';
import { type Aws, answerOf } from '../aws/aws';
import { Refusal } from '../refusal';
import type { Workflow } from '../workflow';

/** The error of a record that a person has released. To the workflow it is a failure like any other. */
export const RELEASED = 'Idempotency.Released';

/** A record as it was read. What it does not have is undefined. */
export interface SeenRecord {
  readonly recordKey: string;
  readonly status: string;
  readonly owner: string;
  readonly attempt: number;
  readonly payloadHash: string | undefined;
  readonly claimedAt: string | undefined;
  readonly finishedAt: string | undefined;
  /** JSON text; null where only the owner's output has the result. */
  readonly result: string | null | undefined;
  /** JSON text of `{Error, Cause}`. */
  readonly error: string | undefined;
  /** For so many seconds the owner's step may work on after the owner's end. */
  readonly stepTimeout: number | undefined;
  readonly leaseExpiry: EpochMs | undefined;
  readonly expiry: EpochSeconds | undefined;
}

/** How an execution, or the step, failed. */
export interface Failure {
  readonly error: string;
  readonly cause: string;
}

/**
 * The key's record as it is now, or undefined where there is none.
 *
 * @throws Refusal, also for an item that is no record: another table may have the same partition key
 */
export async function readRecord(
  aws: Aws,
  table: string,
  recordKey: string,
): Promise<SeenRecord | undefined> {
  const request = new GetItemCommand({
    TableName: table,
    Key: { [RECORD.idempotencyKey]: { S: recordKey } },
    ConsistentRead: true,
  });
  const sent = aws.dynamodb.send(request, { abortSignal: aws.signal });
  const answer = await answerOf(aws, 'GetItem', `table ${table}`, sent);
  if (answer?.Item === undefined) return undefined;
  const record = recordIn(answer.Item);
  if (record.status !== '' && record.owner !== '') return record;
  throw new Refusal(
    `table ${table} has an item of this key that is no record of onceflow: it has no status or owner; check --table`,
  );
}

/** The record that an item is; what is missing in it is empty or undefined. */
export function recordIn(item: Readonly<Record<string, AttributeValue>>): SeenRecord {
  const text = (name: keyof typeof RECORD) => item[RECORD[name]]?.S;
  const number = (name: keyof typeof RECORD) => {
    const value = item[RECORD[name]]?.N;
    return value === undefined ? undefined : Number(value);
  };
  return {
    recordKey: text('idempotencyKey') ?? '',
    status: text('status') ?? '',
    owner: text('owner') ?? '',
    attempt: number('attempt') ?? 0,
    payloadHash: text('payloadHash'),
    claimedAt: text('claimedAt'),
    finishedAt: text('finishedAt'),
    result: item[RECORD.result]?.NULL === true ? null : text('result'),
    error: text('error'),
    stepTimeout: number('stepTimeout'),
    leaseExpiry: number('leaseExpiry') as EpochMs | undefined,
    expiry: number('expiry') as EpochSeconds | undefined,
  };
}

/** How the step failed; undefined where the record says nothing of it. */
export function failureOf({ error }: Pick<SeenRecord, 'error'>): Failure | undefined {
  if (error === undefined) return undefined;
  try {
    const stored = JSON.parse(error) as { readonly Error?: unknown; readonly Cause?: unknown };
    return { error: String(stored.Error ?? ''), cause: typeof stored.Cause === 'string' ? stored.Cause : '' };
  } catch {
    return { error, cause: '' };
  }
}

/**
 * A failure as a person reads it. A cause that is JSON, as of a Lambda function or of the workflow itself, is told by
 * its message and the error that it names; a stack trace is not told.
 */
export function failureInWords({ error, cause }: Failure): string {
  return [error, messageIn(cause)].filter(text => text !== '').join(': ');
}

function messageIn(cause: string): string {
  const { errorMessage, message, error } = membersOf(cause);
  const said = [errorMessage, message].find(text => typeof text === 'string' && text !== '');
  if (typeof said !== 'string') return cause;
  const onOneLine = said.trim().replace(/\s*\n\s*/g, ' ');
  return typeof error === 'string' ? `${onOneLine} (${error})` : onOneLine;
}

function membersOf(json: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(json) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/**
 * Whether nobody knows what the step did, so that the key waits for a person. Only at most once: otherwise a failure is
 * a failure, whoever wrote it. There a step's failure that is not its own answer counts as well.
 */
export function isParked(record: SeenRecord, { isAtMostOnce }: Pick<Workflow, 'isAtMostOnce'>): boolean {
  const known = { record, now: 0 as EpochMs };
  return isAtMostOnce && IS_FAILED.holds(known) && IS_IN_DOUBT.holds(known);
}

/** Whether a person has freed the key, and no delivery has come since. */
export function isReleased(record: SeenRecord): boolean {
  return record.status === STATUS.failed && failureOf(record)?.error === RELEASED;
}

/** Whether the record no longer counts: to a delivery it is as if it were not there. */
export function isGone({ expiry }: SeenRecord, now: EpochMs): boolean {
  return isExpired(expiry, now);
}

/** Whether nobody has written the record in between: the condition that the writes have, too. */
export function isSame(one: SeenRecord, other: SeenRecord): boolean {
  return (
    one.owner === other.owner &&
    one.attempt === other.attempt &&
    one.status === other.status &&
    one.error === other.error
  );
}
