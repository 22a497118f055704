import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  type EpochMs,
  type EpochSeconds,
  ERROR,
  isExpired,
  RECORD,
  STATUS,
} from '../state-machine/contract/index';
import { type Aws, answerOf } from './aws/aws';

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
  readonly leaseExpiry: EpochMs | undefined;
  readonly expiry: EpochSeconds | undefined;
}

/** How an execution, or the step, failed. */
export interface Failure {
  readonly error: string;
  readonly cause: string;
}

/** The key's record as it is now, or undefined where there is none. @throws Refusal */
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
  return answer?.Item && recordIn(answer.Item);
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

/** Whether nobody knows what the step did, so that the key waits for a person. */
export function isParked(record: SeenRecord): boolean {
  return record.status === STATUS.failed && failureOf(record)?.error === ERROR.inDoubt;
}

/** Whether a person has freed the key, and no delivery has come since. */
export function isReleased(record: SeenRecord): boolean {
  return record.status === STATUS.failed && failureOf(record)?.error === RELEASED;
}

/** Whether the record no longer counts: to a delivery it is as if it were not there. */
export function isGone({ expiry }: SeenRecord, now: EpochMs): boolean {
  return isExpired(expiry, now);
}
