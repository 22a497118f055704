import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnStateMachine, type IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';

/**
 * Lets somebody start, redrive and read the executions of a state machine that a customer-managed key encrypts: a start
 * takes both permissions, a question the first. Nothing where AWS owns the key, or the state machine is defined
 * elsewhere. A key that does not trust the policies of its account has to permit the role itself.
 */
export function grantCustomerKey(encrypted: IStateMachine, { grantPrincipal }: IGrantable): void {
  const resource = encrypted.node.defaultChild;
  if (!(resource instanceof CfnStateMachine)) return;
  const { encryptionConfiguration } = resource;
  if (!encryptionConfiguration || !('kmsKeyId' in encryptionConfiguration)) return;
  const { kmsKeyId } = encryptionConfiguration;
  if (kmsKeyId === undefined) return;
  grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: [kmsKeyId] }),
  );
}
