import { ArnFormat, Stack } from 'aws-cdk-lib';
import { type Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { namesOfStateMachines, type StateMachineReference } from '../../state-machine/state-machine-names';
import { acknowledge, FINDING, written } from './acknowledge';
import { attachPolicy } from './attach-policy';

/** What decides which questions a workflow asks about its executions, and who redrives them. */
export interface OwnExecutions {
  /** The function that redrives its executions; undefined: none does. */
  readonly redriving: IFunction | undefined;
  /** Whether the state machine redrives its executions itself. @default false */
  readonly redrivesItself?: boolean;
  /** The state machine that recovers its executions, and that it starts; undefined: it starts none. */
  readonly recovery?: StateMachine | undefined;
  /** The state machines that the workflow has had before: what they have left is its own. */
  readonly formerStateMachines?: readonly StateMachineReference[] | undefined;
}

/** The ARNs, as patterns, of all executions of a state machine, and of those that the workflow has had before. */
export function executionArns(
  stateMachine: StateMachine,
  formerStateMachines: readonly StateMachineReference[] | undefined,
): readonly string[] {
  const names = [stateMachine.stateMachineName, ...namesOfStateMachines(formerStateMachines)];
  return names.map(name =>
    Stack.of(stateMachine).formatArn({
      service: 'states',
      resource: 'execution',
      resourceName: `${name}:*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  );
}

/** Lets a workflow ask about its own executions, and those of its former state machines, and redrive them; no others. */
export function grantOwnExecutions(
  scope: Construct,
  stateMachine: StateMachine,
  { recovery, redriving, redrivesItself = false, formerStateMachines }: OwnExecutions,
): void {
  const resources = [...executionArns(stateMachine, formerStateMachines)];
  const question = 'states:DescribeExecution';
  const redrive = 'states:RedriveExecution';
  const asking = attachPolicy(scope, 'OwnExecutions', stateMachine.role, [
    new PolicyStatement({ actions: redrivesItself ? [question, redrive] : [question], resources }),
    ...(recovery
      ? [new PolicyStatement({ actions: ['states:StartExecution'], resources: [recovery.stateMachineArn] })]
      : []),
  ]);
  const acknowledgeAll = (policy: Policy) => {
    for (const one of resources) acknowledge(policy, FINDING.wildcard(written(scope, one)), WILDCARD_REASON);
  };
  acknowledgeAll(asking);
  if (!redriving?.role) return;
  const redriveStatement = new PolicyStatement({ actions: [redrive], resources });
  acknowledgeAll(attachPolicy(scope, 'RedriveOwnExecutions', redriving.role, [redriveStatement]));
}

/** Why a role may name all executions of a workflow. */
export const WILDCARD_REASON =
  'all executions of the one state machine: any of them might be an owner that ended';
