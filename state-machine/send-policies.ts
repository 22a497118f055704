import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

/**
 * What a role needs to send messages to a queue: the permission for the queue and, if a key of the customer encrypts
 * the queue, for the key as far as SQS uses it.
 */
export function sendPolicies({ queueArn, encryptionMasterKey: key, env }: IQueue): PolicyStatement[] {
  const send = new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] });
  if (!key) return [send];
  const useKey = new PolicyStatement({
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: [key.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': `sqs.${env.region}.${Aws.URL_SUFFIX}` } },
  });
  return [send, useKey];
}
