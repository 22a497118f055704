import { Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { QueryLanguage, TaskStateBase, type TaskStateJsonataBaseProps } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

/** Settings of a {@link ServiceTask}. */
export interface ServiceTaskProps extends TaskStateJsonataBaseProps {
  /** The called action: `dynamodb:putItem`, `aws-sdk:sfn:startExecution`. */
  readonly integration: string;
  /** The operation's request: an object with expressions in `{% %}` at any place, or one expression. */
  readonly request: object | string;
  /** What the state machine's role needs for the call. @default - nothing: another part of the workflow grants it */
  readonly policies?: PolicyStatement[];
}

/** A Task state in JSONata that calls one operation of a service, without a Lambda. */
export class ServiceTask extends TaskStateBase {
  protected readonly taskMetrics = undefined;
  protected readonly taskPolicies: PolicyStatement[];

  constructor(
    scope: Construct,
    id: string,
    private readonly props: ServiceTaskProps,
  ) {
    super(scope, id, { ...props, queryLanguage: QueryLanguage.JSONATA });
    this.taskPolicies = props.policies ?? [];
  }

  /** @internal */
  protected _renderTask(): object {
    const { integration, request } = this.props;
    return { Resource: `arn:${Stack.of(this).partition}:states:::${integration}`, Arguments: request };
  }
}
