import { Duration, Token } from 'aws-cdk-lib';
import { JitterType, type RetryProps } from 'aws-cdk-lib/aws-stepfunctions';
import { isAnswer } from '../contract/step-errors';
import { describeValue } from '../words/describe-value';
import { noOption } from '../words/validate-names';

/** The retries of a step within one attempt. */
export interface StepRetries {
  readonly retriers: readonly RetryProps[];
  /** The errors that they name. */
  readonly errors: readonly string[];
  /** How long they take at most, in seconds: their delays, and the runs of a step that lasts so long. */
  lasting(runSeconds: number): number;
}

/** What decides which errors a step may be retried after. */
export interface RetriedStep {
  /**
   * Of a task or chain: for how long what it has begun may work on when it has failed. Undefined for a Lambda function:
   * an error without the mark of a service is its own answer, given when it was over.
   */
  readonly workingOn: Duration | undefined;
  readonly isAtMostOnce: boolean;
}

/**
 * The retries as they are given: undefined where there are none.
 *
 * A task or chain is retried after any error, as soon as what it has begun has certainly ended.
 *
 * @throws Error for errors that leave doubt whether a function has ended, and for a chain that would be retried sooner
 * or at most once. Error for retries that never end, for an error that is named twice, and for a value that is not a
 * CDK `RetryProps`
 */
export function stepRetries(given: unknown, step: RetriedStep): StepRetries | undefined {
  if (given === undefined) return undefined;
  const asked = Array.isArray(given) ? given : [given];
  for (const retrier of asked) validateRetrier(retrier, step);
  const { workingOn } = step;
  if (asked.length === 0) return undefined;
  const retriers: RetryProps[] = workingOn
    ? asked.map(retrier => afterItsWork(retrier, step, workingOn))
    : asked;
  validateBounds(retriers);
  const errors = retriers.flatMap(({ errors: named = [] }) => named);
  requireOnce(errors);
  return { retriers, errors, lasting: runSeconds => secondsOf(retriers, runSeconds) };
}

const OPTIONS: Readonly<Record<keyof RetryProps, true>> = {
  errors: true,
  interval: true,
  maxAttempts: true,
  maxDelay: true,
  jitterStrategy: true,
  backoffRate: true,
};

function validateRetrier(retrier: unknown, step: RetriedStep): asserts retrier is RetryProps {
  if (typeof retrier !== 'object' || retrier === null) {
    throw new Error(
      `\`retry\` takes RetryProps such as { errors: ['Busy'] }, or a list of them, got ${describeValue(retrier)}`,
    );
  }
  const unknown = Object.keys(retrier).find(name => !(name in OPTIONS));
  if (unknown !== undefined) {
    throw new Error(noOption('`retry`', unknown, Object.keys(OPTIONS)));
  }
  const {
    errors,
    interval,
    maxAttempts = 0,
    maxDelay,
    backoffRate = 1,
    jitterStrategy,
  } = retrier as RetryProps;
  if (!Array.isArray(errors) || errors.length === 0) {
    throw new Error(
      `\`retry\` needs the names of \`errors\`: CDK's default, all errors, ${IN_DOUBT}; ${REMEDY}`,
    );
  }
  for (const error of errors) {
    if (step.workingOn === undefined) validateError(error, step);
    else if (typeof error !== 'string' || error === '') throw wrong('errors', 'names of errors', error);
  }
  if (!Number.isInteger(maxAttempts) || maxAttempts < 0)
    throw wrong('maxAttempts', 'a whole number from 0 on', maxAttempts);
  if (typeof backoffRate !== 'number' || !(backoffRate >= 1))
    throw wrong('backoffRate', 'a number from 1 on', backoffRate);
  if (jitterStrategy !== undefined && !Object.values(JitterType).includes(jitterStrategy))
    throw wrong('jitterStrategy', 'JitterType.FULL or JitterType.NONE', jitterStrategy);
  for (const [name, duration] of Object.entries({ interval, maxDelay })) {
    const isDelay = duration instanceof Duration && !duration.isUnresolved() && duration.toSeconds() >= 1;
    if (duration !== undefined && !isDelay) throw wrong(name, 'a Duration of a second or more', duration);
  }
  if (interval && maxDelay && maxDelay.toSeconds() < interval.toSeconds())
    throw wrong(
      'maxDelay',
      `as long as \`interval\` at least, which is ${interval.toHumanString()}`,
      maxDelay,
    );
}

/** Rejects an error that two retriers name: the first decides, so the second can never act. @throws Error */
function requireOnce(errors: readonly string[]): void {
  const twice = errors.find((error, index) => errors.indexOf(error) < index);
  if (twice === undefined) return;
  throw new Error(
    `\`retry\` names ${twice} twice, and Step Functions follows only the first. Name each error once`,
  );
}

/** Retries of a chain: none of them before what was begun has ended. */
function afterItsWork(retrier: RetryProps, { isAtMostOnce }: RetriedStep, workingOn: Duration): RetryProps {
  if (isAtMostOnce) {
    throw new Error(
      "`retry` with `delivery: 'at-most-once'` is for a Lambda function that was rejected before it ran: it is unknown " +
        'whether a failed task or chain had its effect; give its states a `Retry` of their own',
    );
  }
  const { interval = workingOn, maxDelay, jitterStrategy } = retrier;
  for (const [name, duration] of Object.entries({ interval, maxDelay })) {
    if (duration === undefined || duration.toSeconds() >= workingOn.toSeconds()) continue;
    throw new Error(
      `\`${name}\` of \`retry\` must be ${workingOn.toHumanString()} or longer: for so long, its \`stepTimeout\`, ` +
        `what a task or chain has begun may work on when it has failed; got ${duration.toHumanString()}`,
    );
  }
  if (jitterStrategy !== JitterType.FULL) return { ...retrier, interval };
  throw new Error(
    '`retry` of a task or chain cannot have JitterType.FULL, which may draw a delay of nothing: what was begun may be ' +
      'at work then; leave `jitterStrategy` out',
  );
}

const IN_DOUBT = 'covers ends after which the step may still be working';
const REMEDY = 'name the errors that the function throws, such as PaymentGatewayBusy';
const WILDCARDS = ['States.ALL', 'States.TaskFailed'];
/** The names of rejections: the step was not begun. */
const REJECTION = /^(Lambda\..+Exception|States\.Permissions)$/;

function validateError(error: unknown, { isAtMostOnce }: RetriedStep): void {
  if (typeof error !== 'string' || error === '' || Token.isUnresolved(error))
    throw wrong('errors', 'names that are known at synth', error);
  if (WILDCARDS.includes(error))
    throw new Error(`\`retry\` cannot have ${error}, which ${IN_DOUBT}; ${REMEDY}`);
  if (!isAnswer(error)) {
    throw new Error(
      `\`retry\` cannot have ${error}, after which the step may still be working, or may have had its effect; leave ` +
        'it out: the next delivery runs the step again when it has certainly ended',
    );
  }
  if (!isAtMostOnce || REJECTION.test(error)) return;
  throw new Error(
    `\`retry\` with \`delivery: 'at-most-once'\` takes rejections before the step ran only, such as ` +
      `Lambda.TooManyRequestsException, got ${error}; retry within the function what it knows not to have done`,
  );
}

function wrong(option: string, wanted: string, got: unknown): Error {
  const given = got instanceof Duration && !got.isUnresolved() ? got.toHumanString() : String(got);
  return new Error(`\`${option}\` of \`retry\` must be ${wanted}, got ${given}`);
}

/** How many retries there may be in all: each writes three events into a history that holds 25,000. */
const RETRIES_MAX = 1000;
/** The longest an execution may last. */
const YEAR_SECONDS = 365 * 24 * 60 * 60;

function validateBounds(retriers: readonly RetryProps[]): void {
  const retries = retriers.reduce((sum, retrier) => sum + attemptsOf(retrier), 0);
  if (retries > RETRIES_MAX) {
    throw new Error(
      `\`retry\` may have ${RETRIES_MAX} attempts in all, got ${retries}; each is kept in the execution's history, ` +
        'which is bounded; use a longer `interval` and fewer `maxAttempts`',
    );
  }
  const seconds = retriers.reduce((sum, retrier) => sum + delaysOf(retrier), 0);
  if (seconds <= YEAR_SECONDS) return;
  throw new Error(
    '`retry` waits for longer than the year that an execution may last, as its delays grow without a bound; set ' +
      '`maxDelay`, or fewer `maxAttempts`',
  );
}

function secondsOf(retriers: readonly RetryProps[], runSeconds: number): number {
  const seconds = retriers.map(retrier => delaysOf(retrier) + attemptsOf(retrier) * runSeconds);
  return Math.ceil(seconds.reduce((sum, one) => sum + one, 0));
}

// CDK's defaults. Jitter only makes a delay shorter.
function attemptsOf({ maxAttempts = 3 }: RetryProps): number {
  return maxAttempts;
}

function delaysOf(retrier: RetryProps): number {
  const { interval = Duration.seconds(1), backoffRate = 2, maxDelay } = retrier;
  const longest = maxDelay?.toSeconds() ?? Number.POSITIVE_INFINITY;
  const attempts = Array.from({ length: attemptsOf(retrier) }, (_, attempt) => attempt);
  return attempts.reduce((sum, k) => sum + Math.min(interval.toSeconds() * backoffRate ** k, longest), 0);
}
