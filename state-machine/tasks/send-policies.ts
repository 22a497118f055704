import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { requireUnchanged } from '../template/require-unchanged';

/**
 * What a role needs to send messages to a queue: the permission for the queue and, if a key of the customer encrypts
 * the queue, for the key as far as SQS uses it.
 */
export function sendPolicies(queue: IQueue): PolicyStatement[] {
  const { queueArn, encryptionMasterKey: key, env } = queue;
  requireOwnKey(queue);
  const send = new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] });
  if (!key) return [send];
  const useKey = new PolicyStatement({
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: [key.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': `sqs.${env.region}.${Aws.URL_SUFFIX}` } },
  });
  return [send, useKey];
}

/** Ends the synthesis if the template gives a queue another key than its construct has: no role could use that. */
export function requireOwnKey(queue: IQueue): void {
  const remedy =
    'Set `encryptionMasterKey` of the queue, or `encryptionKey` of the workflow if the queue is its own';
  const property = { 'AWS::SQS::Queue': ['KmsMasterKeyId'] };
  requireUnchanged(queue, property, queue.encryptionMasterKey?.keyArn, remedy);
}
