import { Duration } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { queueEncryption } from '../cdk/customer-key';
import { DeadLetterQueue } from '../nested/dead-letter-queue';
import { advisedVisibility, batchTimeout, QueueSource, type QueueSourceOptions } from './queue-source';
import type { IStartableWorkflow } from './source';

/** Settings of {@link startFromOwnQueue}. */
export interface OwnQueueOptions
  extends Pick<QueueSourceOptions, 'batchSize' | 'maxConcurrency' | 'keep' | 'deleteWhen' | 'checkAfter'> {
  /** Whether the messages have groups. @default false */
  readonly fifo?: boolean;
  /** How often a message is started before it is in the dead-letter queue. @default 5 */
  readonly maxReceiveCount?: number;
}

const RECEIVES = 5;

/**
 * Starts the workflow from a queue that the source has for itself: what is in it comes again until its key is finished.
 * Returns what senders are given: the queue without its KMS key. CDK would let them use the key for any sender of the
 * service, or for this one only, which may be encrypted with the key itself; the key's policy permits the service.
 */
export function startFromOwnQueue(
  scope: Construct,
  workflow: IStartableWorkflow,
  { fifo = false, maxReceiveCount = RECEIVES, ...options }: OwnQueueOptions = {},
): Queue {
  const queue = new Queue(scope, 'Messages', {
    ...(fifo && { fifo }),
    ...queueEncryption(scope),
    enforceSSL: true,
    visibilityTimeout: advisedVisibility(batchTimeout(workflow)),
    retentionPeriod: Duration.days(7),
    // SQS counts its 14 days from when a message was published.
    deadLetterQueue: { queue: new DeadLetterQueue(scope, 'NotFinished', { fifo }), maxReceiveCount },
  });
  new QueueSource(queue, options).bind(scope, workflow);
  const grantSendMessages = (grantee: IGrantable) =>
    Grant.addToPrincipalOrResource({
      grantee,
      actions: ['sqs:SendMessage'],
      resourceArns: [queue.queueArn],
      resource: queue,
    });
  return Object.create(queue, {
    encryptionMasterKey: { value: undefined },
    grantSendMessages: { value: grantSendMessages },
  });
}
