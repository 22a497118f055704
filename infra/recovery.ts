import { Duration } from 'aws-cdk-lib';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { describeValue } from '../state-machine/contract/describe-value';
import type { RedeliveryTimes } from '../state-machine/recovery/redelivery-states';
import { validateNames } from '../state-machine/validate-names';
import { requireKnown } from '../state-machine/workflow/states/business-step';
import { withConstructPath } from './cdk/with-construct-path';
import { recoverMachine } from './nested/machine-recovery';
import type { RecoveryMachines } from './nested/recovery-machines';
import { type RedeliverFailedOptions, redeliveryTimes } from './redeliver-failed';

/**
 * Settings of `Recovery.automatic`.
 *
 * @example
 * recovery: Recovery.automatic({ searchEvery: Duration.minutes(15) })
 */
export interface RecoveryOptions {
  /**
   * How often executions are searched for whose end no event has told of. Whole minutes. Twice within the shorter
   * retention at least, whatever is said here: a record that is gone tells nobody what has been done.
   *
   * @default Duration.hours(1)
   */
  readonly searchEvery?: Duration;
  /**
   * Whether an event whose step has failed is delivered again by itself, after delays that grow, for steps that fail
   * for hours. The step runs as the next attempt each time, and each failure is told to `onFailure`. What has failed in
   * the last delivery as well fails a state machine with `Idempotency.RecoveryGivenUp`, as what recovery gives up.
   *
   * @default - not: the next delivery, from wherever it comes, runs the step again
   */
  readonly redeliverFailed?: RedeliverFailedOptions;
}

/**
 * Settings of `Recovery.of`.
 *
 * @example
 * Recovery.of(orders, { searchEvery: Duration.minutes(30) })
 */
export interface MachineRecoveryOptions {
  /**
   * How often executions are searched for whose end no event has told of. Whole minutes. Four times within the shortest
   * retention of the fragments at least, or where that is below four minutes every minute, whatever is said here: where
   * a record that they have finished may be gone, nothing is delivered.
   *
   * @default Duration.hours(1)
   */
  readonly searchEvery?: Duration;
  /**
   * For how long something of the state machine may still be working after its execution has ended: longer than its
   * fragments' steps, if states of its own take longer.
   *
   * @default - the longest of its fragments' steps
   */
  readonly stepTimeout?: Duration;
}

/**
 * Who decides what becomes of a key whose execution ended before its record was finished.
 *
 * @example
 * recovery: Recovery.automatic({ searchEvery: Duration.minutes(30) })
 */
export class Recovery {
  /**
   * The same for a Standard state machine of your own with `IdempotentFragment`s, each granted to it before: the input
   * of an execution that was stopped, has timed out, or has failed in a request of a fragment, is started again, and
   * the fragments go on with what it has left. An error that the state machine ends with on purpose is left to it.
   * States of your own run again, as they do for any duplicate.
   *
   * Delivers within half of the fragments' shortest retention, counted from the start of the execution: a record that
   * is gone tells nobody what has been done. What is older fails recovery with `Idempotency.RecoveryGivenUp`.
   *
   * Makes two state machines and two rules below the state machine, and returns them.
   *
   * @throws Error for a state machine without fragments, one that has recovery already, an option that there is not,
   * a `searchEvery` that is not a whole number of minutes, or longer than a day, a `stepTimeout` that is no Duration,
   * and for retentions that are over before a step has certainly ended
   */
  static of(stateMachine: StateMachine, options: MachineRecoveryOptions = {}): RecoveryMachines {
    return withConstructPath(stateMachine, () => {
      validateNames('Recovery.of', options, { searchEvery: true, stepTimeout: true });
      const { stepTimeout, ...others } = options;
      const { searchEvery = SEARCH_DEFAULT } = Recovery.automatic(others);
      if (stepTimeout !== undefined && !(stepTimeout instanceof Duration)) {
        throw new Error(
          `\`stepTimeout\` takes a Duration such as Duration.minutes(15), got ${describeValue(stepTimeout)}`,
        );
      }
      if (stepTimeout) requireKnown(stepTimeout, '`stepTimeout`');
      return recoverMachine(stateMachine, searchEvery, stepTimeout);
    });
  }

  /**
   * A state machine of its own, started by Step Functions' status changes, by deliveries that find the step's time
   * over, and by a schedule for those that neither has told of. When the step has certainly ended, it redrives the
   * execution; one that cannot be redriven it releases, and delivers its input again: the step runs as the next
   * attempt. At most once it releases only what stopped before its step, and holds the rest for review. It acts up to
   * eight times, with delays that grow to an hour. What it has held, and what still does not reach its end, fails
   * that state machine with `Idempotency.RecoveryGivenUp`.
   *
   * A workflow that is given it refuses an option that there is not, and a `searchEvery` that is not a whole number of
   * minutes, or longer than a day.
   */
  static automatic(options: RecoveryOptions = {}): Recovery {
    return new Recovery(() => timesOf(options));
  }

  /**
   * No recovery: a key whose execution ended before its record was finished stays in progress until an operator
   * redrives the execution or releases the key. A warning at synthesis, and an error with a queue as a source.
   */
  static none(): Recovery {
    return new Recovery(() => ({ searchEvery: undefined, redeliverFailed: undefined }));
  }

  // What is wrong with the options is said by whoever is given them, which has a place in the app.
  private constructor(private readonly times: () => Times) {}

  /**
   * How often is searched for what no event has told of; undefined: nothing is recovered.
   *
   * @throws Error for options that cannot be
   */
  get searchEvery(): Duration | undefined {
    return this.times().searchEvery;
  }

  /**
   * When events are delivered again whose step has failed; undefined: never.
   *
   * @throws Error for options that cannot be
   */
  get redeliverFailed(): RedeliveryTimes | undefined {
    return this.times().redeliverFailed;
  }
}

interface Times {
  readonly searchEvery: Duration | undefined;
  readonly redeliverFailed: RedeliveryTimes | undefined;
}

function timesOf(options: RecoveryOptions): Times {
  validateNames('Recovery.automatic', options, { searchEvery: true, redeliverFailed: true });
  const { searchEvery = SEARCH_DEFAULT } = options;
  if (!(searchEvery instanceof Duration)) {
    throw new Error(
      `\`searchEvery\` takes a Duration such as Duration.hours(1), got ${describeValue(searchEvery)}`,
    );
  }
  const seconds = searchEvery.toSeconds();
  if (seconds >= 60 && seconds <= DAY_SECONDS && seconds % 60 === 0) {
    return { searchEvery, redeliverFailed: redeliveryTimes(options.redeliverFailed) };
  }
  throw new Error(
    `\`searchEvery\` must be whole minutes, up to a day, got ${searchEvery.toHumanString()}. Each search covers the ` +
      'time since the search before it',
  );
}

/** Refuses recovery of Express executions, which nobody can ask about. @throws Error with the remedy */
export function validateRecovery(recovery: unknown, isExpress: boolean): void {
  if (recovery === undefined) return;
  if (!(recovery instanceof Recovery)) {
    throw new Error(
      `\`recovery\` must be Recovery.automatic() or Recovery.none(), got ${describeValue(recovery)}`,
    );
  }
  if (recovery.searchEvery === undefined || !isExpress) return;
  throw new Error(
    '`recovery` needs a STANDARD workflow: an Express execution cannot be looked up after it ended, and its lease ' +
      'ends automatically. Leave `recovery` out',
  );
}

const SEARCH_DEFAULT = Duration.hours(1);
const DAY_SECONDS = 24 * 60 * 60;
