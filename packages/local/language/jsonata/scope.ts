import type { JsonObject } from '../../json/json';

/** What an evaluation takes from outside; it uses no clock and no randomness of its own. */
export interface EvaluationContext {
  /** Epoch milliseconds: what `$now()` and `$millis()` return. */
  readonly now: number;
  /** Uniform in [0, 1). */
  random(): number;
  /** A version 4 UUID. */
  uuid(): string;
}

/** The variables that an expression sees. */
export interface Variables {
  /** `$states`. */
  readonly states: JsonObject;
  /** All others, by their names. */
  readonly variables: JsonObject;
}

/** What an expression sees: variables, and the functions that draw on the evaluation context. */
export interface Scope extends Variables {
  readonly evaluationContext: EvaluationContext;
}
