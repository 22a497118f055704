import { Stack } from 'aws-cdk-lib';
import { SfnStateMachine, type SfnStateMachineProps } from 'aws-cdk-lib/aws-events-targets';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { inlineGrants } from './inline-grants';

/**
 * A role that a service assumes for resources of the stack's account only (`aws:SourceAccount`), and for those of one
 * type, such as `subscriber/*`, if it is given. Not for API Gateway, which does not say for whom it assumes the role of
 * an integration: each request would fail.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/cross-service-confused-deputy-prevention.html
 */
export function serviceRole(
  scope: Construct,
  id: string,
  service: 'events' | 'pipes' | 'scheduler',
  resources?: string,
): Role {
  const { account, partition, region } = Stack.of(scope);
  const conditions = {
    StringEquals: { 'aws:SourceAccount': account },
    ...(resources !== undefined && {
      ArnLike: { 'aws:SourceArn': `arn:${partition}:${service}:${region}:${account}:${resources}` },
    }),
  };
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal(`${service}.amazonaws.com`, { conditions }),
  });
  inlineGrants(role);
  return role;
}

/**
 * A state machine as the target of rules, which share one role.
 *
 * @param roleOf the state machine whose role starts this one as well
 */
export function rulesTarget(
  stateMachine: IStateMachine,
  props: Omit<SfnStateMachineProps, 'role'> = {},
  roleOf = stateMachine,
): SfnStateMachine {
  const known = roleOf.node.tryFindChild(ROLE_ID) as Role | undefined;
  return new SfnStateMachine(stateMachine, {
    ...props,
    role: known ?? serviceRole(roleOf, ROLE_ID, 'events'),
  });
}

/** CDK's own id for such a role. */
const ROLE_ID = 'EventsRole';
