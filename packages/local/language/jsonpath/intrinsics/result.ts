import type { Json } from '../../../json/json';
import type { Randomness } from '../evaluation';

/** The value of a function, or what it says of arguments that it does not take. */
export type Result =
  | { readonly kind: 'value'; readonly value: Json }
  /** `problem` stands for the plain "Invalid arguments in States.X" where the service says more. */
  | { readonly kind: 'invalid'; readonly problem?: string };

/** An intrinsic function; it gets as many arguments as it takes. */
export type IntrinsicFunction = (values: readonly Json[], randomness: Randomness) => Result;

export function resultOf(value: Json): Result {
  return { kind: 'value', value };
}

/** Arguments that the function does not take. */
export const INVALID: Result = { kind: 'invalid' };
