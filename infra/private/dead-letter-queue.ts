import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge, FINDING } from './acknowledge';

/** A queue for what could not be processed: encrypted, over TLS only, kept for as long as SQS keeps anything. */
export function deadLetterQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  acknowledge(queue, FINDING.noDeadLetterQueue, 'it is itself the place for what could not be processed');
  return queue;
}
