import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { TaskInput, type TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { PASS_INPUT_ON } from '../settings';
import { SfnTask } from './sfn-task';

/** Settings of a {@link redriveExecution}. */
export interface RedriveExecutionProps {
  readonly comment: string;
  /** An expression: the execution that goes on where it stopped. */
  readonly executionArn: string;
  /** An expression, of 64 characters at most: callers that redrive one end with the same token redrive it once. */
  readonly clientToken: string;
  /** The function that redrives; undefined: the state machine does, by the direct integration. */
  readonly redriveFunction: IFunction | undefined;
  /** Variables that are set when it has been redriven. */
  readonly assign?: Readonly<Record<string, unknown>>;
}

/**
 * A Task that redrives an execution. It is not retried: if the request was rejected or not answered, the delivery
 * decides again on what it sees then. By a function it is the same request, its errors by their names in the API.
 */
export function redriveExecution(
  scope: Construct,
  id: string,
  { comment, executionArn, clientToken, redriveFunction, assign }: RedriveExecutionProps,
): TaskStateBase {
  const passing = { outputs: PASS_INPUT_ON, ...(assign && { assign }) };
  if (!redriveFunction) {
    const request = { ExecutionArn: executionArn, ClientToken: clientToken };
    return new SfnTask(scope, id, {
      comment,
      operation: 'redriveExecution',
      request,
      ...passing,
    });
  }
  return LambdaInvoke.jsonata(scope, id, {
    comment,
    lambdaFunction: redriveFunction,
    payload: TaskInput.fromObject({ executionArn, clientToken }),
    ...passing,
    retryOnServiceExceptions: false,
  });
}
