/** The error names that the workflow itself ends an execution with. The business step's errors keep theirs. */
export const ERROR = {
  /** The key expression gave nothing usable: the event names no order. Delivering it again will not help. */
  missingKey: 'Idempotency.MissingKey',
  /** The payload expression gave nothing, or a document that cannot be hashed. Delivering it again will not help. */
  invalidPayload: 'Idempotency.InvalidPayload',
  /** The key is known with another payload: somebody reuses a key. Delivering it again will not help. */
  payloadMismatch: 'Idempotency.PayloadMismatch',
  /**
   * The key has a record of another workflow, which has the same scope on the same table: nothing was run or written.
   * Delivering it again will not help before one of the two has a scope of its own.
   */
  foreignRecord: 'Idempotency.ForeignRecord',
  /** Another execution owns the key and has not finished. Deliver again later. */
  inProgress: 'Idempotency.InProgress',
  /** The claim did not settle: the record changed at every try, or a limit of the service. Deliver again later. */
  claimContended: 'Idempotency.ClaimContended',
  /**
   * DynamoDB refused a request before the business step for a quarter of an hour, by the name that it gives to a
   * missing permission. Deliver again when that is mended.
   */
  tableRefused: 'Idempotency.TableRefused',
  /**
   * The owner died again after each redrive that deliveries may make of it. Delivering again will not help before a
   * person has redriven it, or freed the key.
   */
  redrivesExhausted: 'Idempotency.RedrivesExhausted',
  /** This execution's claim was taken over before it could finalize: the record has another owner. */
  claimLost: 'Idempotency.ClaimLost',
  /**
   * At-most-once delivery: the business step was cut off, and nobody knows what it did. Delivering it again will not
   * help; a person frees the key.
   */
  inDoubt: 'Idempotency.InDoubt',
  /** The dispatcher could not start the workflow: the event is in its dead-letter queue, or back with its sender. */
  notStarted: 'Idempotency.NotStarted',
  /** The stored result is in the owner's execution only, and that could not be read. */
  resultUnavailable: 'Idempotency.ResultUnavailable',
  /** Recovery has delivered a dead execution's input, or redriven it, as often as it may, or cannot read it. */
  recoveryGivenUp: 'Idempotency.RecoveryGivenUp',
  /** A person has stopped the execution, with this error, for good: recovery leaves it alone. */
  stopped: 'Idempotency.Stopped',
} as const;

/** The error in a record that a person has released. To the workflow it is a failure like any other. */
export const RELEASED = 'Idempotency.Released';

/** Stands beside a record of a stream in a dead-letter queue that is no JSON: no execution has ended with it. */
export const MALFORMED_RECORD = 'Idempotency.MalformedRecord';

/** One of the workflow's own error names. */
export type ErrorName = (typeof ERROR)[keyof typeof ERROR];

/** Whether delivering the same event again may succeed; false for every name that is not the workflow's own. */
export function isRetryable(error: string): boolean {
  return RETRYABLE.has(error);
}

const RETRYABLE: ReadonlySet<string> = new Set([
  ERROR.inProgress,
  ERROR.claimContended,
  ERROR.tableRefused,
  ERROR.claimLost,
  ERROR.resultUnavailable,
]);

/**
 * The errors of the Fail states before the business step. One of them may end an execution that owns a record without
 * knowing it, its write's answer lost: a redrive would only bring it to that state again.
 */
export const GIVEN_UP_BEFORE_THE_STEP: readonly ErrorName[] = [
  ERROR.claimContended,
  ERROR.tableRefused,
  ERROR.missingKey,
  ERROR.invalidPayload,
  ERROR.payloadMismatch,
  ERROR.foreignRecord,
  ERROR.inProgress,
  ERROR.redrivesExhausted,
  ERROR.resultUnavailable,
];

/**
 * The errors that end a delivery of which recovery need not know: its event is answered, refused for good, stopped for
 * good, or in the hands of another execution. Not among them: a result that is not available. Whoever says so may own
 * a record by now, by a claim that was thought lost and made when the record that it had read was gone.
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

/**
 * The errors by which a fragment ends an execution of a team's machine for a reason that passes by itself: what it was
 * to do is open, and no step has run.
 */
export const OPEN_IN_A_MACHINE: readonly ErrorName[] = [ERROR.claimContended, ERROR.tableRefused];

/** The other errors that it ends one with: its event is answered, refused for good, or in the hands of another one. */
export const SETTLED_IN_A_MACHINE: readonly ErrorName[] = Object.values(ERROR).filter(
  error => !OPEN_IN_A_MACHINE.includes(error),
);

/** With these a delivery leaves its event to an execution that has the key, and that may be dead by now. */
export const LEFT_TO_THE_OWNER: readonly ErrorName[] = [ERROR.inProgress, ERROR.redrivesExhausted];

/**
 * The errors that refuse an event for good, and yet may end the owner of a record: its claim was made, and then the
 * service met one of its limits again and again.
 */
export const REFUSED_BY_EVALUATION: readonly ErrorName[] = [ERROR.missingKey, ERROR.invalidPayload];

/**
 * Both names that Step Functions may have for an exception of a service, which is given without `Exception`: nobody has
 * recorded which of them it uses.
 */
export function bothSpellings(name: string): readonly string[] {
  return [`${name}Exception`, name];
}
