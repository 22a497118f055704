/** The names Step Functions rejects a request with. */
export type StatesErrorName =
  | 'ActivityDoesNotExist'
  | 'ConflictException'
  | 'ExecutionAlreadyExists'
  | 'ExecutionDoesNotExist'
  | 'ExecutionLimitExceeded'
  | 'ExecutionNotRedrivable'
  | 'InvalidArn'
  | 'InvalidDefinition'
  | 'InvalidExecutionInput'
  | 'InvalidLoggingConfiguration'
  | 'InvalidName'
  | 'InvalidOutput'
  | 'InvalidToken'
  | 'MissingRequiredParameter'
  | 'ResourceNotFound'
  | 'StateMachineAlreadyExists'
  | 'StateMachineDoesNotExist'
  | 'StateMachineTypeNotSupported'
  | 'TaskDoesNotExist'
  | 'TaskTimedOut'
  | 'TooManyTags'
  | 'ValidationException';

/**
 * A request that Step Functions rejects: name and message are the service's own.
 *
 * @example
 * if (error instanceof StatesError) console.error(error.message);
 */
export class StatesError extends Error {
  override readonly name: StatesErrorName;
  /** Distinguishes a rejection from a fault where the class is not at hand. */
  readonly isRejection = true;

  constructor(name: StatesErrorName, message: string) {
    super(message);
    this.name = name;
  }
}

/** The rejection of one value that breaks a constraint of the service's model. */
export function constraintError(value: string | undefined, field: string, rule: string): StatesError {
  const subject = value === undefined ? 'Value' : `Value '${value}'`;
  const failure = `${subject} at '${field}' failed to satisfy constraint: Member must ${rule}`;
  return new StatesError('ValidationException', `1 validation error detected: ${failure}`);
}

/** What had to be kept, and was rejected by the disk: nothing of it is there. */
export class StateNotWritten extends Error {
  override readonly name = 'StateNotWritten';

  constructor(cause: unknown) {
    // A database's own error may be of another realm.
    const { message = String(cause) } = (cause ?? {}) as { readonly message?: string };
    super(`the state directory cannot be written: ${message}`, { cause });
  }
}
