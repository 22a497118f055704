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
  readonly executionArn?: string | undefined;
  /** `NOT_FOUND` where Step Functions does not know the execution. */
  readonly status: string;
  readonly startDate?: EpochMs | undefined;
  readonly stopDate?: EpochMs | undefined;
  readonly error?: string | undefined;
  readonly redriveCount?: number | undefined;
  readonly redriveStatus?: string | undefined;
}

/**
 * What a machine that judges has found out beside the record and its owner. Times are in epoch milliseconds, and 0 if
 * they are not known.
 */
export interface Known {
  /** How the execution has ended that a dispatcher has waited for, and its error. */
  readonly runStatus?: string | undefined;
  readonly runError?: string | undefined;
  /** How the execution ended, its error, and its input, as the event of its end or a question says. */
  readonly statusTold?: string | undefined;
  readonly errorTold?: string | undefined;
  readonly hasInput?: boolean | undefined;
  /** The input of recovery is a list of executions, and some of them have no recovery yet. */
  readonly isList?: boolean | undefined;
  readonly hasSeveral?: boolean | undefined;
  /** Step Functions has been asked about the execution whose input is read. */
  readonly isInputAsked?: boolean | undefined;
  /** The execution is one of recovery itself. */
  readonly isOfRecovery?: boolean | undefined;
  /** The execution is one that a redelivery has started. */
  readonly isOfRedelivery?: boolean | undefined;

  /** Its input has no usable key. */
  readonly hasNoKey?: boolean | undefined;
  /** Step Functions has been asked about the owner. */
  readonly isAsked?: boolean | undefined;
  /** A delivery has started this recovery. */
  readonly isCalled?: boolean | undefined;
  /** How often this recovery has acted, and the recoveries before it. */
  readonly acts?: number | undefined;
  readonly earlier?: number | undefined;
  readonly actedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly unknownAt?: number | undefined;
  /** Of which end of the execution the event says. */
  readonly redrivesBefore?: number | undefined;

  /** Facts of the record, found out when it is read: see `recovery/record-facts`. */
  readonly isUnclaimed?: boolean | undefined;
  readonly hasNothingToRecover?: boolean | undefined;
  readonly hasOnlyResult?: boolean | undefined;
  readonly isCompletedByIt?: boolean | undefined;
  readonly isSender?: boolean | undefined;
  readonly isNoticeUnsent?: boolean | undefined;
  readonly isFreed?: boolean | undefined;
  readonly isHeldByThis?: boolean | undefined;

  /**
   * The last state of the owner, as its history says: its name, whether the owner had left it, and whether the history
   * is that of the end which recovery checks.
   */
  readonly lastState?: string | undefined;
  readonly isLastStateLeft?: boolean | undefined;
  readonly isOfThisEnd?: boolean | undefined;
  readonly hasNextPage?: boolean | undefined;
  readonly isInRequest?: boolean | undefined;
  readonly hasNoFailedState?: boolean | undefined;
  readonly pages?: number | undefined;

  /** The last delivery of a team's machine: what is known of it, and how often it was asked about. */
  readonly delivery?: string | undefined;
  readonly checks?: number | undefined;

  /** A redelivery: whether it, or the failed execution, owns the record; how often it delivered; whether it waited. */
  readonly isOurs?: boolean | undefined;
  readonly deliveries?: number | undefined;
  readonly hasWaited?: boolean | undefined;

  /** A search: how many it found on a page, and where it is in its lists. */
  readonly found?: number | undefined;
  readonly at?: number | undefined;
  readonly searches?: number | undefined;
  readonly runningAt?: number | undefined;
  readonly running?: number | undefined;
  readonly runningPages?: number | undefined;

  /** The execution that runs under the name of the key, and since when. Undefined: none did before the start. */
  readonly joined?: string | undefined;
  readonly joinedSince?: number | undefined;
  /** When that start was called, epoch milliseconds. */
  readonly callsAt?: number | undefined;

  /** A check of a message: the execution started for it, and what is known of that and of the owner, in seconds. */
  readonly started?: string | undefined;
  readonly startedStatus?: string | undefined;
  readonly startedEndedAgo?: number | undefined;
  readonly ownerStatus?: string | undefined;
  readonly ownerEndedAgo?: number | undefined;

  /** Until when a delivery waits for the owner. */
  readonly waitUntil?: number | undefined;
  /** How the step failed: its error, a blank, and its cause; and redrives, now and when the claim was made. */
  readonly failure?: string | undefined;
  readonly redriveCount?: number | undefined;
  readonly redrives?: number | undefined;
  /** A start of recovery: for which claim, and when. */
  readonly calledFor?: string | undefined;
  readonly calledAt?: number | undefined;
}
