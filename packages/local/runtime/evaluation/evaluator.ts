import type { ExpressionResult } from '../../jsonata/jsonata';
import type { EvaluationJob } from './job';

/** Evaluates what the runtime's own thread does not answer at once. */
export interface Evaluator {
  /**
   * Evaluates elsewhere, within a second once it has begun; `owner` is whoever it is for. Those who have had the least
   * time so far come first.
   */
  evaluate(job: EvaluationJob, owner: object): Promise<ExpressionResult>;
  /** The same at once, while nothing else happens. */
  evaluateAndWait(job: EvaluationJob): ExpressionResult;
}
