import type { Duration } from 'aws-cdk-lib';

/** What a delivery does while another execution owns its key. */
export class OnInProgress {
  /** Ends with `Idempotency.InProgress` at once: whoever delivered comes again later. */
  static fail(): OnInProgress {
    return new OnInProgress(undefined);
  }

  /**
   * Looks at the record again, after delays that grow, until the owner has finished; after `total` at the latest it
   * ends with `Idempotency.InProgress`. Each look costs six transitions of a Standard workflow.
   *
   * @throws Error for less than a second, and for more than a day
   */
  static wait(total: Duration): OnInProgress {
    const seconds = total.toSeconds();
    if (seconds >= 1 && seconds <= WAIT_SECONDS_MAX) return new OnInProgress(total);
    throw new Error(
      `\`OnInProgress.wait\` takes 1 second to 1 day, got ${total.toHumanString()}; an event that may wait longer is ` +
        'delivered again',
    );
  }

  private constructor(
    /** For how long at most; undefined: not at all. */
    readonly total: Duration | undefined,
  ) {}
}

const WAIT_SECONDS_MAX = 24 * 60 * 60;

/** What a delivery does whose key has a record of a business step that failed. */
export class OnFailed {
  /** Runs the step again, as the next attempt. */
  static retry(): OnFailed {
    return new OnFailed(false);
  }

  /** Ends with the error and cause of that failure, until the record's retention is over. */
  static returnStoredFailure(): OnFailed {
    return new OnFailed(true);
  }

  private constructor(
    /** True where the stored failure is the answer. */
    readonly isReturned: boolean,
  ) {}
}

/**
 * What an end of the business step means that nobody knows: a timeout, a lost answer, an abort while it ran.
 *
 * `at-least-once` runs the step again, never two at once. `at-most-once` never does: the record is parked as `FAILED`
 * with the error `Idempotency.InDoubt`, which later deliveries end with, until a person frees the key.
 */
export type Delivery = 'at-least-once' | 'at-most-once';
