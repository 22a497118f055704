import { Duration } from 'aws-cdk-lib';
import { JitterType, type TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import { CONDITION_FAILED, EVALUATION_FAILED } from './settings';

/**
 * Retries a read or a claiming write for about a minute: throttling, lost answers, a short outage.
 *
 * A refused condition and a failed evaluation are answers, not faults; they go to the catchers at once. A write that
 * was done although its answer was lost is admitted again by its own condition.
 */
export function retryForAMinute(task: TaskStateBase): void {
  task.addRetry({ errors: [CONDITION_FAILED, EVALUATION_FAILED], maxAttempts: 0 });
  retryFaults(task);
}

/**
 * Retries the read of an owner's output, about a minute for faults, and ten seconds for an owner that has finished but
 * does not look so yet: its output is undefined, and the evaluation fails.
 */
export function retryUntilVisible(task: TaskStateBase): void {
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
  task.addRetry({
    interval: Duration.seconds(1),
    backoffRate: 2,
    maxAttempts: 200,
    maxDelay: Duration.minutes(5),
    jitterStrategy: JitterType.FULL,
  });
}

function retryFaults(task: TaskStateBase): void {
  task.addRetry({
    interval: Duration.seconds(1),
    backoffRate: 2,
    maxAttempts: 7,
    maxDelay: Duration.seconds(20),
    jitterStrategy: JitterType.FULL,
  });
}
