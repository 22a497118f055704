import type { Construct } from 'constructs';
import { ServiceTask, type ServiceTaskProps } from './service-task';

/** Settings of an {@link SfnTask}. */
export interface SfnTaskProps extends Omit<ServiceTaskProps, 'integration' | 'policies'> {
  readonly operation:
    | 'describeExecution'
    | 'redriveExecution'
    | 'getExecutionHistory'
    | 'listExecutions'
    | 'startExecution';
}

/**
 * A Task state that calls one operation of Step Functions on the workflow or its executions, without a Lambda.
 *
 * The policy is the workflow's to give: here, where the state machine is not known yet, it could only name all
 * executions.
 */
export class SfnTask extends ServiceTask {
  constructor(scope: Construct, id: string, { operation, ...props }: SfnTaskProps) {
    super(scope, id, { ...props, integration: `aws-sdk:sfn:${operation}` });
  }
}
