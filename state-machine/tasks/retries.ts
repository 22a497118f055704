import { Duration } from 'aws-cdk-lib';
import { JitterType, type TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import { ResolvedTime } from '../template/resolved-time';
import {
  CONDITION_FAILED,
  DATA_TOO_LONG,
  EVALUATION_FAILED,
  OWNER_UNKNOWN,
  TABLE_ERROR,
} from './aws-error-names';

/** A patience: retries within it take a quarter of an hour on average. */
const HALF_AN_HOUR_SECONDS = 30 * 60;
/** The same, as `retriesOf` takes it. */
export const HALF_AN_HOUR = new ResolvedTime(() => HALF_AN_HOUR_SECONDS);

/**
 * The retrier of a request that a service has not carried out: for hours, or within a shorter `patience`.
 *
 * The delays grow from a second, and each is twice as long as the one before: the defaults of the States Language. They
 * grow to five minutes, or to half a minute if the patience is below ten minutes. With full jitter each delay is on
 * average half of its bound.
 */
export function retriesOf(patience: ResolvedTime | undefined) {
  const delayMax = (seconds: number) => (seconds < 600 ? 30 : 300);
  return {
    maxAttempts: patience?.count(seconds => retriesWithin(seconds, delayMax(seconds))) ?? RETRIES_OF_HOURS,
    maxDelay: patience?.map(delayMax).duration ?? Duration.minutes(5),
    jitterStrategy: JitterType.FULL,
  };
}

/** Sixteen hours with delays of five minutes; half of that on average. */
const RETRIES_OF_HOURS = 200;

/** How often a request can be tried again before its delays, each at its longest, come to more than so many seconds. */
function retriesWithin(seconds: number, delayMax: number): number {
  let retries = 0;
  for (let waited = 1; waited <= seconds; waited += Math.min(2 ** retries, delayMax)) retries += 1;
  return Math.max(retries, 1);
}

/**
 * Retries a request for hours, whatever the error, a missing permission included: while the execution waits, a fixed
 * permission is enough, and an ended execution must be redriven.
 *
 * The errors in `answers` go to the catchers at once. A failed evaluation, which may have met a limit of the service,
 * goes there after `evaluations` more tries: three take seven seconds.
 */
export function retryForHours(task: TaskStateBase, answers: readonly string[], evaluations = 3): void {
  if (answers.length > 0) task.addRetry({ errors: [...answers], maxAttempts: 0 });
  task.addRetry({ errors: [EVALUATION_FAILED], maxAttempts: evaluations });
  task.addRetry(retriesOf(undefined));
}

interface PatientRetries {
  /** The error that can be a missing permission: retried for a quarter of an hour on average. */
  readonly denied: string;
  readonly answers: readonly string[];
  /** @default 1 */
  readonly evaluations?: number;
}

/**
 * Retries a request before the step: for hours, or within `patience`. The error `denied`, which can be a missing
 * permission, is retried for about a quarter of an hour: then its catcher decides.
 *
 * The errors in `answers` and a failed evaluation are answers, not faults. They go to the catchers at once, or when the
 * expressions have been evaluated `evaluations` times. A write that was done although its answer was lost is admitted
 * again by its own condition.
 */
export function retryPatiently(
  task: TaskStateBase,
  patience: ResolvedTime | undefined,
  { denied, answers, evaluations = 1 }: PatientRetries,
): void {
  task.addRetry({ errors: [...answers, EVALUATION_FAILED], maxAttempts: evaluations - 1 });
  const within = patience?.map(seconds => Math.min(seconds, HALF_AN_HOUR_SECONDS)) ?? HALF_AN_HOUR;
  task.addRetry({ errors: [denied], ...retriesOf(within) });
  task.addRetry(retriesOf(patience));
}

/** {@link retryPatiently} for a request to the table. A failed condition is an answer. */
export function retryBeforeTheStep(
  task: TaskStateBase,
  patience: ResolvedTime | undefined,
  evaluations = 1,
): void {
  if (evaluations > 1) task.addRetry({ errors: [CONDITION_FAILED], maxAttempts: 0 });
  const answers = evaluations > 1 ? [] : [CONDITION_FAILED];
  retryPatiently(task, patience, { denied: TABLE_ERROR, answers, evaluations });
}

/**
 * Retries the read of an owner's output: for some minutes after faults, not at all if the output is too long.
 *
 * Ten seconds for an owner that is not visible yet: Step Functions does not know it, or shows a finished owner without
 * its output, so that the evaluation fails.
 */
export function retryUntilVisible(task: TaskStateBase): void {
  task.addRetry({ errors: [DATA_TOO_LONG], maxAttempts: 0 });
  task.addRetry({
    errors: [EVALUATION_FAILED, ...OWNER_UNKNOWN],
    interval: Duration.seconds(2),
    maxAttempts: 5,
    backoffRate: 1,
  });
  retryFaults(task);
}

/** Retries a read for three and a half minutes: with full jitter each delay is on average half of its bound. */
export function retryFaults(task: TaskStateBase): void {
  task.addRetry({
    maxAttempts: 12,
    maxDelay: Duration.minutes(1),
    jitterStrategy: JitterType.FULL,
  });
}
