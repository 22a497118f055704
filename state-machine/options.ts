import { Duration } from 'aws-cdk-lib';
import type { RetryProps } from 'aws-cdk-lib/aws-stepfunctions';
import { describeValue } from './contract/describe-value';
import type { FailureDestination } from './failure-destination';
import type { KeepPayload } from './keep-payload';
import type { IdempotencyKey } from './key';
import type { Results } from './results';
import type { StateMachineReference } from './state-machine-names';
import type { StepInput } from './step-mapping';
import type { StoreError } from './store-error';
import { validateNames } from './validate-names';

/**
 * What a delivery does while another execution owns its key.
 *
 * @example
 * onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5))
 */
export class OnInProgress {
  /** Ends with `Idempotency.InProgress` at once: whoever delivered comes again later. */
  static fail(): OnInProgress {
    return new OnInProgress(undefined);
  }

  /**
   * Reads the record again, after delays that grow, until the owner has finished. From `total` on it waits no more,
   * and a record that is still in progress ends it with `Idempotency.InProgress`. What it does for a dead owner comes
   * on top: a takeover runs the step, and may wait for the owner's before. Each read costs four transitions of a
   * Standard workflow, six in a fragment that asks about an overdue owner; a wait of an hour costs 80 at most.
   *
   * @throws Error for less than a second, for more than a day, and for what is no Duration
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

/**
 * What a delivery does whose key has a record of a business step that failed.
 *
 * @example
 * onFailedBefore: OnFailed.returnStoredFailure()
 */
export class OnFailed {
  /** Runs the step again, as the next attempt. */
  static retry(): OnFailed {
    return new OnFailed(false, undefined);
  }

  /**
   * Ends with the error and cause of that failure, until the record's retention is over. With `errors` only if the
   * error has one of these names; after any other failure the step runs again, as the next attempt. A name is compared
   * as the step has thrown it: no `States.ALL`, no patterns.
   *
   * @throws Error for errors that are not 1 to 100 different names
   *
   * @example
   * onFailedBefore: OnFailed.returnStoredFailure({ errors: ['CardDeclined'] })
   */
  static returnStoredFailure(options: StoredFailureOptions = {}): OnFailed {
    validateNames('OnFailed.returnStoredFailure', options, { errors: true });
    if (options.errors !== undefined) requireNames(options.errors);
    return new OnFailed(true, options.errors);
  }

  private constructor(
    /** True where the stored failure is the answer. */
    readonly isReturned: boolean,
    /** The errors whose stored failure is; undefined: all. */
    readonly errors: readonly string[] | undefined,
  ) {}
}

/**
 * Options of {@link OnFailed.returnStoredFailure}.
 *
 * @example
 * onFailedBefore: OnFailed.returnStoredFailure({ errors: ['CardDeclined', 'CardExpired'] })
 */
export interface StoredFailureOptions {
  /**
   * The names of the errors that are an answer, as the step throws them: 1 to 100 of at most 256 characters.
   *
   * @default - all errors
   */
  readonly errors?: readonly string[];
}

const ERRORS_MAX = 100;
const ERROR_CHARACTERS_MAX = 256;
/** Names that a Catch understands as more than one error. */
const WILDCARDS = ['States.ALL', 'States.TaskFailed'];

function requireNames(errors: unknown): void {
  const isName = (name: unknown) =>
    typeof name === 'string' && name.length >= 1 && name.length <= ERROR_CHARACTERS_MAX;
  const isList = Array.isArray(errors) && errors.every(isName) && new Set(errors).size === errors.length;
  if (!isList || errors.length < 1 || errors.length > ERRORS_MAX) {
    throw new Error(
      `\`errors\` of \`OnFailed.returnStoredFailure\` must be 1 to ${ERRORS_MAX} different names of errors such as ` +
        `['CardDeclined'], each of at most ${ERROR_CHARACTERS_MAX} characters, got ${describeValue(errors)}`,
    );
  }
  const wildcard = WILDCARDS.find(name => errors.includes(name));
  if (wildcard === undefined) return;
  throw new Error(
    `\`errors\` of \`OnFailed.returnStoredFailure\` are compared by name, so '${wildcard}' does not stand for ` +
      'other errors. List the names, or leave `errors` out to return every stored failure',
  );
}

/**
 * Who redrives an owner that has died.
 *
 * @example
 * redrive: Redrive.byFunction()
 */
export class Redrive {
  /** A small function of this package, the only one that the workflow has beside the business step's. */
  static byFunction(): Redrive {
    return new Redrive(false);
  }

  /**
   * The state machine itself, by the integration `aws-sdk:sfn:redriveExecution`: no function is deployed. That AWS
   * takes it as a task follows from its rule for SDK integrations, and has not been seen. A machine that AWS refuses
   * does not deploy.
   */
  static direct(): Redrive {
    return new Redrive(true);
  }

  private constructor(
    /** True where no function is in between. */
    readonly isDirect: boolean,
  ) {}
}

/**
 * What happens after an unknown end of the business step: a timeout, a lost answer, an abort while it ran.
 *
 * `at-least-once` runs the step again, never two at once. `at-most-once` never does: the record is held (status `HELD`)
 * with the error `Idempotency.InDoubt`, which later deliveries end with, until an operator releases the key.
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
   * Whether the record keeps what was compared, so that a mismatch names the fields that differ, and somebody who looks
   * for it finds what was asked: `true`, `KeepPayload.all()`, or `KeepPayload.redacted` for a part or a form of it.
   * What has more than 10,000 characters as JSON is not kept, which the record says.
   *
   * @default false
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/keys-and-payloads.md
   */
  readonly keepPayload?: boolean | KeepPayload;
  /**
   * What the step is called with, so that its handler need not change: a JSONata expression in `{% %}` over the same
   * input, or an object with such expressions in it. `$idempotencyKey` and `$attempt` are those of a `StepEvent`, and
   * with `retry` `$retryCount` is. One that cannot be evaluated fails the step before it runs. A value stays exact as
   * it is handed on, a text or a boolean as well; a number by itself, to a function, must be one that 15 digits hold,
   * or a whole one up to 2^53 - 1. `$string` and `&` write numbers with 15 digits at most; of `$string` a warning tells
   * at synth.
   *
   * @default - a `StepEvent`: `{idempotencyKey, attempt, input}`
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/from-my-handler.md
   */
  readonly stepInput?: StepInput;
  /**
   * What of the step's answer is the result: a JSONata expression in `{% %}` over `$states.result`, which is what the
   * function has returned, or the output of the chain. Where it cannot be evaluated, or gives nothing, the whole answer
   * is the result: the step has run, and does not run again. `$string` and `&` round, as in `stepInput`.
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
   * For how long a task or chain may still be working after it has failed, because a branch was cut off or an answer
   * was lost. A failure is recorded only then, so that no later delivery starts the step beside it; zero says that
   * nothing works on. Also for functions that are defined elsewhere; others know their timeout.
   *
   * A chain whose work may go on after its states have ended (a job, a task token, an activity, another state machine,
   * a distributed Map, an operation that only starts something) has no default: it is refused at synth without.
   *
   * @default - for a Lambda function its own timeout, for anything else 15 minutes, the longest a function may run
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/business-step.md
   */
  readonly stepTimeout?: Duration;
  /**
   * Retries of a Lambda function within the same attempt: CDK's RetryProps, one or several. Their `errors` are those
   * that the function throws, or refusals of Lambda before it ran; errors that leave doubt whether it has ended are
   * refused at synth, `States.ALL` among them. The function is told the `retryCount`.
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
   * What happens while another execution, or another part of this one, owns the key. Where items of one Map may have
   * the same key, wait for longer than the step takes: one that fails would cut the others off.
   *
   * @default OnInProgress.fail()
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/waiting-and-failures.md
   */
  readonly onDuplicateInProgress?: OnInProgress;
  /**
   * What happens when the step has failed before under this key. Where a failure leads to compensation, return it: a
   * step that has been undone must not run again.
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
   * Where a result is kept that is too long for the record, or that it cannot hold exactly: in a bucket.
   *
   * @default - with the execution that ran the step, for as long as Step Functions keeps it; a fragment keeps none
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/results.md
   */
  readonly results?: Results;
  /**
   * Where an event is sent whose step has failed, or is in doubt, when the record says so: with the key, the attempt,
   * the error and the execution's ARN, at least once.
   *
   * @default - nowhere
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/waiting-and-failures.md
   */
  readonly onFailure?: FailureDestination;
  /**
   * Who redrives an owner that has died: a small function, or the state machine itself. Not for an Express workflow,
   * whose executions cannot be redriven.
   *
   * @default Redrive.byFunction()
   * @see https://github.com/onceflow/onceflow/blob/main/docs/decisions/0021-redrive-by-function.md
   */
  readonly redrive?: Redrive;
  /**
   * How often deliveries redrive one owner, from 1 to 100 times. One that dies again after that is left to a person:
   * deliveries end with `Idempotency.RedrivesExhausted`. Redrives by hand count as well. Not for an Express workflow.
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
