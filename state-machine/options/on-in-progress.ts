import { Duration } from 'aws-cdk-lib';
import { describeValue } from '../words/describe-value';

/**
 * What a delivery does while another execution owns its key.
 *
 * @example
 * onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5))
 */
export class OnInProgress {
  /** Ends with `Idempotency.InProgress` at once: the caller delivers the event again later. */
  static fail(): OnInProgress {
    return new OnInProgress(undefined);
  }

  /**
   * Reads the record again, after delays that grow, until the owner has finished. After `total`, a record that is still
   * in progress ends the delivery with `Idempotency.InProgress`. The takeover of an ended owner is not in `total`: it
   * may wait for the owner's step, and then runs the step.
   *
   * Each read costs four transitions of a Standard workflow, or six in a fragment that asks about an overdue owner. A
   * wait of an hour costs at most 80.
   *
   * @throws Error for less than a second, for more than a day, and for a value that is not a Duration
   */
  static wait(total: Duration): OnInProgress {
    if (!(total instanceof Duration)) {
      throw new Error(
        `\`OnInProgress.wait\` takes a Duration such as Duration.minutes(5), got ${describeValue(total)}`,
      );
    }
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
