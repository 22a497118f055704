import { ArnFormat, Stack } from 'aws-cdk-lib';
import { CfnRole, type Conditions, type IRole, Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import {
  namesOfStateMachines,
  type StateMachineReference,
} from '../../state-machine/template/state-machine-names';
import { acknowledge, FINDING, written } from './acknowledge';

/** What some roles may do with executions, or with state machines. */
export interface ExecutionGrant {
  readonly roles: readonly IRole[];
  readonly actions: readonly string[];
  /** The ARNs of executions or state machines, or `*`. */
  readonly resources: readonly string[];
  readonly conditions?: Conditions;
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

/**
 * Grants what names executions or state machines. It cannot be granted by the role itself: the state machine refers to
 * its role, and this would refer to the state machine.
 *
 * Several roles share one policy, because each policy is one of the 500 resources of a stack. A condition of each
 * statement has the roles that it is for. A role of another app has a policy of its own, because its ARN can have a
 * path that this app does not know.
 *
 * The role decides what becomes of the policy: a role that may not be changed (`mutable: false`,
 * `withoutPolicyUpdates`) gets none, and with `Role.customizeRoles` the report has it instead of the template.
 */
export function grantExecutions(scope: Construct, id: string, grants: readonly ExecutionGrant[]): void {
  const roles = [...new Set(grants.flatMap(grant => grant.roles))];
  const isOfTheApp = (role: IRole) => role.node.defaultChild instanceof CfnRole;
  grantTogether(scope, id, roles.filter(isOfTheApp), grants);
  for (const [at, role] of roles.filter(one => !isOfTheApp(one)).entries()) {
    grantTogether(scope, `${id}OfRole${at + 1}`, [role], grants);
  }
}

function grantTogether(
  scope: Construct,
  id: string,
  roles: readonly IRole[],
  grants: readonly ExecutionGrant[],
): void {
  const statements = grants.flatMap(({ roles: granted, actions, resources, conditions }) => {
    const those = roles.filter(role => granted.includes(role));
    if (those.length === 0) return [];
    const principals = { ArnEquals: { 'aws:PrincipalArn': those.map(one => one.roleArn) } };
    return new PolicyStatement({
      actions: [...actions],
      resources: [...resources],
      conditions: { ...conditions, ...(those.length < roles.length && principals) },
    });
  });
  if (statements.length === 0) return;
  const policy = new Policy(scope, id, { statements });
  for (const role of roles) role.attachInlinePolicy(policy);
  for (const resource of new Set(statements.flatMap(one => one.resources))) {
    if (!resource.endsWith('*')) continue;
    const reason = resource === '*' ? 'PutMetricData knows no resource' : WILDCARD_REASON;
    acknowledge(policy, FINDING.wildcard(written(scope, resource)), reason);
  }
}

/** Why a role may name all executions of a workflow. */
export const WILDCARD_REASON =
  'all executions of the one state machine: any of them might be an owner that ended';
