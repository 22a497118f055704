import type { IResource } from 'aws-cdk-lib/aws-apigateway';
import type { EventPattern, IEventBus } from 'aws-cdk-lib/aws-events';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { type ICustomEventBus, requireClassicBus } from '../../state-machine/options/event-buses';
import { describeValue } from '../../state-machine/words/describe-value';
import { validateNames } from '../../state-machine/words/validate-names';
import { withConstructPath } from '../cdk/with-construct-path';
import type { CustomEventBusFilter } from './custom-event-bus-filter';
import { CustomEventBusSource, type CustomEventBusSourceOptions } from './custom-event-bus-source';
import { EventBridgeSource, type EventBridgeSourceOptions } from './event-bridge-source';
import { HttpSource } from './http-source';
import type { HttpSourceOptions } from './http-source-options';
import { PipeSource, type PipeSourceOptions } from './pipe-source';
import { QueueSource, type QueueSourceOptions } from './queue-source';
import { type IScheduleExpression, ScheduleSource, type ScheduleSourceOptions } from './schedule-source';
import type { IRecordStream } from './stream-records';
import { TopicSource, type TopicSourceOptions } from './topic-source';
import { VOLATILE, validateKeep } from './volatile-members';
import type { IWorkflowSource } from './workflow-source';

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
   * @throws Error for a value that is not a classic bus, or not a pattern, and for an unknown option
   */
  eventBridge(
    eventBus: IEventBus,
    eventPattern: EventPattern,
    options: EventBridgeSourceOptions = {},
  ): IWorkflowSource {
    requireClassicBus('Source.eventBridge', eventBus, 'Use `Source.customEventBus`');
    withConstructPath(eventBus, () => validateRule(eventPattern, options));
    const { id = eventBus.node.id, keep = [] } = options;
    const volatile = VOLATILE.filter(name => !keep.includes(name));
    return new EventBridgeSource(id, { eventBus, eventPattern }, volatile);
  },

  /**
   * Every event of a custom event bus, `AWS::EventsV2::EventBus`, that matches the filter, by way of a subscriber that
   * the source creates. Publish the events with `PutEvents`. The bus delivers at least once; the workflow runs once.
   *
   * The execution's input is the event, in the form of a classic bus, without `id` and `time`. Events that could not be
   * started are delivered again for 24 hours. After that, a dead-letter queue contains their ids.
   *
   * @throws Error for a value that is not a custom event bus or a filter, and for an unknown option
   */
  customEventBus(
    eventBus: ICustomEventBus | string,
    filter: CustomEventBusFilter = {},
    options: CustomEventBusSourceOptions = {},
  ): IWorkflowSource {
    return new CustomEventBusSource(eventBus, filter, options);
  },

  /**
   * A schedule of EventBridge Scheduler: a `ScheduleExpression`, or a `Schedule` of EventBridge. It may fire twice for
   * one time: the scheduled time, `{% $states.input.time %}`, is the key.
   *
   * The execution's input is an event as a rule with a schedule has it, with `time` and an empty `detail`. What could
   * not be delivered or started is kept in two dead-letter queues for 14 days.
   *
   * `startFrom` rejects a value that is not a schedule, and an unknown option.
   */
  schedule(schedule: IScheduleExpression, options: ScheduleSourceOptions = {}): IWorkflowSource {
    return new ScheduleSource(schedule, options);
  },

  /**
   * Every message of an SQS queue: a body in JSON, or an EventBridge event without its `id`, `time` and `replay-name`.
   * A message stays in the queue until its key is finished, and the queue's redrive policy counts starts. The queue
   * must have a dead-letter queue, which gets the messages that fail for good.
   *
   * The queue's visibility timeout must be at least 30 seconds. For an Express workflow it must be at least five
   * seconds longer than the workflow's `timeout`. For a queue that another stack defines, set `visibilityTimeout` and
   * `maxReceiveCount`: otherwise they are not checked, with a warning at synthesis.
   *
   * @throws Error for a value that is not a queue, and for an unknown option
   */
  queue(queue: IQueue, options: QueueSourceOptions = {}): IWorkflowSource {
    return new QueueSource(queue, options);
  },
  /**
   * Requests of a method of a REST API of API Gateway. `resource` is a resource of your own API, or a path such as
   * 'payments', for which the source creates an API. Each request has a key, by default its header `Idempotency-Key`.
   * The caller gets the step's result, and for every duplicate the same answer. No Lambda function is used.
   *
   * The workflow's input is `{idempotencyKey, principal, path, body}`. Its `idempotencyKey` contains the caller, so the
   * workflow's own `idempotencyKey` is `{% $states.input.idempotencyKey %}` unless you set `input`. Not for an Express
   * workflow.
   *
   * @throws Error for a value that is neither a resource nor a path, and for an unknown option
   */
  http(resource: IResource | string, options: HttpSourceOptions = {}): HttpSource {
    return new HttpSource(resource, options);
  },

  /**
   * Every message of an SNS topic: its body, in JSON, is the execution's input. The source creates a queue with a
   * dead-letter queue, which works as the queue of `Source.queue`. Messages that SNS cannot deliver to the queue are
   * stored in another dead-letter queue. Both store messages for 14 days.
   *
   * @throws Error for a value that is not a topic, and for an unknown option
   */
  topic(topic: ITopic, options: TopicSourceOptions = {}): IWorkflowSource {
    return new TopicSource(topic, options);
  },

  /**
   * Every record of a Kinesis stream, a DynamoDB table or a Kafka topic, by way of an EventBridge pipe, in order of
   * their shard or partition. A record that cannot be read, or cannot be started for some minutes, is stored in a
   * dead-letter queue for 14 days, and does not block later records. For a record that the pipe cannot hand
   * over, a second dead-letter queue gets the record's position in the stream. For a Standard workflow.
   *
   * `startFrom` throws an error for a value that is not a record stream, an Express workflow, and an unknown option.
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
