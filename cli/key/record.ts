import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { evaluate } from '../../state-machine/contract/condition';
import { IS_FAILED, IS_HELD, IS_IN_DOUBT, isReturnedFailure } from '../../state-machine/contract/conditions';
import { RELEASED_BY_RECOVERY } from '../../state-machine/contract/error-names';
import {
  attributeIn,
  type EpochMs,
  type EpochSeconds,
  ERROR,
  isExpired,
  RECORD,
  RESULT_ELSEWHERE,
  STATUS,
  type TableSchema,
} from '../../state-machine/contract/index';
import type { Workflow } from '../aws/workflow';
import { QUOTED_MAX, shortened } from '../text';

/** A key's record as it was read. What it does not have is undefined. */
export interface KeyRecord {
  readonly recordKey: string;
  readonly status: string;
  /** ARN of an execution. */
  readonly owner: string;
  readonly attempt: number;
  readonly payloadHash: string | undefined;
  /** JSON text of the payload, or why it is not kept. */
  readonly payload: string | undefined;
  readonly claimedAt: string | undefined;
  readonly finishedAt: string | undefined;
  /** JSON text; null where only the owner's output has the result. */
  readonly result: string | null | undefined;
  /** `s3://<bucket>/<key>` of the object that holds the result, and its SHA-256 in base64. */
  readonly resultLocation?: string | undefined;
  readonly resultHash?: string | undefined;
  /** JSON text of `{Error, Cause}`. */
  readonly error: string | undefined;
  /** In seconds: for so long the owner's step may work on after the owner's end. */
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
 * The record that an item is in a table of this schema; undefined where it lacks what every record has: key, status,
 * owner and attempt.
 */
export function recordIn(
  schema: TableSchema,
  item: Readonly<Record<string, AttributeValue>>,
): KeyRecord | undefined {
  const attribute = (name: keyof typeof RECORD) => item[attributeIn(schema, RECORD[name])];
  const text = (name: keyof typeof RECORD) => attribute(name)?.S;
  const number = (name: keyof typeof RECORD) => {
    const value = attribute(name)?.N;
    return value === undefined ? undefined : Number(value);
  };
  const [recordKey, status, owner] = [text('idempotencyKey'), text('status'), text('owner')];
  const attempt = number('attempt');
  if (!recordKey || !status || !owner || attempt === undefined) return undefined;
  return {
    recordKey,
    status,
    owner,
    attempt,
    payloadHash: text('payloadHash'),
    payload: text('payload'),
    claimedAt: text('claimedAt'),
    finishedAt: text('finishedAt'),
    result: isElsewhere(attribute('result')) ? null : text('result'),
    resultLocation: text('resultLocation'),
    resultHash: text('resultHash'),
    error: text('error'),
    stepTimeout: number('stepTimeout'),
    leaseExpiry: number('leaseExpiry') as EpochMs | undefined,
    expiry: number('expiry') as EpochSeconds | undefined,
  };
}

// Records of the first versions say it by NULL.
function isElsewhere(result: AttributeValue | undefined): boolean {
  return result?.NULL === true || result?.S === RESULT_ELSEWHERE;
}

/** How the step failed; undefined where the record says nothing of it. */
export function failureOf({ error }: Pick<KeyRecord, 'error'>): Failure | undefined {
  if (error === undefined) return undefined;
  try {
    const stored = JSON.parse(error) as { readonly Error?: unknown; readonly Cause?: unknown };
    return { error: String(stored.Error ?? ''), cause: typeof stored.Cause === 'string' ? stored.Cause : '' };
  } catch {
    return { error, cause: '' };
  }
}

/**
 * A failure as a person reads it. Of a cause that is JSON, as of a Lambda function or of the workflow itself, only the
 * message and the error that it names are quoted, never a stack trace.
 */
export function failureInWords({ error, cause }: Failure): string {
  return [error, messageIn(cause)].filter(text => text !== '').join(': ');
}

function messageIn(cause: string): string {
  const { errorMessage, message, error } = membersOf(cause);
  const quoted = [errorMessage, message].find(text => typeof text === 'string' && text !== '');
  if (typeof quoted !== 'string') return cause;
  const onOneLine = quoted.trim().replace(/\s*\n\s*/g, ' ');
  return typeof error === 'string' ? `${onOneLine} (${error})` : onOneLine;
}

/** The fields in which a refused payload differs from the record's, by its cause; undefined where that does not say. */
export function differingFieldsIn(cause: string | undefined): readonly string[] | undefined {
  const { differingFields } = membersOf(cause ?? '');
  return Array.isArray(differingFields) ? differingFields.map(String) : undefined;
}

/**
 * Of the cause of an invalid event, printable: the expressions of its key and payload, the type of the key and the
 * reason, as far as the cause has them. Undefined for any other cause.
 */
export function invalidKeyIn(cause: string | undefined): string | undefined {
  const { keyExpression, keyType, payloadExpression, reason } = membersOf(cause ?? '');
  if (typeof keyExpression !== 'string') return undefined;
  const member = (words: string, value: unknown) =>
    typeof value === 'string' ? `${words}${shortened(value, QUOTED_MAX)}` : '';
  return [
    member('the key is ', keyExpression),
    member(', which gave ', keyType),
    member('; the payload is ', payloadExpression),
    member('; reason: ', reason),
  ].join('');
}

function membersOf(json: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(json) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/**
 * The error that a record is held for review with; undefined for any other record. Deliveries end with this error until
 * an operator decides. At most once a failure that is not the step's own answer counts as well: an earlier version, or
 * a definition that ran the step at least once, has stored it.
 */
export function heldFor(
  record: Pick<KeyRecord, 'status' | 'error'>,
  { isAtMostOnce }: Pick<Workflow, 'isAtMostOnce'>,
): string | undefined {
  const known = { record, now: 0 as EpochMs };
  if (evaluate(IS_HELD, known)) return failureOf(record)?.error ?? ERROR.inDoubt;
  return isAtMostOnce && evaluate(IS_FAILED, known) && evaluate(IS_IN_DOUBT, known)
    ? ERROR.inDoubt
    : undefined;
}

/** True if the record has a failure that later deliveries end with, instead of running the step again. */
export function isFailureReturned(
  record: Pick<KeyRecord, 'status' | 'error'>,
  { returnsStoredFailure, returnedErrors }: Pick<Workflow, 'returnsStoredFailure' | 'returnedErrors'>,
): boolean {
  return returnsStoredFailure && evaluate(isReturnedFailure(returnedErrors), { record, now: 0 as EpochMs });
}

/** True if the key waits for an operator. */
export function isHeld(
  record: Pick<KeyRecord, 'status' | 'error'>,
  workflow: Pick<Workflow, 'isAtMostOnce'>,
): boolean {
  return heldFor(record, workflow) !== undefined;
}

/** Who has released a key that no delivery has taken over since; undefined for any other record. */
export function releasedBy({ status, error }: KeyRecord): 'recovery' | 'an operator' | undefined {
  if (status !== STATUS.released) return undefined;
  return error === RELEASED_BY_RECOVERY ? 'recovery' : 'an operator';
}

/** Whether the step's end is not in the record: an execution owns it, or it is being released. */
export function isUnfinished({ status }: KeyRecord): boolean {
  return status === STATUS.inProgress || status === STATUS.releasing;
}

/** Whether the record no longer counts: to a delivery it is as if it were not there. */
export function isGone({ expiry }: KeyRecord, now: EpochMs): boolean {
  return isExpired(expiry, now);
}

/** What tells one state of a record from every other. */
export type RecordState = Pick<KeyRecord, 'owner' | 'attempt' | 'status' | 'error'>;

/** Whether nobody has written the record in between: the condition that the writes have, too. */
export function isSame(one: RecordState, other: RecordState): boolean {
  return (
    one.owner === other.owner &&
    one.attempt === other.attempt &&
    one.status === other.status &&
    one.error === other.error
  );
}

/** When the record got its status, in epoch milliseconds; undefined where it does not say. */
export function sinceWhen({ claimedAt, finishedAt }: KeyRecord): number | undefined {
  const at = Date.parse(finishedAt ?? claimedAt ?? '');
  return Number.isNaN(at) ? undefined : at;
}
