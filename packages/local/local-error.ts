/**
 * Why a local stack could not be started, or could not do what it was asked for.
 *
 * @example
 * if (error instanceof LocalError && error.code === 'PortUnavailable') console.error(error.message);
 */
export type LocalErrorCode =
  /** The cloud assembly cannot be read or resolved. */
  | 'InvalidAssembly'
  /** A state machine uses what the local runtime does not know. */
  | 'InvalidDefinition'
  /** A rule's pattern or target cannot work. */
  | 'InvalidRule'
  /** An event names a bus that is not there, or a target does not take it. */
  | 'InvalidRequest'
  /** Nothing can listen on the port that was asked for. */
  | 'PortUnavailable'
  /** The state directory cannot be used. */
  | 'StateUnavailable'
  /** An external DynamoDB does not answer, or rejects a table. */
  | 'DynamoDbUnavailable';

/**
 * A local stack that cannot be started, or cannot do what it is asked for: every problem found, and what to do.
 *
 * @example
 * if (error instanceof LocalError) console.error(error.message);
 */
export class LocalError extends Error {
  override readonly name = 'LocalError';
  readonly code: LocalErrorCode;
  readonly problems: readonly string[];

  constructor(code: LocalErrorCode, problems: readonly string[]) {
    super([FIRST_LINES[code], ...problems].join('\n  '));
    this.code = code;
    this.problems = problems;
  }
}

/** What a state directory lacks, or has in another form than it was written in, and what to do. */
export function damagedDirectory(root: string, problems: readonly string[]): LocalError {
  return new LocalError('StateUnavailable', [
    `the state in ${root} is damaged:`,
    ...problems,
    'move the directory away and start with a new one, or put a copy from before in its place',
  ]);
}

/** What went wrong, in words. */
const FIRST_LINES: { readonly [Code in LocalErrorCode]: string } = {
  InvalidAssembly: 'what is given cannot be run here',
  InvalidDefinition: 'a state machine cannot be run here',
  InvalidRule: 'a rule of an event bus cannot work',
  InvalidRequest: 'this cannot be done',
  PortUnavailable: 'the port cannot be used',
  StateUnavailable: 'the state directory cannot be used',
  DynamoDbUnavailable: 'the DynamoDB at this endpoint cannot be used',
};
