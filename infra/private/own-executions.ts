import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Delivery } from '../../state-machine/options';
import { acknowledge, FINDING, written } from './acknowledge';

/** What decides which questions a workflow asks about its executions, and who redrives them. */
export interface OwnExecutions {
  readonly delivery: Delivery | undefined;
  /** The function that redrives; undefined: the state machine itself does. */
  readonly redriving: IFunction | undefined;
}

/**
 * Lets a workflow ask about its own executions and redrive them, and no others.
 *
 * The policies are their own: in the role's default policy, which the state machine depends on, naming the state
 * machine would be a circular dependency.
 */
export function grantOwnExecutions(
  scope: Construct,
  stateMachine: StateMachine,
  { delivery, redriving }: OwnExecutions,
): void {
  const resources = [
    Stack.of(scope).formatArn({
      service: 'states',
      resource: 'execution',
      resourceName: `${stateMachine.stateMachineName}:*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  ];
  const questions = [
    'states:DescribeExecution',
    ...(delivery === 'at-most-once' ? ['states:GetExecutionHistory'] : []),
  ];
  const redrive = 'states:RedriveExecution';
  const asking = new Policy(scope, 'OwnExecutions', {
    roles: [stateMachine.role],
    statements: [
      new PolicyStatement({ actions: redriving ? questions : [...questions, redrive], resources }),
    ],
  });
  const all = FINDING.wildcard(written(scope, resources.join()));
  acknowledge(asking, all, REASON);
  if (!redriving?.role) return;
  const bringingBack = new Policy(scope, 'RedriveOwnExecutions', {
    roles: [redriving.role],
    statements: [new PolicyStatement({ actions: [redrive], resources })],
  });
  acknowledge(bringingBack, all, REASON);
}

const REASON = 'all executions of this one state machine: any of them may be an owner that died';
