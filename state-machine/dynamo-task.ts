import { Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { QueryLanguage, TaskStateBase, type TaskStateJsonataBaseProps } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

/** The optimized DynamoDB operations the workflow uses, and the IAM action of each. */
const IAM_ACTION = { putItem: 'PutItem', updateItem: 'UpdateItem', getItem: 'GetItem' } as const;

/** Settings of a {@link DynamoTask}. */
export interface DynamoTaskProps extends TaskStateJsonataBaseProps {
  readonly operation: keyof typeof IAM_ACTION;
  readonly table: ITable;
  /** The operation's request without `TableName`; expressions in `{% %}` at any place. */
  readonly request: object;
}

/**
 * A Task state that calls one DynamoDB operation on one table, without a Lambda.
 *
 * CDK's own tasks take an item attribute by attribute and no expression that yields a whole attribute value; the
 * finalizing write needs one. The policy allows this operation on this table.
 */
export class DynamoTask extends TaskStateBase {
  protected readonly taskMetrics = undefined;
  protected readonly taskPolicies: PolicyStatement[];
  private readonly props: DynamoTaskProps;

  constructor(scope: Construct, id: string, props: DynamoTaskProps) {
    super(scope, id, { ...props, queryLanguage: QueryLanguage.JSONATA });
    this.props = props;
    this.taskPolicies = [
      new PolicyStatement({
        actions: [`dynamodb:${IAM_ACTION[props.operation]}`],
        resources: [props.table.tableArn],
      }),
    ];
  }

  /** @internal */
  protected _renderTask(): object {
    return {
      Resource: `arn:${Stack.of(this).partition}:states:::dynamodb:${this.props.operation}`,
      Arguments: { TableName: this.props.table.tableName, ...this.props.request },
    };
  }
}
