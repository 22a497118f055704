import { Parallel, Pass, type TaskStateJsonataBaseProps } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

/** One step of {@link evaluate}. */
export interface EvaluationStep extends Pick<TaskStateJsonataBaseProps, 'assign'> {
  /** What the next step has as its input. */
  readonly outputs: string | object;
}

/** Settings of {@link evaluate}. */
export interface EvaluationProps extends Pick<TaskStateJsonataBaseProps, 'assign' | 'outputs'> {
  readonly comment: string;
  /** What is evaluated, one after the other; variables of a step are known to the steps behind it only. */
  readonly steps: readonly EvaluationStep[];
}

/**
 * Evaluates what may fail because of what a caller has sent. The caller of this function adds the catcher: a Parallel
 * state can have one and a Pass state cannot, hence the one branch. `$states.result[0]` is what its last step has put
 * out.
 */
export function evaluate(scope: Construct, id: string, props: EvaluationProps): Parallel {
  const { comment, steps, ...carried } = props;
  const parallel = Parallel.jsonata(scope, id, { comment, ...carried });
  const passes = steps.map(({ outputs, assign }, place) =>
    Pass.jsonata(scope, `${id}: ${place + 1}`, { outputs: outputs as object, ...(assign && { assign }) }),
  );
  const [first, ...rest] = passes as [Pass, ...Pass[]];
  rest.reduce((before, next) => before.next(next) as unknown as Pass, first);
  return parallel.branch(first);
}
