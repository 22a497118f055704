import type { TransitionContext } from '../engine/index';
import {
  type EvaluationContext,
  type ExpressionResult,
  evaluateAtOnce,
  type Variables,
  variablesIn,
} from '../language/index';
import type { Evaluator } from '../runtime/evaluation/evaluator';
import { type Ids, seededIds } from '../runtime/ids';

/** What a transition of the replay draws on: another seed or time shows what depends on it. */
export class ReplayContext implements TransitionContext, EvaluationContext {
  readonly now: number;
  /** Each state is compared before the next one is entered. */
  readonly pausesFirst: boolean;
  readonly #seed: string;
  readonly #ids: Ids;
  readonly #evaluator: Evaluator;
  readonly rejectionOf: NonNullable<TransitionContext['rejectionOf']>;

  /** `rejectionOf`: why parameters make no call. */
  constructor(
    {
      now,
      seed,
      pausesFirst,
    }: { readonly now: number; readonly seed: string; readonly pausesFirst: boolean },
    evaluator: Evaluator,
    rejectionOf: NonNullable<TransitionContext['rejectionOf']>,
  ) {
    this.now = now;
    this.pausesFirst = pausesFirst;
    this.#seed = seed;
    this.#ids = seededIds(seed);
    this.#evaluator = evaluator;
    this.rejectionOf = rejectionOf;
  }

  isTimeUp(): boolean {
    return true;
  }

  random(): number {
    return this.#ids.random();
  }

  uuid(): string {
    return this.#ids.uuid();
  }

  evaluate(source: string, seen: Variables): ExpressionResult {
    const { states, variables } = seen;
    const result = evaluateAtOnce(source, { states, variables, evaluationContext: this });
    if (result) return result;
    const only = variablesIn(source, variables);
    return this.#evaluator.evaluateAndWait({
      source,
      states,
      variables: only,
      now: this.now,
      seed: this.#seed,
    });
  }
}
