import type { Json } from '../../json/json';
import type { Roots } from './path';
import { CHARACTERS_MAX } from './size';

/** Where chance comes from; an evaluation has none of its own. */
export interface Randomness {
  /** Uniform in [0, 1). */
  random(): number;
  /** A version 4 UUID. */
  uuid(): string;
}

/** What an evaluation sees. */
export interface Scope extends Roots {
  readonly randomness: Randomness;
}

/** Errors that evaluating a field of a JSONPath state may end with. */
export type EvaluationError = 'States.DataLimitExceeded' | 'States.ReferencePathConflict' | 'States.Runtime';

/**
 * A field without a value, as the state fails by it; of States.Runtime the cause is the part after "An error occurred
 * while ...".
 */
export interface Failed {
  readonly kind: 'failed';
  readonly error: EvaluationError;
  readonly cause: string;
}

/** A value, or the first failure in the order of evaluation. */
export type PathResult = { readonly kind: 'value'; readonly value: Json } | Failed;

/** The failure of a field whose path leads to nothing. */
export function notFound(path: string, field: string, input: Json): Failed {
  const cause =
    `The JSONPath '${path}' specified for the field '${field}' ` +
    `could not be found in the input '${JSON.stringify(input)}'`;
  return { kind: 'failed', error: 'States.Runtime', cause };
}

/** The failure of a field whose value would be far beyond what a state may hand on. */
export const TOO_LARGE: Failed = {
  kind: 'failed',
  error: 'States.DataLimitExceeded',
  cause: `A field has a value of more than ${CHARACTERS_MAX} characters.`,
};
