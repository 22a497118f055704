import { Duration, type Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { CfnEventBus as CfnCustomBus } from 'aws-cdk-lib/aws-eventsv2';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  FailureDestination,
  IdempotentFragment,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  type IWorkflowSource,
  Monitoring,
  RecordStream,
  RecordTable,
  Recovery,
  Source,
} from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

/** What JavaScript may give. */
const given = (value: unknown) => value as never;

function workflow(stack: Stack, props: Partial<IdempotentWorkflowProps> = {}): IdempotentWorkflow {
  const idempotencyKey = '{% $states.input.detail.id %}';
  return new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack), ...props });
}

const imported = (stack: Stack) =>
  Queue.fromQueueArn(stack, 'Queue', 'arn:aws:sqs:us-east-1:111111111111:orders');
/** A workflow that a schedule starts. */
const scheduled = (stack: Stack, source: IWorkflowSource) =>
  workflow(stack, { idempotencyKey: '{% $states.input.time %}' }).startFrom(source);
const bus = (stack: Stack) => new EventBus(stack, 'Bus');
const customBus = (stack: Stack) => new CfnCustomBus(stack, 'Bus', { name: 'orders' });
const CUSTOM_BUS_ARN = 'arn:aws:events:eu-west-1:111111111111:event-busv2/orders/1a2b3c4d5e6f7g8h9i0j1k2l3';
const CUSTOM_BUS_REJECTED =
  '`Source.eventBridge` takes a classic event bus, AWS::Events::EventBus, got a custom event bus, ' +
  'AWS::EventsV2::EventBus. Use `Source.customEventBus`';
const PATTERN = { source: ['shop'] };

type Rejected = [string, (stack: Stack) => unknown, string];

function rejects(cases: readonly Rejected[]): void {
  test.each(cases)('%s: rejected with the remedy', (_, define, message) => {
    expect(() => define(newStack())).toThrow(message);
  });
}

describe('options that there are not', () => {
  rejects([
    [
      'of Source.queue',
      stack => Source.queue(imported(stack), given({ deletewhen: 'started', bachSize: 3 })),
      'Test/Queue: Source.queue has no option `deletewhen`. Did you mean `deleteWhen`?',
    ],
    [
      'of Source.eventBridge',
      stack => Source.eventBridge(bus(stack), PATTERN, given({ kepp: [] })),
      'Test/Bus: Source.eventBridge has no option `kepp`. Did you mean `keep`?',
    ],
    [
      'of Source.schedule',
      stack =>
        scheduled(stack, Source.schedule(given({ expressionString: 'rate(1 hour)' }), given({ name: 'x' }))),
      'Test/Pay: Source.schedule has no option `name`. Its options are flexibleWindow, id, timeZone',
    ],
    [
      'of Recovery.automatic',
      stack => workflow(stack, { recovery: Recovery.automatic(given({ every: Duration.hours(1) })) }),
      'Test/Pay: Recovery.automatic has no option `every`. Its options are redeliverFailed, searchEvery',
    ],
    [
      'of RecordStream.kafka',
      () =>
        RecordStream.kafka(given({ bootstrapServers: ['broker:9092'], topic: 'orders', topics: ['orders'] })),
      'RecordStream.kafka has no option `topics`. Did you mean `topic`?',
    ],
    [
      'of a RecordTable',
      stack => new RecordTable(stack, 'Records', given({ tabelName: 'records' })),
      'Test/Records: RecordTable has no option `tabelName`. Did you mean `tableName`?',
    ],
  ]);
});

describe('what is not an object of options', () => {
  rejects([
    [
      'a Duration for Recovery.automatic',
      stack => workflow(stack, { recovery: Recovery.automatic(given(Duration.minutes(5))) }),
      'Test/Pay: the options of Recovery.automatic must be an object with redeliverFailed, searchEvery, got Duration',
    ],
    [
      'null for Source.queue',
      stack => Source.queue(imported(stack), given(null)),
      'Test/Queue: the options of Source.queue must be an object with batchSize, ',
    ],
    [
      'null for a FailureDestination',
      stack => workflow(stack, { onFailure: FailureDestination.eventBus(bus(stack), given(null)) }),
      'Test/Pay: the options of FailureDestination must be an object with rejections, got null',
    ],
    ...[
      'logs',
      'metrics',
      'removalPolicy',
      'role',
      'scope',
      'stateMachineName',
      'table',
      'tracingEnabled',
    ].map(
      (option): Rejected => [
        `null for \`${option}\` of a workflow`,
        stack => workflow(stack, given({ [option]: null })),
        `Test/Pay: \`${option}\` must not be null. Leave it out for its default`,
      ],
    ),
    [
      'null for `table` of a fragment',
      stack => new IdempotentFragment(stack, 'Pay', given({ step: someFunction(stack), table: null })),
      'Test/Pay: `table` must not be null. Leave it out for its default',
    ],
    [
      'nothing for an IdempotentWorkflow',
      stack => new IdempotentWorkflow(stack, 'Pay', given(undefined)),
      'Test/Pay: the options of IdempotentWorkflow must be an object with ',
    ],
    [
      'nothing for an IdempotentFragment',
      stack => new IdempotentFragment(stack, 'Pay', given(undefined)),
      'Test/Pay: the options of IdempotentFragment must be an object with ',
    ],
  ]);
});

describe('sources', () => {
  const from = (stack: Stack, options: object) =>
    workflow(stack).startFrom(Source.queue(imported(stack), options));

  rejects([
    ['no queue', () => Source.queue(given(undefined)), '`Source.queue` takes a queue, got undefined'],
    [
      'no bus',
      () => Source.eventBridge(given(undefined), PATTERN),
      '`Source.eventBridge` takes an event bus, got undefined',
    ],
    ['a custom bus', stack => Source.eventBridge(given(customBus(stack)), PATTERN), CUSTOM_BUS_REJECTED],
    [
      'the ARN of a custom bus',
      () => Source.eventBridge(given(CUSTOM_BUS_ARN), PATTERN),
      CUSTOM_BUS_REJECTED,
    ],
    [
      'a custom bus that is imported as a classic one',
      stack => Source.eventBridge(EventBus.fromEventBusArn(stack, 'Bus', CUSTOM_BUS_ARN), PATTERN),
      CUSTOM_BUS_REJECTED,
    ],
    [
      'a custom bus for failures',
      stack => workflow(stack, { onFailure: FailureDestination.eventBus(given(customBus(stack))) }),
      'Test/Pay: `FailureDestination.eventBus` takes a classic event bus, AWS::Events::EventBus, got a custom event ' +
        'bus, AWS::EventsV2::EventBus. Send to a classic bus, or to a queue',
    ],
    [
      'no pattern',
      stack => Source.eventBridge(bus(stack), given(undefined)),
      "Test/Bus: `Source.eventBridge` takes an event pattern such as { source: ['shop.orders'] }, got undefined",
    ],
    [
      'a pattern with null',
      stack => Source.eventBridge(bus(stack), { detail: { voucher: [null, 'none'] } }),
      'Test/Bus: `Source.eventBridge` takes an event pattern without null, because CloudFormation rejects null in a template. Use ' +
        "`{ exists: false }` for a missing member; `{ 'anything-but': [...] }` also matches null",
    ],
    [
      'no schedule',
      stack => scheduled(stack, Source.schedule(given('rate(1 hour)'))),
      'Test/Pay: `Source.schedule` takes a schedule such as ScheduleExpression.rate(Duration.hours(1)), got "rate(1 hour)"',
    ],
    [
      'what is kept is no list',
      stack => Source.eventBridge(bus(stack), PATTERN, { keep: given('id') }),
      'Test/Bus: `keep` must be a list of these names: id, time, replay-name; got "id"',
    ],
    [
      'what is kept of messages is neither left out nor around them',
      stack => from(stack, { keep: ['source'] }),
      'Test/Pay: `keep` must be a list of these names: id, time, replay-name, messageId,',
    ],
    [
      'when a key is looked at, in numbers',
      stack => from(stack, { checkAfter: 5 }),
      'Test/Pay: `checkAfter` must be a Duration such as Duration.minutes(5), got 5',
    ],
    [
      'a visibility timeout in numbers',
      stack => from(stack, { visibilityTimeout: 60 }),
      'Test/Pay: `visibilityTimeout` must be a Duration such as Duration.minutes(5), got 60',
    ],
    [
      'a maxReceiveCount as text',
      stack => from(stack, { maxReceiveCount: '5' }),
      'Test/Pay: `maxReceiveCount` must be a whole number, got "5"',
    ],
    [
      'a source that is none',
      stack => workflow(stack).startFrom(given(bus(stack))),
      'Test/Pay: `startFrom` takes a source such as Source.eventBridge(bus, pattern), got EventBus',
    ],
  ]);

  const byTopic = (options: object) => (stack: Stack) =>
    workflow(stack).startFrom(Source.topic(new Topic(stack, 'Topic'), options));
  const byPipe = (options: object) => (stack: Stack) =>
    workflow(stack).startFrom(
      Source.pipe(RecordStream.kinesis(new Stream(stack, 'Stream'), { startingPosition: 'LATEST' }), options),
    );
  const kafka = (options: object) => (stack: Stack) =>
    RecordStream.kafka({
      bootstrapServers: ['broker:9092'],
      topic: 'orders',
      startingPosition: 'LATEST',
      saslScram512Auth: Secret.fromSecretNameV2(stack, 'Login', 'login'),
      ...options,
    });

  rejects([
    [
      'an id that is null',
      byTopic({ id: null }),
      "Test/Pay: the `id` of a source must be a text such as 'Refunds', got null",
    ],
    [
      'an id as a number',
      byPipe({ id: 5 }),
      "Test/Pay: the `id` of a source must be a text such as 'Refunds', got 5",
    ],
    [
      'a batchSize that is null',
      stack => from(stack, { batchSize: null }),
      'Test/Pay: `batchSize` must be a whole number from 1 to 10, got null',
    ],
    [
      'a maxConcurrency of 0',
      stack => from(stack, { maxConcurrency: 0 }),
      'Test/Pay: `maxConcurrency` must be a whole number from 2 to 1000, got 0',
    ],
    [
      'a filterPolicy that is null',
      byTopic({ filterPolicy: null }),
      "Test/Pay: `filterPolicy` must be an object such as { shop: SubscriptionFilter.stringFilter({ allowlist: ['DE'] }) }",
    ],
    [
      'a filterPolicy of plain values',
      byTopic({ filterPolicy: { shop: ['DE'] } }),
      'Test/Pay: `filterPolicy` must be an object such as { shop: SubscriptionFilter.stringFilter(',
    ],
    [
      'a filter of bodies that is null',
      byTopic({ filterPolicyWithMessageBody: { shop: null } }),
      'Test/Pay: `filterPolicyWithMessageBody` must be an object such as { shop: FilterOrPolicy.filter(filter) }',
    ],
    [
      'filters of a pipe that are null',
      byPipe({ filters: null }),
      "Test/Pay: `filters` must be a list of patterns such as [{ data: { type: ['OrderPlaced'] } }], got null",
    ],
    [
      'a filter that is null',
      byPipe({ filters: [null] }),
      'Test/Pay: `filters` must be a list of patterns such as',
    ],
    [
      'a broker that is null',
      kafka({ bootstrapServers: [null] }),
      "`bootstrapServers` must be a list of 'host:port', got [null]",
    ],
    [
      'a consumer group that is null',
      kafka({ consumerGroupId: null }),
      '`consumerGroupId` must be a text that is not empty, got null',
    ],
    [
      'a schedule without rate, cron or at',
      stack => scheduled(stack, Source.schedule(given({ expressionString: '1 hour' }))),
      'Test/Pay: `Source.schedule` takes a schedule such as ScheduleExpression.rate(Duration.hours(1)), got "1 hour"',
    ],
  ]);

  const warnings = (stack: Stack, about = 'another app defines the queue') =>
    Annotations.fromStack(stack)
      .findWarning('*', Match.stringLikeRegexp(about))
      .map(({ id, entry }) => `${id}: ${/its (.*?) could/.exec(String(entry.data))?.[1]}`);

  test.each<[string, object, string[]]>([
    ['nothing', {}, ['/Test/Pay/SourceQueue: `visibilityTimeout` and `maxReceiveCount`']],
    ['its maxReceiveCount', { maxReceiveCount: 5 }, ['/Test/Pay/SourceQueue: `visibilityTimeout`']],
    [
      'that messages are deleted at the start',
      { deleteWhen: 'started' },
      ['/Test/Pay/SourceQueue: `visibilityTimeout`'],
    ],
    ['both', { maxReceiveCount: 5, visibilityTimeout: Duration.minutes(1) }, []],
  ])('a queue from elsewhere of which is said %s: warned of each missing check', (_, options, expected) => {
    const stack = newStack();
    from(stack, options);
    expect(warnings(stack)).toEqual(expected);
  });

  test('a queue that is defined here: no warning', () => {
    const stack = newStack();
    const deadLetterQueue = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 5 };
    workflow(stack).startFrom(Source.queue(new Queue(stack, 'Queue', { deadLetterQueue })));
    expect(warnings(stack)).toEqual([]);
  });

  test.each<[number, number]>([
    [179, 1],
    [180, 0],
  ])('a visibility timeout of %d seconds, beside a function with 30: %d warnings', (seconds, count) => {
    const visibilityTimeout = Duration.seconds(seconds);
    const [here, elsewhere] = [newStack(), newStack()];
    from(elsewhere, { maxReceiveCount: 5, visibilityTimeout });
    const deadLetterQueue = { queue: new Queue(here, 'Dead'), maxReceiveCount: 5 };
    workflow(here).startFrom(Source.queue(new Queue(here, 'Queue', { deadLetterQueue, visibilityTimeout })));

    for (const stack of [here, elsewhere]) {
      expect(warnings(stack, `timeout of ${seconds} seconds; AWS recommends at least 180`)).toHaveLength(
        count,
      );
    }
  });
});

describe('recovery', () => {
  rejects([
    [
      'its parentheses forgotten',
      stack => workflow(stack, { recovery: given(Recovery.automatic) }),
      'Test/Pay: `recovery` must be Recovery.automatic() or Recovery.none(), got a function; call it',
    ],
    [
      'a word',
      stack => workflow(stack, { recovery: given('automatic') }),
      'Test/Pay: `recovery` must be Recovery.automatic() or Recovery.none(), got "automatic"',
    ],
    [
      'a key out of the context',
      stack =>
        workflow(stack, {
          idempotencyKey: '{% $states.context.Execution.Name %}',
          recovery: Recovery.automatic(),
        }),
      'Test/Pay: `recovery` delivers an input again in another execution',
    ],
  ]);
});

describe('Monitoring', () => {
  const monitored = (props: object) => (stack: Stack) =>
    new Monitoring(stack, 'Alarms', given({ workflow: workflow(stack, { metrics: true }), ...props }));

  rejects([
    [
      'no workflow',
      stack => new Monitoring(stack, 'Alarms', given({})),
      'Test/Alarms: `workflow` must be an IdempotentWorkflow, got undefined',
    ],
    [
      'actions that are no list',
      monitored({ actions: 'arn:aws:sns:x' }),
      'Test/Alarms: `actions` must be a list of alarm actions such as [new SnsAction(topic)], got "arn:aws:sns:x"',
    ],
    ['an action that is none', monitored({ actions: [null] }), 'new SnsAction(topic)], got [null]'],
    [
      'an alarm that there is not',
      monitored({ except: ['Foo'] }),
      'Test/Alarms: `except` must be a list of these names: ClaimLost, DeadLetters, ',
    ],
    [
      'a failure rate as text',
      monitored({ stepFailurePercent: '10' }),
      'Test/Alarms: `stepFailurePercent` must be above 0 and at most 100, got "10"',
    ],
    [
      'a workflow whose log is not counted',
      monitored({ workflow: workflow(newStack()) }),
      'Test/Alarms: Test/Pay needs `metrics`: true for the metric ',
    ],
  ]);
});

describe('RecordTable.fromTable', () => {
  rejects([
    [
      'no schema',
      stack => RecordTable.fromTable(Table.fromTableName(stack, 'Orders', 'orders'), given(undefined)),
      'Test/Orders: `RecordTable.fromTable`: the schema of a table must be an object with partitionKey, sortKey and ' +
        "timeToLiveAttribute, such as { partitionKey: 'PK', sortKey: { name: 'SK', value: 'IDEMPOTENCY' }, " +
        "timeToLiveAttribute: 'ttl' }; got undefined",
    ],
    [
      'no table',
      () => RecordTable.fromTable(given(undefined), { partitionKey: 'PK' }),
      '`RecordTable.fromTable` takes a DynamoDB table as a construct, such as new Table(this, …), got undefined',
    ],
  ]);
});
