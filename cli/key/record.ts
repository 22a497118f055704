import { evaluate } from '../../state-machine/contract/condition';
import { IS_FAILED, IS_HELD, IS_IN_DOUBT, isReturnedFailure } from '../../state-machine/contract/conditions';
import { RELEASED_BY_RECOVERY } from '../../state-machine/contract/error-names';
import {
  type EpochMs,
  type EpochSeconds,
  ERROR,
  isExpired,
  STATUS,
} from '../../state-machine/contract/index';
import type { Workflow } from '../aws/workflow';
import { failureOf } from './failure';

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
  /** Tells apart the claims of one execution. */
  readonly claimId?: string | undefined;
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
  /** Of the key's text and the payload's hash, if a later version has written them in a form of its own. */
  readonly form?: number | undefined;
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

/** The operator who has released a key that no delivery has taken over since; undefined for any other record. */
export function releasedBy({
  status,
  error,
}: Pick<KeyRecord, 'status' | 'error'>): 'recovery' | 'an operator' | undefined {
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

/** Whether the record has not been written in between: the condition that the writes have, too. */
export function isSame(one: RecordState, other: RecordState): boolean {
  return (
    one.owner === other.owner &&
    one.attempt === other.attempt &&
    one.status === other.status &&
    one.error === other.error
  );
}

/** When the record got its status, in epoch milliseconds; undefined if it does not say. */
export function sinceWhen({
  claimedAt,
  finishedAt,
}: Pick<KeyRecord, 'claimedAt' | 'finishedAt'>): number | undefined {
  const at = Date.parse(finishedAt ?? claimedAt ?? '');
  return Number.isNaN(at) ? undefined : at;
}
