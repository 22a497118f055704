import { type IRole, Policy, type PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * Gives a role statements that name what depends on the role, such as its own state machine. In the role's default
 * policy, on which the state machine depends, they would be a circular dependency.
 *
 * The role decides what becomes of them: a role that may not be changed (`mutable: false`, `withoutPolicyUpdates`) gets
 * no policy, and with `Role.customizeRoles` they are in the report instead of the template.
 */
export function attachPolicy(
  scope: Construct,
  id: string,
  role: IRole,
  statements: PolicyStatement[],
): Policy {
  const policy = new Policy(scope, id, { statements });
  role.attachInlinePolicy(policy);
  return policy;
}
