import { Token } from 'aws-cdk-lib';
import { FilterOrPolicy, type ITopic, type SubscriptionFilter } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { requireUnchanged } from '../../state-machine/template/require-unchanged';
import { describeValue } from '../../state-machine/words/describe-value';
import { validateNames } from '../../state-machine/words/validate-names';
import { permitTopics } from '../cdk/customer-key';
import { requireOwn } from '../cdk/resource-bounds';
import { withConstructPath } from '../cdk/with-construct-path';
import { DeadLetterQueue } from '../nested/dead-letter-queue';
import { countOf, isRecord, isRecordOf, type Kind, validateKinds } from '../validation/kinds';
import { startFromOwnQueue } from './own-queue';
import type { QueueSourceOptions } from './queue-source';
import { RECEIVES_MIN } from './validate-queue';
import type { IStartableWorkflow, IWorkflowSource } from './workflow-source';

/**
 * Settings of `Source.topic`. Those of its queue are as for `Source.queue`.
 *
 * @example
 * Source.topic(topic, { filterPolicy: { shop: SubscriptionFilter.stringFilter({ allowlist: ['DE'] }) } })
 */
export interface TopicSourceOptions
  extends Pick<
    QueueSourceOptions,
    'id' | 'batchSize' | 'maxConcurrency' | 'keep' | 'input' | 'deleteWhen' | 'checkAfter'
  > {
  /** Which messages start the workflow, by their attributes. @default - all */
  readonly filterPolicy?: Readonly<Record<string, SubscriptionFilter>>;
  /** The same, by their bodies: instead of `filterPolicy`. Not run locally. @default - all */
  readonly filterPolicyWithMessageBody?: Readonly<Record<string, FilterOrPolicy>>;
  /** How often a message is started before it is in the dead-letter queue, from 3 on. @default 5 */
  readonly maxReceiveCount?: number;
}

const OPTIONS: Readonly<Record<keyof TopicSourceOptions, true>> = {
  id: true,
  batchSize: true,
  maxConcurrency: true,
  keep: true,
  input: true,
  deleteWhen: true,
  checkAfter: true,
  filterPolicy: true,
  filterPolicyWithMessageBody: true,
  maxReceiveCount: true,
};

/** A `SubscriptionFilter`, or what a file has of one. */
const hasConditions = (one: unknown) =>
  isRecord(one) && Array.isArray((one as Partial<SubscriptionFilter>).conditions);
const FILTERS: Readonly<Record<'filterPolicy' | 'filterPolicyWithMessageBody', Kind>> = {
  filterPolicy: [
    value => isRecordOf(value, hasConditions),
    "an object such as { shop: SubscriptionFilter.stringFilter({ allowlist: ['DE'] }) }",
  ],
  filterPolicyWithMessageBody: [
    value => isRecordOf(value, one => one instanceof FilterOrPolicy),
    'an object such as { shop: FilterOrPolicy.filter(filter) }',
  ],
};

/**
 * Starts the workflow for every message of an SNS topic, by way of a queue of the source's own: SNS starts no state
 * machine. The delivery is raw, so that a message is what its publisher wrote, and the same each time.
 *
 * @example
 * workflow.startFrom(Source.topic(topic));
 */
export class TopicSource implements IWorkflowSource {
  readonly id: string;

  /** @throws Error for a value that is not a topic, and for an unknown option */
  constructor(
    private readonly topic: ITopic,
    private readonly options: TopicSourceOptions,
  ) {
    if (typeof topic?.topicArn !== 'string') {
      throw new Error(`\`Source.topic\` takes an SNS topic, got ${describeValue(topic)}`);
    }
    withConstructPath(topic, () => validateNames('Source.topic', options, OPTIONS));
    const { id = topic.node.id } = options;
    this.id = id;
  }

  bind(scope: Construct, workflow: IStartableWorkflow): void {
    requireOwn('Source.topic', this.topic, this.topic.topicArn, scope);
    validateKinds(this.options, FILTERS);
    const { id: _id, filterPolicy, filterPolicyWithMessageBody, ...ofQueue } = this.options;
    if (filterPolicy && filterPolicyWithMessageBody) {
      throw new Error(
        '`filterPolicy` and `filterPolicyWithMessageBody` cannot be combined, because SNS filters a subscription either by ' +
          'attributes or by bodies. Leave one of them out',
      );
    }
    const isResumed = workflow.outcomes !== undefined && ofQueue.deleteWhen !== 'started';
    requireReceives(ofQueue.maxReceiveCount, isResumed);
    // The messages of a FIFO topic have their groups along.
    const { fifo } = this.topic;
    requireUnchanged(this.topic, { 'AWS::SNS::Topic': ['FifoTopic'] }, fifo, 'Set `fifo` of the Topic');
    const queue = startFromOwnQueue(scope, workflow, { ...ofQueue, fifo, envelope: 'topic' });
    permitTopics(scope, this.topic);
    this.topic.addSubscription(
      new SqsSubscription(queue, {
        rawMessageDelivery: true,
        deadLetterQueue: new DeadLetterQueue(scope, 'NotDelivered', { fifo }),
        ...(filterPolicy && { filterPolicy: { ...filterPolicy } }),
        ...(filterPolicyWithMessageBody && {
          filterPolicyWithMessageBody: { ...filterPolicyWithMessageBody },
        }),
      }),
    );
  }
}

/** The most that SQS accepts. */
const RECEIVES_MAX = 1000;

function requireReceives(count: number | undefined, isResumed: boolean): void {
  const [isEnough, words] = countOf(isResumed ? RECEIVES_MIN : 1, RECEIVES_MAX);
  if (count === undefined || Token.isUnresolved(count) || isEnough(count)) return;
  const reason = isResumed ? ', because resuming a failed execution uses two more receives' : '';
  throw new Error(
    `\`maxReceiveCount\` of \`Source.topic\` must be ${words}, got ${describeValue(count)}${reason}`,
  );
}
