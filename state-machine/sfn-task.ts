import { Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { QueryLanguage, TaskStateBase, type TaskStateJsonataBaseProps } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

/** Settings of an {@link SfnTask}. */
export interface SfnTaskProps extends TaskStateJsonataBaseProps {
  readonly operation: 'describeExecution' | 'redriveExecution' | 'getExecutionHistory';
  /** The operation's request: an object with expressions in `{% %}` at any place, or one expression. */
  readonly request: object | string;
}

/**
 * A Task state that asks Step Functions about an execution of this very workflow, without a Lambda.
 *
 * The policy is the workflow's to give: here, where the state machine is not known yet, it could only name all
 * executions.
 */
export class SfnTask extends TaskStateBase {
  protected readonly taskMetrics = undefined;
  protected readonly taskPolicies: PolicyStatement[] = [];
  private readonly props: SfnTaskProps;

  constructor(scope: Construct, id: string, props: SfnTaskProps) {
    super(scope, id, { ...props, queryLanguage: QueryLanguage.JSONATA });
    this.props = props;
  }

  /** @internal */
  protected _renderTask(): object {
    return {
      Resource: `arn:${Stack.of(this).partition}:states:::aws-sdk:sfn:${this.props.operation}`,
      Arguments: this.props.request,
    };
  }
}
