import { Duration, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { requireOwnKey } from '../../state-machine/tasks/send-policies';
import { queueEncryption } from '../cdk/customer-key';
import { DeadLetterQueue } from '../nested/dead-letter-queue';
import type { EnvelopeName } from './envelope/envelopes';
import { ownVisibility, QueueSource, type QueueSourceOptions } from './queue-source';
import type { IStartableWorkflow } from './workflow-source';

/** Settings of {@link startFromOwnQueue}. */
export interface OwnQueueOptions
  extends Pick<
    QueueSourceOptions,
    'batchSize' | 'maxConcurrency' | 'keep' | 'input' | 'deleteWhen' | 'checkAfter'
  > {
  /** Whether the messages have groups. @default false */
  readonly fifo?: boolean;
  /** The form of its messages. @default - that of any queue */
  readonly envelope?: EnvelopeName;
  /** How often a message is started before it is in the dead-letter queue. @default 5 */
  readonly maxReceiveCount?: number;
}

const RECEIVES = 5;

/**
 * Starts the workflow from a queue that the source creates: it delivers a message again until its key is finished.
 * Returns the queue for senders, without its KMS key. With the key, CDK would let them use it for any sender of the
 * service. Or CDK would let only this sender use it, which may be encrypted with the key itself. The policy of the key
 * permits the service. The rules of the account may send: a policy for one rule would be there only after the rule, and
 * its first events would be rejected.
 */
export function startFromOwnQueue(
  scope: Construct,
  workflow: IStartableWorkflow,
  { fifo = false, maxReceiveCount = RECEIVES, envelope, ...options }: OwnQueueOptions = {},
): Queue {
  const queue = new Queue(scope, 'Messages', {
    ...(fifo && { fifo }),
    ...queueEncryption(scope),
    enforceSSL: true,
    visibilityTimeout: ownVisibility(scope, workflow),
    retentionPeriod: Duration.days(7),
    // SQS counts its 14 days from when a message was published.
    deadLetterQueue: { queue: new DeadLetterQueue(scope, 'NotFinished', { fifo }), maxReceiveCount },
  });
  // What senders are given has no key to compare.
  requireOwnKey(queue);
  new QueueSource(queue, options, envelope).bind(scope, workflow);
  const permitRules = (grantee: IGrantable) => {
    const { account, partition, region } = Stack.of(scope);
    queue.addToResourcePolicy(
      new PolicyStatement({
        actions: ['sqs:SendMessage'],
        resources: [queue.queueArn],
        principals: [new ServicePrincipal('events.amazonaws.com')],
        conditions: {
          StringEquals: { 'aws:SourceAccount': account },
          ArnLike: { 'aws:SourceArn': `arn:${partition}:events:${region}:${account}:rule/*` },
        },
      }),
    );
    return Grant.drop(grantee, 'the policy of the queue permits it');
  };
  return Object.create(queue, {
    encryptionMasterKey: { value: undefined },
    grantSendMessages: { value: permitRules },
  });
}
