import { Duration } from 'aws-cdk-lib';
import { JitterType, type TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import { CONDITION_FAILED, EVALUATION_FAILED, NAME_TAKEN } from './settings';

/**
 * Retries a read or a claiming write for some minutes: throttling, lost answers, a short outage.
 *
 * The error `answer` (by default a refused condition) and a failed evaluation are answers, not faults; they go to the
 * catchers at once. A write that was done although its answer was lost is admitted again by its own condition.
 */
export function retryForMinutes(task: TaskStateBase, answer: string = CONDITION_FAILED): void {
  task.addRetry({ errors: [answer, EVALUATION_FAILED], maxAttempts: 0 });
  retryFaults(task);
}

/**
 * Retries the read of an owner's output: for some minutes after faults, for ten seconds while an owner that has
 * finished does not look so yet (its output is undefined, and the evaluation fails), not at all if it is too long.
 */
export function retryUntilVisible(task: TaskStateBase): void {
  task.addRetry({ errors: ['States.DataLimitExceeded'], maxAttempts: 0 });
  task.addRetry({
    errors: [EVALUATION_FAILED],
    interval: Duration.seconds(2),
    maxAttempts: 5,
    backoffRate: 1,
  });
  retryFaults(task);
}

/**
 * Retries a finalizing write for hours: the work is done, and only the record does not say so yet.
 *
 * After the last attempt the error is caught by nobody: the execution fails in this very state, where a redrive goes
 * on with the business result that Step Functions has kept.
 */
export function retryForHours(task: TaskStateBase): void {
  task.addRetry({ errors: [CONDITION_FAILED], maxAttempts: 0 });
  task.addRetry({ errors: [EVALUATION_FAILED], maxAttempts: 3 });
  task.addRetry({
    interval: Duration.seconds(1),
    backoffRate: 2,
    maxAttempts: 200,
    maxDelay: Duration.minutes(5),
    jitterStrategy: JitterType.FULL,
  });
}

/** How long one try of a step of the dispatcher may take: what is tried again must not use up the time of the rest. */
export const START_TIMEOUT = Duration.seconds(10);
const START_RETRIES = 4;
const START_DELAY_MAX = Duration.seconds(8);

/**
 * Retries a step of the dispatcher for about a minute: four of them, one after another, stay within an Express
 * execution's five. A name that is taken and a failed evaluation are answers.
 */
export function retryStart(task: TaskStateBase): void {
  task.addRetry({ errors: [NAME_TAKEN, EVALUATION_FAILED], maxAttempts: 0 });
  task.addRetry({
    interval: Duration.seconds(1),
    backoffRate: 2,
    maxAttempts: START_RETRIES,
    maxDelay: START_DELAY_MAX,
    jitterStrategy: JitterType.FULL,
  });
}

// With full jitter each delay is on average half of its bound: about three and a half minutes in all.
function retryFaults(task: TaskStateBase): void {
  task.addRetry({
    interval: Duration.seconds(1),
    backoffRate: 2,
    maxAttempts: 12,
    maxDelay: Duration.minutes(1),
    jitterStrategy: JitterType.FULL,
  });
}
