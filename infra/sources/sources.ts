import type { IResource } from 'aws-cdk-lib/aws-apigateway';
import type { EventPattern, IEventBus } from 'aws-cdk-lib/aws-events';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { describeValue } from '../../state-machine/contract/describe-value';
import { validateNames } from '../../state-machine/validate-names';
import { withConstructPath } from '../cdk/with-construct-path';
import { EventBridgeSource, type EventBridgeSourceOptions } from './event-bridge-source';
import { HttpSource } from './http-source';
import type { HttpSourceOptions } from './http-source-options';
import { PipeSource, type PipeSourceOptions } from './pipe-source';
import { QueueSource, type QueueSourceOptions } from './queue-source';
import { type IScheduleExpression, ScheduleSource, type ScheduleSourceOptions } from './schedule-source';
import { type IWorkflowSource, VOLATILE, validateKeep } from './source';
import type { IRecordStream } from './stream-records';
import { TopicSource, type TopicSourceOptions } from './topic-source';

/**
 * The sources of executions, for {@link IdempotentWorkflow.startFrom}.
 *
 * @example
 * workflow.startFrom(Source.eventBridge(bus, { source: ['shop.orders'] }));
 * workflow.startFrom(Source.queue(queue));
 */
export const Source = {
  /**
   * Every event of the bus that matches the pattern. EventBridge delivers at least once; the workflow runs once.
   *
   * The execution's input is the event without `id` and `time`, which differ when one event is sent twice, and without
   * `replay-name`, which a replay adds. Events that could not be delivered or started are kept in two dead-letter
   * queues for 14 days.
   *
   * @throws Error for what is no bus and no pattern, and for an option that there is not
   */
  eventBridge(
    eventBus: IEventBus,
    eventPattern: EventPattern,
    options: EventBridgeSourceOptions = {},
  ): IWorkflowSource {
    if (typeof eventBus?.eventBusArn !== 'string') {
      throw new Error(`\`Source.eventBridge\` takes an event bus, got ${describeValue(eventBus)}`);
    }
    withConstructPath(eventBus, () => validateRule(eventPattern, options));
    const { keep = [] } = options;
    const volatile = VOLATILE.filter(name => !keep.includes(name));
    return new EventBridgeSource(options.id ?? eventBus.node.id, { eventBus, eventPattern }, volatile);
  },

  /**
   * A schedule of EventBridge Scheduler: a `ScheduleExpression`, or a `Schedule` of EventBridge. It may fire twice for
   * one time: the scheduled time, `{% $states.input.time %}`, is the key.
   *
   * The execution's input is an event as a rule with a schedule has it, with `time` and an empty `detail`. With
   * `firedBy: 'rule'` it is such a rule, and the input its event without `id`. What could not be delivered or started
   * is kept in two dead-letter queues for 14 days.
   *
   * `startFrom` refuses what is no schedule, and an option that there is not.
   */
  schedule(schedule: IScheduleExpression, options: ScheduleSourceOptions = {}): IWorkflowSource {
    return new ScheduleSource(schedule, options);
  },

  /**
   * Every message of an SQS queue: a body in JSON, or an EventBridge event, of which `id`, `time` and `replay-name` are
   * left out. A message stays until its key is finished: its redrive policy counts starts, and what fails for good is
   * in its dead-letter queue, which it must have.
   *
   * The queue's visibility timeout must be 30 seconds or longer, for an Express workflow longer than its `timeout` by
   * five seconds. Of a queue that is defined elsewhere say its `visibilityTimeout` and `maxReceiveCount`: what is not
   * known is not checked, and warned of at synth.
   *
   * @throws Error for what is no queue, and for an option that there is not
   */
  queue(queue: IQueue, options: QueueSourceOptions = {}): IWorkflowSource {
    return new QueueSource(queue, options);
  },
  /**
   * Requests of a method of a REST API of API Gateway: `resource` is a resource of an API of the app's own, or a path
   * such as 'payments', for which an API is made. Each request has a key (by default its header `Idempotency-Key`) and
   * gets its step's result; every duplicate of it, the same answer. No Lambda function takes part.
   *
   * The workflow's input is `{idempotencyKey, principal, path, body}`, of which the key has the caller in it: its own
   * `idempotencyKey` is `{% $states.input.idempotencyKey %}`, unless `input` says otherwise. Not for an Express
   * workflow.
   *
   * @throws Error for what is no resource and no path, and for an option that there is not
   */
  http(resource: IResource | string, options: HttpSourceOptions = {}): HttpSource {
    return new HttpSource(resource, options);
  },

  /**
   * Every message of an SNS topic: its body, in JSON, is the execution's input. It comes by a queue of the source's
   * own, with a dead-letter queue, which works as that of `Source.queue`; what SNS cannot deliver to the queue is
   * kept in another. Both keep messages for 14 days.
   *
   * @throws Error for what is no topic, and for an option that there is not
   */
  topic(topic: ITopic, options: TopicSourceOptions = {}): IWorkflowSource {
    return new TopicSource(topic, options);
  },

  /**
   * Every record of a Kinesis stream, a DynamoDB table or a Kafka topic, by way of an EventBridge pipe, in order of
   * their shard or partition. A record that cannot be read, or not started for some minutes, is kept in a dead-letter
   * queue for 14 days, and blocks none behind it; of a record that the pipe could not even hand over another one has
   * the place in the stream. For a Standard workflow.
   *
   * `startFrom` refuses what is no record stream, an Express workflow, and an option that there is not.
   */
  pipe(stream: IRecordStream, options: PipeSourceOptions = {}): IWorkflowSource {
    return new PipeSource(stream, options);
  },
} as const;

function validateRule(eventPattern: EventPattern, options: EventBridgeSourceOptions): void {
  if (typeof eventPattern !== 'object' || eventPattern === null) {
    const example = "{ source: ['shop.orders'] }";
    throw new Error(
      `\`Source.eventBridge\` takes an event pattern such as ${example}, got ${describeValue(eventPattern)}`,
    );
  }
  // EventBridge knows null, and CloudFormation has no way to write it.
  if (hasNull(eventPattern)) {
    throw new Error(
      '`Source.eventBridge` takes an event pattern without null, because CloudFormation rejects null in a template. Use ' +
        "`{ exists: false }` for a missing member; `{ 'anything-but': [...] }` also matches null",
    );
  }
  validateNames('Source.eventBridge', options, { id: true, keep: true });
  const { keep = [] } = options;
  validateKeep(keep);
}

function hasNull(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.values(value).some(hasNull));
}
