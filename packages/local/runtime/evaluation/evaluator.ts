import type { ExpressionResult } from '../../language/index';
import type { MappingJob, MappingResult } from '../../vtl/mapping';
import type { EvaluationJob } from './job';

/** Evaluates what the runtime's own thread does not answer at once. */
export interface Evaluator {
  /**
   * Evaluates elsewhere, within a second once it has begun; `owner` is the execution that it is for. Those who have had
   * the least time so far come first. When `abort` fires, the evaluation fails at once. If it has not begun, it never
   * does.
   */
  evaluate(job: EvaluationJob, owner: object, abort?: AbortSignal): Promise<ExpressionResult>;
  /** The same at once, while nothing else happens. */
  evaluateAndWait(job: EvaluationJob): ExpressionResult;
}

/** Evaluates mapping templates that the thread of all requests does not answer at once. */
export interface MappingEvaluator {
  /** As `Evaluator.evaluate`; never rejects because of a wrong template. */
  evaluateMapping(job: MappingJob, owner: object): Promise<MappingResult>;
}
