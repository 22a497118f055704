import { Duration } from 'aws-cdk-lib';
import { shown } from '../state-machine/contract/shown';
import { validateNames } from '../state-machine/validate-names';

/** Settings of `Recovery.automatic`. */
export interface RecoveryOptions {
  /**
   * How often executions are searched for whose end no event has told of. Whole minutes.
   *
   * @default Duration.hours(1)
   */
  readonly searchEvery?: Duration;
}

/** Who brings the event of an execution to its end that has died. */
export class Recovery {
  /**
   * A state machine of its own, started by Step Functions' status changes, and by a schedule for those that were lost:
   * it delivers the execution's own input again, under the workflow's own rules, up to eight times, with delays that
   * grow to an hour. What still does not reach its end fails that state machine with `Idempotency.RecoveryGivenUp`.
   *
   * @throws Error for an option that there is not, and for a `searchEvery` that is no whole number of minutes, or
   * longer than a day
   */
  static automatic(options: RecoveryOptions = {}): Recovery {
    validateNames('Recovery.automatic', options, { searchEvery: true });
    const { searchEvery = SEARCH_DEFAULT } = options;
    if (!(searchEvery instanceof Duration)) {
      throw new Error(
        `\`searchEvery\` takes a Duration such as Duration.hours(1), got ${shown(searchEvery)}`,
      );
    }
    const seconds = searchEvery.toSeconds();
    if (seconds >= 60 && seconds <= DAY_SECONDS && seconds % 60 === 0) return new Recovery(searchEvery);
    throw new Error(
      `\`searchEvery\` takes whole minutes, up to a day, got ${searchEvery.toHumanString()}; a search goes back to ` +
        'the last one, however long ago that was',
    );
  }

  /** Nobody: whoever delivers the key next, or a person. */
  static none(): Recovery {
    return new Recovery(undefined);
  }

  private constructor(
    /** How often is searched for what no event has told of; undefined: nothing is recovered. */
    readonly searchEvery: Duration | undefined,
  ) {}
}

const SEARCH_DEFAULT = Duration.hours(1);
const DAY_SECONDS = 24 * 60 * 60;
