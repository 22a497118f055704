import type { ExpressionResult } from '../../../packages/local/jsonata/jsonata';
import { TIMEOUT_PROBLEM } from '../../../packages/local/jsonata/limits';
import { EvaluationThreads } from '../../../packages/local/runtime/evaluation/evaluation-threads';
import type { Evaluator } from '../../../packages/local/runtime/evaluation/evaluator';
import type { EvaluationJob } from '../../../packages/local/runtime/evaluation/job';

/** What has taken its second so often, takes it on the service, too. */
const TRIES_MAX = 5;

/**
 * Evaluates in threads what is not to be had at once, and again what came too late: the second that an expression has
 * is one of a clock, and on a machine with other work a thread may stand still for longer. An exploration would take
 * that for something that happens to the workflow.
 */
export class PatientEvaluator implements Evaluator {
  readonly #threads: Evaluator;

  constructor(threads: Evaluator = new EvaluationThreads()) {
    this.#threads = threads;
  }

  evaluate(job: EvaluationJob, owner: object): Promise<ExpressionResult> {
    return this.#threads.evaluate(job, owner);
  }

  evaluateAndWait(job: EvaluationJob): ExpressionResult {
    let result = this.#threads.evaluateAndWait(job);
    for (let tries = 1; tries < TRIES_MAX && isLate(result); tries += 1)
      result = this.#threads.evaluateAndWait(job);
    return result;
  }
}

function isLate(result: ExpressionResult): boolean {
  return result.kind === 'failed' && result.problem.endsWith(TIMEOUT_PROBLEM);
}
