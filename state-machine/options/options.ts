import type { Duration } from 'aws-cdk-lib';
import type { RetryProps } from 'aws-cdk-lib/aws-stepfunctions';
import type { StepInput } from '../expression/step-input-and-result';
import type { StateMachineReference } from '../template/state-machine-names';
import type { FailureDestination } from './failure-destination';
import type { KeepPayload } from './keep-payload';
import type { IdempotencyKey } from './key';
import type { OnFailed } from './on-failed';
import type { OnInProgress } from './on-in-progress';
import type { Redrive } from './redrive';
import type { Results } from './results';
import type { StoreError } from './store-error';

/**
 * What happens if it is not known how the business step ended: a timeout, a lost answer, an abort while it ran.
 *
 * `at-least-once` runs the step again, but never two steps at once. `at-most-once` never runs it again. It holds the
 * record (status `HELD`) with the error `Idempotency.InDoubt`. Later deliveries end with that error until an operator
 * releases the key.
 *
 * @example
 * delivery: 'at-most-once'
 */
export type Delivery = 'at-least-once' | 'at-most-once';

/**
 * What every construct that runs a step once per key takes.
 *
 * @example
 * const charge: Pick<IdempotencyProps, 'idempotencyKey' | 'payload'> = {
 *   idempotencyKey: '{% $states.input.detail.orderId %}',
 *   payload: '{% $states.input.detail.amount %}',
 * };
 */
export interface IdempotencyProps {
  /**
   * The key of the step's work: one JSONata expression in `{% %}` over the input of the workflow or fragment, or the
   * parts of a composite key, each its own expression. A part must give a non-empty text or a whole number up to
   * 2^53 - 1; anything else ends with `Idempotency.InvalidEvent`. `Key.ofPayload` makes the key of a whole payload.
   *
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/keys-and-payloads.md
   */
  readonly idempotencyKey: IdempotencyKey;
  /**
   * What must be equal when a key comes again: a JSONata expression in `{% %}` over the same input. Another payload
   * ends with `Idempotency.PayloadMismatch`, also after success.
   *
   * @default - payloads are not compared
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/keys-and-payloads.md
   */
  readonly payload?: string;
  /**
   * Whether the record stores the payload: `true`, `KeepPayload.all()`, or `KeepPayload.redacted` for a part or a form
   * of it. A mismatch then names the fields that differ, and an operator can read the payload. A payload of more than
   * 10,000 characters as JSON is not stored, and the record says so.
   *
   * @default false
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/keys-and-payloads.md
   */
  readonly keepPayload?: boolean | KeepPayload;
  /**
   * What the step is called with, so that its handler need not change: a JSONata expression in `{% %}` over the same
   * input, or an object with such expressions in it. `$idempotencyKey` and `$attempt` are those of a `StepEvent`, and
   * so is `$retryCount` with `retry`. An expression that cannot be evaluated fails the step before it runs.
   *
   * Values are passed exactly. The exception is a number that is the whole input of a function: it must have at most 15
   * digits, or be a whole number up to 2^53 - 1. `$string` and `&` write numbers with at most 15 digits; `$string` is a
   * warning at synthesis.
   *
   * @default - a `StepEvent`: `{idempotencyKey, attempt, input}`
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/from-my-handler.md
   */
  readonly stepInput?: StepInput;
  /**
   * The part of the step's answer that is the result: a JSONata expression in `{% %}` over `$states.result`, which is
   * what the function has returned, or the output of the chain. If it cannot be evaluated, or gives nothing, the whole
   * answer is the result: the step has run, and does not run again. `$string` and `&` round, as in `stepInput`.
   *
   * @default - all of it
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/from-my-handler.md
   */
  readonly stepResult?: string;
  /**
   * How long a finished record answers duplicates. A delivery that comes later counts as a new event and runs the step
   * again.
   *
   * @default - 90 days, for as long as Step Functions keeps the execution's history
   * @see https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
   */
  readonly retention?: Duration;
  /**
   * The same for a record of a step that has failed: how long `OnFailed.returnStoredFailure()` answers with the
   * failure, and how long the next attempt counts on. A record that is held never expires.
   *
   * @default - as `retention`
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/waiting-and-failures.md
   */
  readonly failedRetention?: Duration;
  /**
   * For how long a task or chain may still be working after it has failed, because a branch was interrupted or an
   * answer was lost. The failure is recorded after this time, so that no later delivery starts a second step beside it.
   * Zero says that nothing is still working.
   *
   * For a Lambda function it is at least the function's timeout in the template. It is required if the template does
   * not say that timeout: another app defines the function, its timeout is a parameter, or it is a version that was
   * published before. Set a longer one before you raise the timeout of a function.
   *
   * It is required for a chain whose work can continue after its states have ended: a job, a task token, an activity,
   * another state machine, a distributed Map, or an operation that only starts something.
   *
   * @default - for a Lambda function its timeout in the template, for anything else 15 minutes, the longest that a
   * function may run
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/business-step.md
   */
  readonly stepTimeout?: Duration;
  /**
   * Retries of a Lambda function within the same attempt: CDK's RetryProps, one or several. Their `errors` are those
   * that the function throws, or rejections of Lambda before it ran. Errors after which the function may be running are
   * rejected at synthesis, also `States.ALL`. The function gets the `retryCount`.
   *
   * A task or chain is run again after any error, `States.ALL` among them, when what it has begun has certainly ended:
   * its `interval` is the `stepTimeout` unless it is longer. Not at most once.
   *
   * @default - none: a failure is recorded, and the next delivery runs the step again
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/waiting-and-failures.md
   */
  readonly retry?: RetryProps | readonly RetryProps[];
  /**
   * What stands before the key in the record, at most 255 bytes without `#`. Two workflows or fragments that share a
   * table need different ones. Keep it when you rename the construct: under another scope every key counts as new.
   * Needed with a table that the app does not define.
   *
   * @default - the id of this construct
   * @see https://github.com/onceflow/onceflow/blob/main/docs/reference/record.md
   */
  readonly scope?: string;
  /**
   * State machines that this workflow has had before, by name, by ARN, or as constructs: of the same account and
   * region. What their executions have claimed is its own: answered, asked about and redriven. Needed after a change
   * that makes another state machine; without it such a record ends a delivery with `Idempotency.ForeignRecord`.
   *
   * @default - none
   * @see https://github.com/onceflow/onceflow/blob/main/docs/operations/deployments.md
   */
  readonly formerStateMachines?: readonly StateMachineReference[];
  /**
   * What happens while another execution, or another part of this one, owns the key. If items of one Map can have the
   * same key, wait for longer than the step takes: an item that fails would interrupt the others.
   *
   * @default OnInProgress.fail()
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/waiting-and-failures.md
   */
  readonly onDuplicateInProgress?: OnInProgress;
  /**
   * What happens if the step has failed before under this key. If a failure leads to compensation, return the failure:
   * a step that has been undone must not run again.
   *
   * @default OnFailed.retry()
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/waiting-and-failures.md
   */
  readonly onFailedBefore?: OnFailed;
  /**
   * How much of a failed step's error is in the record, and so in the answer of `OnFailed.returnStoredFailure()`. The
   * execution that ran the step ends with all of it whatever this says.
   *
   * @default StoreError.all()
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/waiting-and-failures.md
   */
  readonly storeError?: StoreError;
  /**
   * The bucket for results that are too long for the record, or that the record cannot hold exactly.
   *
   * @default - with the execution that ran the step, for as long as Step Functions keeps it; a fragment keeps none
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/results.md
   */
  readonly results?: Results;
  /**
   * The destination of an event whose step has failed, or is in doubt. It gets the key, the attempt, the error and the
   * execution's ARN. It is sent at least once, after the record says how the step ended.
   *
   * @default - nowhere
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/waiting-and-failures.md
   */
  readonly onFailure?: FailureDestination;
  /**
   * What redrives an owner that has ended: a small function, or the state machine itself. Not for an Express workflow,
   * because Step Functions cannot redrive its executions.
   *
   * @default Redrive.byFunction()
   * @see https://github.com/onceflow/onceflow/blob/main/docs/decisions/0021-redrive-by-function.md
   */
  readonly redrive?: Redrive;
  /**
   * How often deliveries redrive one owner, from 1 to 100 times. If the owner ends again after that, deliveries end
   * with `Idempotency.RedrivesExhausted`, and an operator must decide. Redrives by an operator count as well. Not for
   * an Express workflow.
   *
   * @default 3
   * @see https://github.com/onceflow/onceflow/blob/main/docs/decisions/0026-bounded-redrives.md
   */
  readonly maxRedrives?: number;
}

/** The name of every option that all constructs have. */
export const IDEMPOTENCY_PROPS: Readonly<Record<keyof IdempotencyProps, true>> = {
  idempotencyKey: true,
  payload: true,
  keepPayload: true,
  stepInput: true,
  stepResult: true,
  retention: true,
  failedRetention: true,
  stepTimeout: true,
  retry: true,
  scope: true,
  formerStateMachines: true,
  onDuplicateInProgress: true,
  onFailedBefore: true,
  storeError: true,
  results: true,
  onFailure: true,
  redrive: true,
  maxRedrives: true,
};
