import { Parallel, Pass, type TaskStateJsonataBaseProps } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

/** One step of {@link evaluate}. */
export interface EvaluationStep extends Pick<TaskStateJsonataBaseProps, 'assign'> {
  /** The input of the next step. */
  readonly outputs: string | object;
}

/** Settings of {@link evaluate}. */
export interface EvaluationProps extends Pick<TaskStateJsonataBaseProps, 'assign' | 'outputs'> {
  readonly comment: string;
  /** Evaluated one after the other. Only the later steps see the variables of a step. */
  readonly steps: readonly EvaluationStep[];
}

/**
 * Evaluates expressions that can fail because of the input. You must add the catcher. A Parallel state can have one
 * and a Pass state cannot, therefore the steps are the only branch of a Parallel state. `$states.result[0]` is the
 * output of the last step.
 */
export function evaluate(scope: Construct, id: string, props: EvaluationProps): Parallel {
  const { comment, steps, ...carried } = props;
  const parallel = Parallel.jsonata(scope, id, { comment, ...carried });
  const passes = steps.map(({ outputs, assign }, index) =>
    Pass.jsonata(scope, `${id}: ${index + 1}`, { outputs: outputs as object, ...(assign && { assign }) }),
  );
  const [first, ...rest] = passes as [Pass, ...Pass[]];
  rest.reduce((before, next) => before.next(next) as unknown as Pass, first);
  return parallel.branch(first);
}
