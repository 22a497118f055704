/**
 * The error names that the workflow itself ends an execution with. The business step's errors keep theirs.
 *
 * @example
 * ERROR.payloadMismatch // 'Idempotency.PayloadMismatch'
 */
export const ERROR = {
  /**
   * The event has no usable key, or no payload that can be hashed: an expression of the claim could not be evaluated.
   * Delivering it again will not help.
   */
  invalidEvent: 'Idempotency.InvalidEvent',
  /** The key is known with another payload: a sender reuses a key. Delivering it again will not help. */
  payloadMismatch: 'Idempotency.PayloadMismatch',
  /**
   * The key has a record of another workflow, which has the same scope on the same table: nothing was run or written.
   * Delivering it again will not help before one of the two has a scope of its own.
   */
  foreignRecord: 'Idempotency.ForeignRecord',
  /** Another execution owns the key and has not finished, or the record changed at every try. Deliver again later. */
  inProgress: 'Idempotency.InProgress',
  /**
   * The owner failed again after each redrive that it may have. Delivering again will not help before an operator has
   * redriven it, or released the key.
   */
  redrivesExhausted: 'Idempotency.RedrivesExhausted',
  /** This execution's claim was taken over before it could finalize: the record has another owner. */
  claimLost: 'Idempotency.ClaimLost',
  /**
   * At-most-once delivery: the business step was interrupted, and its effect is unknown. Delivering it again will not
   * help; a person frees the key.
   */
  inDoubt: 'Idempotency.InDoubt',
  /** The dispatcher could not start the workflow: the event is in its dead-letter queue, or back with its sender. */
  notStarted: 'Idempotency.NotStarted',
  /**
   * An Express workflow that a custom event bus waits for has not finished the key: its step has failed, or another
   * execution has the key. The bus delivers the event again.
   */
  notFinished: 'Idempotency.NotFinished',
  /** The stored result is in the owner's execution only, and that could not be read. */
  resultUnavailable: 'Idempotency.ResultUnavailable',
  /** Recovery has delivered an ended execution's input, or redriven it, as often as it may, or cannot read it. */
  recoveryGivenUp: 'Idempotency.RecoveryGivenUp',
  /** A person has stopped the execution, with this error, for good: recovery leaves it alone. */
  stopped: 'Idempotency.Stopped',
} as const;

/**
 * The error in a released record. Its cause tells who has released it.
 *
 * @example
 * error.Error === RELEASED
 */
export const RELEASED = 'Idempotency.Released';

/**
 * The error of a record that recovery has released: whole, as the record holds it. The same for every recovery, so that
 * a second one delivers what the first one was stopped before.
 */
export const RELEASED_BY_RECOVERY = JSON.stringify({ Error: RELEASED, Cause: 'by recovery' });

/**
 * Stands beside an event or record of a list in a dead-letter queue that cannot be read, or is too long: no delivery of
 * it could start an execution.
 */
export const MALFORMED_RECORD = 'Idempotency.MalformedRecord';

/**
 * The errors of a start that no other delivery of the event can change. A source that delivers again what fails stores
 * such events, and counts them as delivered. Each other error fails the delivery.
 */
export const CHANGED_BY_NO_DELIVERY = ['States.QueryEvaluationError', 'States.DataLimitExceeded'] as const;

/**
 * One of the workflow's own error names.
 *
 * @example
 * const name: ErrorName = ERROR.payloadMismatch;
 */
export type ErrorName = (typeof ERROR)[keyof typeof ERROR];

/**
 * Whether delivering the same event again may succeed; false for every name that is not the workflow's own.
 *
 * @example
 * isRetryable('Idempotency.InProgress') // true
 */
export function isRetryable(error: string): boolean {
  return RETRYABLE.has(error);
}

const RETRYABLE: ReadonlySet<string> = new Set([
  ERROR.inProgress,
  ERROR.claimLost,
  ERROR.notStarted,
  ERROR.notFinished,
  ERROR.resultUnavailable,
]);

/**
 * The errors by which an execution rejects an event for good, or says that the key is completed already. A source that
 * delivers again what fails counts such an event as delivered. Each other error can be another one next time.
 *
 * @example
 * FINAL_ERRORS.includes(ERROR.payloadMismatch) // true
 */
export const FINAL_ERRORS: readonly ErrorName[] = Object.values(ERROR).filter(
  error => !isRetryable(error) || error === ERROR.resultUnavailable,
);

/**
 * The errors of the Fail states before the business step. One of them may end an execution that owns a record without
 * knowing it, because the answer to its write was lost: a redrive would only lead to that state again.
 *
 * @example
 * GIVEN_UP_BEFORE_THE_STEP.includes(ERROR.invalidEvent) // true
 */
export const GIVEN_UP_BEFORE_THE_STEP: readonly ErrorName[] = [
  ERROR.invalidEvent,
  ERROR.payloadMismatch,
  ERROR.foreignRecord,
  ERROR.inProgress,
  ERROR.redrivesExhausted,
  ERROR.resultUnavailable,
];

/**
 * The errors that end a delivery of which recovery need not know: its event is answered, rejected for good, stopped for
 * good, or in the hands of another execution. Not among them: a result that is not available. An execution with this
 * error may own a record by now. Its claim was thought lost, and was carried out after the record that it had read was
 * gone.
 */
export const NOTHING_TO_RECOVER: readonly ErrorName[] = [
  ERROR.payloadMismatch,
  ERROR.foreignRecord,
  ERROR.inProgress,
  ERROR.redrivesExhausted,
  ERROR.claimLost,
  ERROR.inDoubt,
  ERROR.stopped,
];

/** The errors by which a fragment ends an execution of a team's machine: its event is answered, rejected, or owned. */
export const NOTHING_TO_RECOVER_IN_A_MACHINE: readonly ErrorName[] = Object.values(ERROR);

/** With these a delivery leaves its event to an execution that has the key, and that may have ended by now. */
export const LEFT_TO_THE_OWNER: readonly ErrorName[] = [ERROR.inProgress, ERROR.redrivesExhausted];

/**
 * Both names that Step Functions may have for an exception of a service, whose own name is given without `Exception`:
 * no recording shows which of them it uses.
 */
export function bothSpellings(name: string): readonly string[] {
  return [`${name}Exception`, name];
}
