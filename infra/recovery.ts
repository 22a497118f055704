import { Duration } from 'aws-cdk-lib';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { RedeliveryTimes } from '../state-machine/recovery/redelivery-states';
import { describeValue } from '../state-machine/words/describe-value';
import { validateNames } from '../state-machine/words/validate-names';
import { requireKnown } from '../state-machine/workflow/states/business-step';
import { withConstructPath } from './cdk/with-construct-path';
import { recoverMachine } from './nested/machine-recovery';
import type { RecoveryMachines } from './nested/recovery-machines';
import { type RedeliverFailedOptions, redeliveryTimes } from './redeliver-failed';
import { requireStateMachine } from './validation/props';

/**
 * Settings of `Recovery.automatic`.
 *
 * @example
 * recovery: Recovery.automatic({ searchEvery: Duration.minutes(15) })
 */
export interface RecoveryOptions {
  /**
   * How often recovery searches for executions that ended without an event. Whole minutes, at most a day. It searches
   * at least twice within the shorter retention, because an expired record no longer says what has been done.
   *
   * @default Duration.hours(1)
   */
  readonly searchEvery?: Duration;
  /**
   * Redelivers an event whose step has failed automatically, after delays that grow, for steps that fail for hours. The
   * step runs as the next attempt each time, and each failure is sent to `onFailure`. If the last delivery fails as
   * well, an execution of recovery fails with `Idempotency.RecoveryGivenUp`.
   *
   * @default - no redelivery: the next delivery from the source runs the step again
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
   * How often recovery searches for executions that ended without an event. Whole minutes, at most a day. It searches
   * at least four times within the shortest retention of the fragments, or every minute if that is below four minutes.
   * It redelivers nothing once a record that the fragments finished may have expired.
   *
   * @default Duration.hours(1)
   */
  readonly searchEvery?: Duration;
  /**
   * For how long work of the state machine can continue after its execution has ended. Set it if states of your own
   * take longer than the steps of the fragments.
   *
   * @default - the longest of its fragments' steps
   */
  readonly stepTimeout?: Duration;
}

/**
 * Decides what happens to a key whose execution ended before its record was finished.
 *
 * @example
 * recovery: Recovery.automatic({ searchEvery: Duration.minutes(30) })
 */
export class Recovery {
  /**
   * Recovery for a Standard state machine of your own with `IdempotentFragment`s. Grant each fragment to it before.
   *
   * If an execution was stopped, has timed out, or has failed in a request of a fragment, recovery starts its input
   * again, and the fragments resume from their records. It does not recover an error that the state machine ends with
   * on purpose. States of your own run again, as they do for any duplicate.
   *
   * Recovery redelivers within half of the fragments' shortest retention, counted from the start of the execution,
   * because an expired record no longer says what has been done. For an older execution, recovery fails with
   * `Idempotency.RecoveryGivenUp`.
   *
   * Creates two state machines and two rules in the state machine's construct, and returns them.
   *
   * @throws Error for a state machine without fragments, or one that already has recovery. Error for a fragment whose
   * key or payload differs between executions with the same input. Error for an unknown option, for a `searchEvery`
   * that is not whole minutes or is longer than a day, and for a `stepTimeout` that is not a Duration. Error for
   * retentions that end before a step has certainly ended
   */
  static of(stateMachine: StateMachine, options: MachineRecoveryOptions = {}): RecoveryMachines {
    return withConstructPath(stateMachine, () => {
      requireStateMachine('Recovery.of', stateMachine);
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
   * Recovery by a state machine of its own. Step Functions' status changes start it, and deliveries that find the
   * step's time over. A schedule starts it for executions that neither has reported.
   *
   * When the step has certainly ended, recovery redrives the execution. If the execution cannot be redriven, recovery
   * releases the key and redelivers the input: the step runs as the next attempt. With `at-most-once` it releases only
   * keys whose execution stopped before the step, and holds the others for review.
   *
   * Recovery acts up to eight times, with delays that grow to an hour. Its execution fails with
   * `Idempotency.RecoveryGivenUp` if it has held the record, or if the key is still not finished.
   *
   * The workflow throws an error for an unknown option, and for a `searchEvery` that is not whole minutes or is longer
   * than a day.
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

  // Validated lazily, so that the error names the construct.
  private constructor(private readonly times: () => Times) {}

  /**
   * How often recovery searches for executions that ended without an event; undefined: nothing is recovered.
   *
   * @throws Error for invalid options
   */
  get searchEvery(): Duration | undefined {
    return this.times().searchEvery;
  }

  /**
   * When events whose step has failed are redelivered; undefined: never.
   *
   * @throws Error for invalid options
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

const SEARCH_DEFAULT = Duration.hours(1);
const DAY_SECONDS = 24 * 60 * 60;
