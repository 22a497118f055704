import type { ResultAttributes } from './record';
import type { EpochMs, EpochSeconds } from './time';

/** A record as it is judged. A member that the item does not have is undefined; without a status there is no record. */
export interface JudgedRecord extends ResultAttributes {
  readonly status: string | undefined;
  readonly owner?: string | undefined;
  readonly claimId?: string | undefined;
  readonly payloadHash?: string | undefined;
  /** ISO-8601. */
  readonly claimedAt?: string | undefined;
  /** JSON text; null where only the owner's execution has the result. */
  readonly result?: string | null | undefined;
  /** JSON text of `{Error, Cause}`. */
  readonly error?: string | undefined;
  /** In seconds. */
  readonly stepTimeout?: number | undefined;
  readonly leaseExpiry?: EpochMs | undefined;
  readonly expiry?: EpochSeconds | undefined;
  /** Of the key's text and the payload's hash; undefined for the form that this version writes. */
  readonly form?: number | undefined;
}

/** What DescribeExecution says of the execution that owns a record, as far as it is judged. */
export interface JudgedOwner {
  /** `NOT_FOUND` where Step Functions does not know the execution. */
  readonly status: string;
  readonly stopDate?: EpochMs | undefined;
  readonly error?: string | undefined;
  readonly redriveCount?: number | undefined;
  readonly redriveStatus?: string | undefined;
}
