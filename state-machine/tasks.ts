import { Duration, Stack, Token } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  JitterType,
  QueryLanguage,
  TaskStateBase,
  type TaskStateJsonataBaseProps,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { CONDITION_FAILED, EVALUATION_FAILED } from './settings';

/** The optimized DynamoDB operations the workflow uses, and the IAM action of each. */
const IAM_ACTION = { putItem: 'PutItem', updateItem: 'UpdateItem', getItem: 'GetItem' } as const;

/** Settings of a {@link DynamoTask}. */
export interface DynamoTaskProps extends TaskStateJsonataBaseProps {
  readonly operation: keyof typeof IAM_ACTION;
  readonly table: ITable;
  /** What stands before the key in each record that the operation is for. */
  readonly recordScope: string;
  /** The operation's request without `TableName`; expressions in `{% %}` at any place. */
  readonly request: object;
}

/**
 * A Task state that calls one DynamoDB operation on one table, without a Lambda.
 *
 * CDK's own tasks take an item attribute by attribute and no expression that yields a whole attribute value; the
 * finalizing write needs one. The policy allows this operation on this table, for keys of this scope.
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
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keysOf(props.recordScope)] } },
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

/** The pattern of a scope's partition keys. What means something in a pattern of IAM is written as what it is. */
function keysOf(recordScope: string): string {
  const text = Token.isUnresolved(recordScope) ? recordScope : recordScope.replace(/[*?$]/g, '${$&}');
  return `${text}#*`;
}

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

/**
 * Retries a read or a claiming write for some minutes: throttling, lost answers, a short outage.
 *
 * The error `answer` (by default a refused condition) and a failed evaluation are answers, not faults; they go to the
 * catchers at once. A write that was done although its answer was lost is admitted again by its own condition.
 */
export function retryForMinutes(task: TaskStateBase, answer: string = CONDITION_FAILED): void {
  task.addRetry({ errors: [answer, EVALUATION_FAILED], maxAttempts: 0 });
  retryFaults(task);
}

/**
 * Retries the read of an owner's output: for some minutes after faults, for ten seconds while an owner that has
 * finished does not look so yet (its output is undefined, and the evaluation fails), not at all if it is too long.
 */
export function retryUntilVisible(task: TaskStateBase): void {
  task.addRetry({ errors: ['States.DataLimitExceeded'], maxAttempts: 0 });
  task.addRetry({
    errors: [EVALUATION_FAILED],
    interval: Duration.seconds(2),
    maxAttempts: 5,
    backoffRate: 1,
  });
  retryFaults(task);
}

/**
 * Retries a finalizing write for hours: the work is done, and only the record does not say so yet.
 *
 * After the last attempt the error is caught by nobody: the execution fails in this very state, where a redrive goes
 * on with the business result that Step Functions has kept.
 */
export function retryForHours(task: TaskStateBase): void {
  task.addRetry({ errors: [CONDITION_FAILED], maxAttempts: 0 });
  task.addRetry({ errors: [EVALUATION_FAILED], maxAttempts: 3 });
  task.addRetry({
    interval: Duration.seconds(1),
    backoffRate: 2,
    maxAttempts: 200,
    maxDelay: Duration.minutes(5),
    jitterStrategy: JitterType.FULL,
  });
}

// With full jitter each delay is on average half of its bound: about three and a half minutes in all.
function retryFaults(task: TaskStateBase): void {
  task.addRetry({
    interval: Duration.seconds(1),
    backoffRate: 2,
    maxAttempts: 12,
    maxDelay: Duration.minutes(1),
    jitterStrategy: JitterType.FULL,
  });
}
