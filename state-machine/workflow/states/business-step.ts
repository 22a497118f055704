import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Errors,
  type IChainable,
  Parallel,
  TaskInput,
  type TaskStateBase,
  Timeout,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { expression, jsonataIn } from '../../contract/jsonata';
import { STATE } from '../../contract/state-names';
import { MAY_HAVE_RUN, PASSES } from '../../contract/step-errors';
import type { StepEvent } from '../../contract/step-event';
import type { StepInput } from '../../expression/step-input-and-result';
import { invokePayload } from '../../jsonata/invoke-payload';
import { retriesOf } from '../../tasks/retries';
import type { StepRetries } from '../../tasks/step-retries';
import { functionTimeout } from '../../template/function-timeout';
import { ResolvedTime } from '../../template/resolved-time';

/**
 * What runs once per key: a Lambda function, or any task or chain of states.
 *
 * @example
 * const step: Step = new NodejsFunction(this, 'Charge', { entry: 'functions/charge.ts' });
 */
export type Step = IFunction | IChainable;

/** The business step as the fragment joins it. */
export interface BusinessStep {
  /** The one state whose catchers see every error of the step. */
  readonly state: TaskStateBase | Parallel;
  /** Errors after which the step may still be working, although its state has ended. */
  readonly uncertainErrors: readonly string[];
  /** True where an error without the mark of a service is the step's own answer, given when it was over. */
  readonly answersForItself: boolean;
  /** The errors after which it is retried as the options say. */
  readonly retried: readonly string[];
  /** For how long it may be working after such an error. */
  readonly gracePeriod: ResolvedTime;
  /** How long one run takes at most: a function's own timeout, without the way to it and back. */
  readonly runTime: ResolvedTime;
}

/** How a step is called. */
interface Call {
  /** Undefined: a `StepEvent`. */
  readonly input: StepInput | undefined;
  /** Undefined: none. */
  readonly retries: StepRetries | undefined;
}

const STEP_EVENT: Readonly<Record<Exclude<keyof StepEvent, 'retryCount'>, string>> = {
  idempotencyKey: expression('$idempotencyKey'),
  attempt: expression('$attempt'),
  input: expression('$states.input'),
};

/** How often the state has been tried again; evaluated at each try. */
const RETRY_COUNT = { retryCount: expression('$states.context.State.RetryCount') };

const COMMENT = 'Runs the business step; as long as this execution owns the key, no other one does';

/** The longest a Lambda function may run. */
export const LAMBDA_TIMEOUT_MAX = Duration.minutes(15);
/** Above a function's own timeout: a cold start of up to 10 s is not counted in it, and the answer has to travel. */
const INVOKE_MARGIN_SECONDS = 30;

/**
 * The state that runs the user's step with `{idempotencyKey, attempt, input}`, or another input, as it is asked for.
 *
 * A Lambda function is one Task state with a timeout above the function's own, so a state that timed out has no
 * function running behind it. Anything else is wrapped into a Parallel state of one branch, so that all its errors
 * are caught as one and its result is one; that costs one more transition.
 *
 * `retries` run it again within the same attempt: a function after errors that it has certainly ended with, a chain
 * when what it has begun has certainly ended.
 *
 * `stepTimeout` bounds how long the step may work on after its state has ended. Without it, a function has its own
 * timeout, as the template has it: see {@link stepTimeProblems}.
 *
 * @throws Error for a time that is not known at synth
 */
export function businessStep(
  scope: Construct,
  step: Step,
  stepTimeout: Duration | undefined,
  call: Call,
): BusinessStep {
  const longest = worksOn(stepTimeout);
  if (!isFunction(step)) return wrappedStep(scope, step, ResolvedTime.of(longest), call);
  const own = () => functionTimeout(step) ?? longest.toSeconds();
  return lambdaStep(scope, step, stepTimeout ? ResolvedTime.of(stepTimeout) : new ResolvedTime(own), call);
}

/**
 * Why the end of a step cannot be certain, in words: a function whose timeout the template does not have needs a
 * `stepTimeout`.
 */
export function stepTimeProblems(step: Step, stepTimeout: Duration | undefined): string[] {
  if (!isFunction(step)) return [];
  if (stepTimeout !== undefined || functionTimeout(step) !== undefined) return [];
  return [
    `\`stepTimeout\` is required, because the template does not say how long ${step.node.path} can run: another app ` +
      'defines it, its timeout is a parameter, or it is a version that was published before. Set `stepTimeout` to at ' +
      "least the function's timeout, such as Duration.minutes(15), the longest that Lambda allows",
  ];
}

/** For how long what a task or chain has begun may work on when it has failed: as given, or the most of a function. */
export function worksOn(given: Duration | undefined): Duration {
  if (given) requireKnown(given, '`stepTimeout`');
  return given ?? LAMBDA_TIMEOUT_MAX;
}

/** Rejects a time that a CloudFormation parameter, or another token, gives: others are made of it, and compared. */
export function requireKnown(time: Duration, what: string): void {
  if (!time.isUnresolved()) return;
  throw new Error(`${what} must be a time that is known at synth, such as Duration.minutes(15), got a token`);
}

/**
 * Calls the function again, within `patience`, where the service rejected it before it ran: that is the first time. The
 * first retrier that names an error decides, so those of `retry` keep theirs.
 */
export function retryRejections(
  { state, answersForItself, retried }: BusinessStep,
  patience: ResolvedTime | undefined,
): void {
  const errors = PASSES.filter(error => !retried.includes(error));
  if (answersForItself && errors.length > 0) state.addRetry({ errors, ...retriesOf(patience) });
}

/** Holds the execution back until a step whose answer was lost has certainly ended: two must never run at once. */
export function letTheStepEnd(scope: Construct, step: BusinessStep): Wait {
  return Wait.jsonata(scope, STATE.letStepEnd, {
    comment: 'The answer of the business step was lost: waits until the step has certainly ended',
    time: WaitTime.duration(step.gracePeriod.duration),
  });
}

function lambdaStep(
  scope: Construct,
  step: IFunction,
  timeout: ResolvedTime,
  { retries, input = { ...STEP_EVENT, ...(retries && RETRY_COUNT) } }: Call,
): BusinessStep {
  const gracePeriod = timeout.plus(Duration.seconds(INVOKE_MARGIN_SECONDS));
  const state = LambdaInvoke.jsonata(scope, STATE.step, {
    comment: COMMENT,
    lambdaFunction: step,
    payload:
      typeof input === 'string'
        ? TaskInput.fromText(invokePayload(jsonataIn(input)))
        : TaskInput.fromObject(input),
    outputs: expression('$exists($states.result.Payload) ? $states.result.Payload : null'),
    taskTimeout: Timeout.duration(gracePeriod.duration),
    // CDK's default retries include lost answers, and would start a second invocation beside the first.
    retryOnServiceExceptions: false,
  });
  for (const retrier of retries?.retriers ?? []) state.addRetry(retrier);
  const uncertainErrors = MAY_HAVE_RUN;
  return {
    state,
    uncertainErrors,
    answersForItself: true,
    retried: retries?.errors ?? [],
    gracePeriod,
    runTime: timeout,
  };
}

function wrappedStep(
  scope: Construct,
  step: IChainable,
  gracePeriod: ResolvedTime,
  { retries, input = STEP_EVENT }: Call,
): BusinessStep {
  const state = Parallel.jsonata(scope, STATE.step, {
    comment: COMMENT,
    // CDK's type has an object only; the States Language takes an expression as well.
    arguments: input as Record<string, unknown>,
    outputs: expression('$exists($states.result[0]) ? $states.result[0] : null'),
  }).branch(step);
  for (const retrier of retries?.retriers ?? []) state.addRetry(retrier);
  // A failed branch says nothing of what its siblings, or the service it asked, are still doing.
  const uncertainErrors = [Errors.ALL];
  return {
    state,
    uncertainErrors,
    answersForItself: false,
    retried: retries?.errors ?? [],
    gracePeriod,
    runTime: gracePeriod,
  };
}

/** Whether a step is a Lambda function. */
export function isFunction(step: Step): step is IFunction {
  return 'functionArn' in step;
}
