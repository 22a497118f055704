import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';

/**
 * Lets a state machine start the executions of another one, and read what they were given, where a customer-managed
 * key encrypts them: StartExecution takes both permissions, questions about executions the first. Nothing where AWS
 * owns the key. A key that does not trust the policies of its account has to permit the role itself.
 */
export function grantCustomerKey(encrypted: StateMachine, grantee: StateMachine): void {
  const { encryptionConfiguration } = encrypted.node.defaultChild as CfnStateMachine;
  if (!encryptionConfiguration || !('kmsKeyId' in encryptionConfiguration)) return;
  const { kmsKeyId } = encryptionConfiguration;
  if (kmsKeyId === undefined) return;
  grantee.addToRolePolicy(
    new PolicyStatement({ actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: [kmsKeyId] }),
  );
}
