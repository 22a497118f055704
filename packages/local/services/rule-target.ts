/** A target that did not take an event, with the code that EventBridge has for it. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly code: string;
  /** Whether the same may go well later. */
  readonly isRetriable: boolean;

  constructor(code: string, message: string, isRetriable: boolean) {
    super(message);
    this.code = code;
    this.isRetriable = isRetriable;
  }
}

/** What takes the events of rules for the resources of a service. */
export interface RuleTarget {
  /**
   * Hands input to the resource with this ARN, and resolves to what it answered. The input is JSON, or a transformer's
   * plain text. With `waitSeconds` it resolves to the end of the execution, if that succeeds within this time.
   *
   * @throws TargetError when the resource does not take it
   */
  deliver(targetArn: string, input: string, waitSeconds?: number): Promise<unknown>;
  /**
   * Settles when the work has ended that a delivery with this answer has started; undefined if the work outlives the
   * process.
   */
  whenEnded?(answer: unknown): Promise<unknown> | undefined;
}

/** The rejection of a target that is not there. */
export function noResource(message: string): TargetError {
  return new TargetError('NO_RESOURCE', message, false);
}
