/** The facts of a failure besides its message. */
export interface FailureFacts {
  /** The AWS operation that failed; absent where none was called. */
  readonly operation?: string;
  /** The execution it was about, if there was one: it may have been started, and continues. */
  readonly executionArn?: string;
  /** What AWS, its SDK or the workflow said. */
  readonly cause?: unknown;
}

/**
 * `startOnce` cannot say what happened to the key: wrong options, or a call of AWS that failed after the SDK's retries.
 *
 * The message says what to check, and never holds the input; `cause` is the SDK's own error. An execution may have been
 * started all the same, so call again with the same key: that is what the key is for.
 *
 * @example
 * if (error instanceof StartOnceError) retryLater(error.message);
 */
export class StartOnceError extends Error {
  override readonly name: string = 'StartOnceError';
  readonly operation: string | undefined;
  readonly executionArn: string | undefined;

  constructor(message: string, { operation, executionArn, cause }: FailureFacts = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.operation = operation;
    this.executionArn = executionArn;
  }
}

/**
 * The value names no order: nothing was called, nothing started. Calling again will not help.
 *
 * @example
 * if (error instanceof MissingKeyError) return reject('the order has no ID');
 */
export class MissingKeyError extends StartOnceError {
  override readonly name = 'MissingKeyError';
}

/**
 * The key was used before with another payload, however that delivery ended: the step was not run. Calling again
 * will not help; find out who reuses keys. `executionArn` is the execution that was rejected, `cause` what it says.
 *
 * @example
 * if (error instanceof PayloadMismatchError) return reject('the order was placed with another amount');
 */
export class PayloadMismatchError extends StartOnceError {
  override readonly name = 'PayloadMismatchError';
  /** The key as it was given. */
  readonly key: unknown;

  constructor(key: unknown, keyText: string, facts: FailureFacts) {
    super(`the idempotency key ${JSON.stringify(keyText)} was used before with another payload`, facts);
    this.key = key;
  }
}
