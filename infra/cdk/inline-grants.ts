import { AspectPriority, Aspects } from 'aws-cdk-lib';
import { CfnRole, type IRole, Policy } from 'aws-cdk-lib/aws-iam';

/**
 * Writes what a role is granted into the role itself. A policy beside it is one more of the 500 resources of a stack.
 *
 * A role that may use a KMS key keeps its policy: the policy of the key can name the role, and then the role must not
 * name the key.
 */
export function inlineGrants(role: IRole): void {
  // After the aspects that can still grant something, and after CDK has split a policy that is too long.
  const visit = (node: unknown) => node === role && inline(role);
  Aspects.of(role).add({ visit }, { priority: AspectPriority.READONLY - 1 });
}

function inline({ node }: IRole): void {
  const { defaultChild: resource } = node;
  const policy = node.tryFindChild('DefaultPolicy');
  if (!(resource instanceof CfnRole) || !(policy instanceof Policy)) return;
  const { document } = policy;
  if (/"kms:/.test(JSON.stringify(document.toJSON()))) return;
  resource.policies = [{ policyName: 'Grants', policyDocument: document }];
  policy.node.tryRemoveChild('Resource');
}
