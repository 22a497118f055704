/** The codes a definition can be rejected with. All except the last are the service's own. */
export type ProblemCode =
  | 'INVALID_JSON_DESCRIPTION'
  | 'SCHEMA_VALIDATION_FAILED'
  | 'MISSING_TRANSITION_TARGET'
  | 'MISSING_END_STATE'
  | 'INVALID_STATE_NAME'
  | 'DUPLICATE_STATE_NAME'
  | 'INVALID_JSONATA_EXPRESSION'
  | 'UNSUPPORTED_JSONATA_EXPRESSION'
  | 'RESERVED_VARIABLE_NAME'
  | 'INVALID_VARIABLE_NAME'
  /** Legal on the service, but not built here. */
  | 'NOT_SUPPORTED_LOCALLY';

/** One reason why a definition is rejected. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  /** Path of the field (`/States/A/Next`), or null where the service names none. */
  readonly location: string | null;
  /** What the service does not say: what is wrong within the field. No answer of the API has it. */
  readonly hint?: string;
}

/** Collects what is wrong with a definition, so that one look shows all of it. */
export class Problems {
  readonly #found: Problem[] = [];
  readonly #unsupported: Problem[] = [];

  /** What the service would reject; where it would not, what this engine does not run. */
  get found(): readonly Problem[] {
    return this.#found.length > 0 ? this.#found : this.#unsupported;
  }

  /** What the service would reject. */
  get rejected(): readonly Problem[] {
    return this.#found;
  }

  add(code: ProblemCode, message: string, location: string | null, hint?: string): void {
    this.#found.push({ code, message, location, ...(hint !== undefined && { hint }) });
  }

  /** The commonest kind: a field that does not fit the schema of its object. */
  schema(message: string, location: string | null, hint?: string): void {
    this.add('SCHEMA_VALIDATION_FAILED', message, location, hint);
  }

  /** Something the service takes, by name: "Distributed Map". */
  unsupported(subject: string, location: string): void {
    const message = `${subject} is not supported by the local engine yet`;
    this.#unsupported.push({ code: 'NOT_SUPPORTED_LOCALLY', message, location });
  }
}

/** One entry of ValidateStateMachineDefinition's answer; `location` is absent where the service names none. */
export interface Diagnostic {
  /** Also for what the service takes and only this engine does not run: no machine can be created with it. */
  readonly severity: 'ERROR';
  readonly code: ProblemCode;
  readonly message: string;
  readonly location?: string;
}

/**
 * The problems as ValidateStateMachineDefinition returns them: the message of the JSON parser repeats the location.
 */
export function diagnosticsOf(problems: readonly Problem[]): readonly Diagnostic[] {
  return problems.map(({ code, message, location }) => ({
    severity: 'ERROR',
    code,
    message: code === 'INVALID_JSON_DESCRIPTION' ? `${message}\n at ${location}` : message,
    ...(location === null ? {} : { location }),
  }));
}

/** The problems in one line, in the wording of the service's `InvalidDefinition`. */
export function describeProblems(problems: readonly Problem[]): string {
  const parts = problems.map(({ code, message, location }) => `${code}: ${message} at ${location}`);
  return `Invalid State Machine Definition: '${parts.join(', ')}'`;
}
