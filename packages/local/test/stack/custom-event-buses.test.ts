import { cbor, dateToTag } from '@smithy/core/cbor';
import type { Stack } from 'aws-cdk-lib';
import { CfnEventBus, CfnSubscriber } from 'aws-cdk-lib/aws-eventsv2';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { type LocalOptions, runToEnd } from '../../index';
import { type Started, start } from './world';

// Evaluations and python start slowly beside other suites.
jest.setTimeout(60_000);

type Props = Partial<ConstructorParameters<typeof CfnSubscriber>[2]>;

/** What a target gets: the queue `work`, or an Express machine that puts its input there, or fails. */
interface Case {
  readonly target?: 'queue' | 'machine';
  /** The machine's states, before the one that ends it. */
  readonly states?: object;
  readonly subscriber?: Props;
}

function bus({ target = 'queue', states = {}, subscriber = {} }: Case) {
  return (stack: Stack): void => {
    const { attrEventBusArn: eventBusArn } = new CfnEventBus(stack, 'Orders', { name: 'orders' });
    const work = new Queue(stack, 'Work', { queueName: 'work' });
    const dead = new Queue(stack, 'Dead', { queueName: 'dead' });
    const machine = new sfn.CfnStateMachine(stack, 'Machine', {
      stateMachineName: 'machine',
      stateMachineType: 'EXPRESS',
      roleArn: 'arn:aws:iam::111111111111:role/any',
      definition: {
        QueryLanguage: 'JSONata',
        StartAt: Object.keys(states)[0] ?? 'Send',
        States: 'Fail' in states ? states : { ...states, Send: send(work) },
      },
    });
    new CfnSubscriber(stack, 'Subscriber', {
      name: 'orders-to-work',
      eventBusArn,
      invokeConfiguration: {
        roleArn: 'arn:aws:iam::111111111111:role/any',
        ...(target === 'queue'
          ? { targetArn: work.queueArn, sqsParameters: {} }
          : { targetArn: machine.attrArn, stepFunctionsParameters: { invocationType: 'REQUEST_RESPONSE' } }),
      },
      onFailureConfiguration: { arn: dead.queueArn },
      ...subscriber,
    });
  };
}

const send = (work: Queue) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::sqs:sendMessage',
  Arguments: { QueueUrl: work.queueUrl, MessageBody: '{% $string($states.input) %}' },
  Output: {},
  End: true,
});

async function opened(one: Case, options: Partial<LocalOptions> = {}) {
  const world = await start(bus(one), options);
  const { arn = '' } = world.stack.find('Main/Orders', 'AWS::EventsV2::EventBus');
  return {
    ...world,
    arn,
    async published(...details: readonly object[]) {
      const Entries = details.map(detail => entry(detail));
      const answer = await world.stack.putEvents({ EventBusArn: arn, Entries });
      await runToEnd(world.stack.runtime, world.clock);
      return answer;
    },
  };
}

const entry = (detail: object, Source = 'shop.orders') => {
  return { Source, DetailType: 'OrderPlaced', Detail: JSON.stringify(detail) };
};
const bodies = ({ stack }: Pick<Started, 'stack'>, queue = 'work') =>
  (stack.queues.peek(queue) ?? []).map(({ body }) => JSON.parse(body));
const jsonata = (expression: string): Props => ({
  transformer: { type: 'JSONATA', jsonataConfiguration: { expression } },
});
const filters = (...list: readonly [scope: string, pattern: object][]): Props => ({
  filterConfiguration: {
    filters: list.map(([scope, pattern]) => ({ scope, pattern: JSON.stringify(pattern) })),
  },
});

describe('a custom event bus', () => {
  test('RAW: the event in the envelope of a classic one', async () => {
    const world = await opened({});

    const { Entries, FailedEntryCount } = await world.published({ orderId: 'a' });

    expect(FailedEntryCount).toBe(0);
    expect(Entries).toEqual([{ EventId: expect.any(String), SequenceNumber: '1', SuccessCode: 'PUBLISHED' }]);
    expect(bodies(world)).toEqual([
      {
        version: '0',
        id: expect.any(String),
        'detail-type': 'OrderPlaced',
        source: 'shop.orders',
        account: '111111111111',
        time: '2026-11-20T09:00:00Z',
        region: 'us-east-1',
        resources: [],
        detail: { orderId: 'a' },
      },
    ]);
  });

  test('WITH_METADATA: three parts, the id of the answer among them', async () => {
    const world = await opened({ subscriber: { transformer: { type: 'WITH_METADATA' } } });

    const { Entries } = await world.published({ orderId: 'a' });

    const [{ Data, Metadata, SystemMetadata }] = bodies(world);
    expect(Data.detail).toEqual({ orderId: 'a' });
    expect(Metadata).toEqual({});
    expect(SystemMetadata).toMatchObject({
      'aws:EventId': Object(Entries[0])['EventId'],
      'aws:DeliveryType': 'LIVE',
      'aws:Source': 'shop.orders',
    });
    expect(SystemMetadata['aws:EventId']).not.toBe(Data.id);
  });

  test('JSONATA: what the expression makes of the event; a text without quotes', async () => {
    const object = await opened({ subscriber: jsonata("{% {'id': $events.Data.detail.orderId} %}") });
    const text = await opened({ subscriber: jsonata('{% $events.SystemMetadata."aws:Source" %}') });

    await object.published({ orderId: 'a' });
    await text.published({ orderId: 'a' });

    expect(bodies(object)).toEqual([{ id: 'a' }]);
    expect(text.stack.queues.peek('work')?.map(({ body }) => body)).toEqual(['shop.orders']);
  });

  test.each<[string, Props]>([
    ['gives nothing', jsonata('{% $events.Data.detail.none %}')],
    ['fails', jsonata("{% $error('no') %}")],
  ])('JSONATA that %s: a dead letter, and the other events are delivered', async (_, subscriber) => {
    const expression = `{% $events.Data.detail.orderId = 'a' ? ${Object(subscriber.transformer).jsonataConfiguration.expression.slice(2, -2)} : $events.Data.detail %}`;
    const world = await opened({ subscriber: jsonata(expression) });

    await world.published({ orderId: 'a' }, { orderId: 'b' });

    expect(bodies(world)).toEqual([{ orderId: 'b' }]);
    expect(bodies(world, 'dead')).toMatchObject([
      { errorCode: 'INPUT_TRANSFORMATION_FAILURE', failedMessages: [{ eventId: expect.any(String) }] },
    ]);
  });

  test.each<[string, Props, readonly string[]]>([
    ['no filter', {}, ['a', 'b', 'c']],
    ['of the data', filters(['DATA', { detail: { orderId: ['a', { prefix: 'c' }] } }]), ['a', 'c']],
    ['of the system metadata', filters(['SYSTEM_METADATA', { 'aws:SequenceNumber': ['2'] }]), ['b']],
    ['a number, which matches no text', filters(['SYSTEM_METADATA', { 'aws:SequenceNumber': [2] }]), []],
    ['of metadata, which PutEvents has none of', filters(['METADATA', { tenant: ['x'] }]), []],
    [
      'all of them must match',
      filters(
        ['DATA', { detail: { orderId: ['a', 'b'] } }],
        ['SYSTEM_METADATA', { 'aws:SequenceNumber': ['2', '3'] }],
      ),
      ['b'],
    ],
    ['a stopped subscriber', { state: 'STOPPED' }, []],
  ])('filter, %s', async (_, subscriber, expected) => {
    const world = await opened({ subscriber });

    await world.published({ orderId: 'a' }, { orderId: 'b' }, { orderId: 'c' });

    expect(bodies(world).map(({ detail }) => detail.orderId)).toEqual(expected);
  });

  const DETAILS = Array.from({ length: 12 }, (_, n) => ({ n }));
  const numbersOf = (input: unknown) =>
    Array.isArray(input) ? input.map(one => one.detail.n) : Object(input).detail.n;
  const sized = (maxBatchSize: number): Props => ({ batchConfiguration: { maxBatchSize } });
  test.each<[string, Case, Partial<LocalOptions>, unknown]>([
    ['a queue: an event a message', { subscriber: sized(5) }, {}, DETAILS.map(({ n }) => n)],
    [
      'a machine by default: ten at once',
      { target: 'machine' },
      {},
      [DETAILS.slice(0, 10).map(({ n }) => n), [10, 11]],
    ],
    [
      'a machine, at most 100',
      { target: 'machine', subscriber: sized(100) },
      {},
      [DETAILS.map(({ n }) => n)],
    ],
    ['a machine, one', { target: 'machine', subscriber: sized(1) }, {}, DETAILS.map(({ n }) => n)],
    [
      'a machine, one, as a list',
      { target: 'machine', subscriber: sized(1) },
      { customBusBatchOfOne: 'list' },
      DETAILS.map(({ n }) => [n]),
    ],
  ])('batches, %s', async (_, one, options, expected) => {
    const world = await opened(one, options);

    await world.published(...DETAILS);

    const found = bodies(world).map(numbersOf);
    const order = (list: readonly unknown[]) => list.map(one => JSON.stringify(one)).sort();
    expect(order(found)).toEqual(order(expected as readonly unknown[]));
  });
});

describe('a machine that a subscriber waits for', () => {
  const FAILS = { Fail: { Type: 'Fail', Error: 'Down', Cause: 'for now' } };
  const WAITS = { Wait: { Type: 'Wait', Seconds: 40, Next: 'Send' } };
  const one: Props = { batchConfiguration: { maxBatchSize: 1 } };

  test('it fails: retried five times within five minutes, then the ids are a dead letter', async () => {
    const attempts: number[] = [];
    const world = await opened(
      { target: 'machine', states: FAILS, subscriber: one },
      {
        deliveryInterceptor: ({ retryCount }, next) => {
          attempts.push(retryCount);
          return next();
        },
      },
    );

    const { Entries } = await world.published({ orderId: 'a' });

    expect(attempts).toEqual([0, 1, 2, 3, 4, 5]);
    const [message] = world.stack.queues.peek('dead') ?? [];
    expect(JSON.parse(message?.body ?? '')).toEqual({
      version: '1.0',
      busArn: world.arn,
      subscriberArn: expect.stringContaining(':subscriber/orders-to-work/'),
      targetArn: expect.stringContaining(':stateMachine:machine'),
      errorCode: 'COMPUTE_EXECUTION_ERROR',
      errorMessage: 'the execution ended as FAILED: Down: for now',
      exhaustedRetryCondition: 'MaximumRetryAttempts',
      retryAttempts: 5,
      failedMessages: [{ eventId: Object(Entries[0])['EventId'], timestamp: '2026-11-20T09:00:00.000Z' }],
    });
    expect(Object.keys(message?.messageAttributes ?? {}).sort()).toEqual(
      'BUS_ARN ERROR_CODE ERROR_MESSAGE EXHAUSTED_RETRY_CONDITION RETRY_ATTEMPTS SUBSCRIBER_ARN TARGET_ARN'.split(
        ' ',
      ),
    );
  });

  test('it takes longer than 30 seconds: delivered again beside the execution, which goes on', async () => {
    const retryPolicy = { maxRetryAttempts: 1, maxEventAgeInSeconds: 300 };
    const world = await opened({ target: 'machine', states: WAITS, subscriber: { ...one, retryPolicy } });

    await world.published({ orderId: 'a' });

    expect(bodies(world)).toHaveLength(2);
    expect(bodies(world, 'dead')).toMatchObject([{ errorCode: 'EXECUTION_TIMEOUT', retryAttempts: 1 }]);
  });

  test('it is a Standard machine: retried as everything, then a dead letter', async () => {
    const world = await start(stack => {
      bus({ target: 'machine', subscriber: one })(stack);
      (stack.node.findChild('Machine') as sfn.CfnStateMachine).stateMachineType = 'STANDARD';
    });
    const { arn = '' } = world.stack.find('Main/Orders', 'AWS::EventsV2::EventBus');

    await world.stack.putEvents({ EventBusArn: arn, Entries: [entry({})] });
    await runToEnd(world.stack.runtime, world.clock);

    expect(bodies(world, 'dead')).toMatchObject([{ errorCode: 'SFN_TYPE_NOT_SUPPORTED', retryAttempts: 5 }]);
  });
});

test.each<[string, Props, string]>([
  ['FIFO', { type: 'FIFO' }, 'it is a FIFO subscriber'],
  [
    'a point in time',
    {
      startingPosition: 'POINT_IN_TIME',
      pointInTimeConfiguration: { pointType: 'TIMESTAMP', startingPoint: 1 },
    },
    'it starts at a point in time',
  ],
  [
    'names of executions',
    {
      invokeConfiguration: {
        targetArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:machine',
        roleArn: 'arn:aws:iam::111111111111:role/any',
        stepFunctionsParameters: { name: '{% $events[0].Data.detail.orderId %}' },
      },
    },
    'it names executions by an expression',
  ],
])('a subscriber with %s: listed as not run, with the reason', async (_, subscriber, reason) => {
  const world = await opened({ subscriber });

  expect(world.stack.notRun).toEqual([
    expect.objectContaining({ type: 'AWS::EventsV2::Subscriber', reason: expect.stringContaining(reason) }),
  ]);
});

test('a wildcard in a filter: rejected, as by the service', async () => {
  const subscriber = filters(['DATA', { source: [{ wildcard: 'shop*' }] }]);

  await expect(opened({ subscriber })).rejects.toThrow('a custom event bus has no wildcard');
});

describe('PutEvents by Smithy RPC v2 with CBOR', () => {
  const request = async (world: Started, operation: string, content: unknown, type = 'application/cbor') => {
    const body = Buffer.from(content instanceof Buffer ? content : cbor.serialize(content));
    const headers = {
      'smithy-protocol': 'rpc-v2-cbor',
      'content-type': type,
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20261120/us-east-1/events/aws4_request, SignedHeaders=host, Signature=0',
    };
    const url = `${world.stack.endpoint}/service/AWSEventsV2/operation/${operation}`;
    const answer = await fetch(url, { method: 'POST', headers, body });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const isCbor = answer.headers.get('content-type') === 'application/cbor';
    return { status: answer.status, body: isCbor ? cbor.deserialize(bytes) : Buffer.from(bytes).toString() };
  };

  test('events with a time: published, and answered one by one', async () => {
    const world = await opened({});
    const Time = dateToTag(new Date('2026-10-04T12:00:00Z'));
    const Entries = [
      { ...entry({ orderId: 'a' }), Time },
      { ...entry({}), Detail: '[' },
    ];

    const { status, body } = await request(world, 'PutEvents', { EventBusArn: world.arn, Entries });
    await runToEnd(world.stack.runtime, world.clock);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      FailedEntryCount: 1,
      Entries: [
        { SuccessCode: 'PUBLISHED' },
        { ErrorCode: 'VALIDATION_ERROR', ErrorMessage: 'Detail is malformed.' },
      ],
    });
    expect(bodies(world)).toMatchObject([{ time: '2026-10-04T12:00:00Z', detail: { orderId: 'a' } }]);
  });

  const LONG = entry({ text: 'x'.repeat(600_000) });
  test.each<[string, unknown, number, string]>([
    ['no entries', { Entries: [] }, 400, 'Entries must be a list of 1 to 100 entries'],
    [
      '101 entries',
      { Entries: Array(101).fill(entry({})) },
      400,
      'Entries must be a list of 1 to 100 entries',
    ],
    ['entries above a megabyte', { Entries: [LONG, LONG] }, 400, 'must have at most 1048576 bytes together'],
    ['no source', { Entries: [{ DetailType: 'a' }] }, 400, 'Entries[0].Source must be a text of 1 to 256'],
    ['a time in words', { Entries: [{ ...entry({}), Time: 'now' }] }, 400, 'Entries[0].Time must be a date'],
    [
      'another bus',
      { EventBusArn: 'arn:none', Entries: [entry({})] },
      404,
      'there is no custom event bus arn:none',
    ],
    [
      'deduplication',
      { DeduplicationConfiguration: { DeduplicationType: 'CONTENT_BASED' }, Entries: [entry({})] },
      400,
      'the local runtime has no DeduplicationConfiguration',
    ],
    [
      'a group',
      { Entries: [{ ...entry({}), SystemMetadata: { EventGroupId: 'g' } }] },
      400,
      'the local runtime has no SystemMetadata',
    ],
  ])('%s: rejected as a whole', async (_, part, status, message) => {
    const world = await opened({});

    const answer = await request(world, 'PutEvents', { EventBusArn: world.arn, ...Object(part) });

    expect(answer).toEqual({
      status,
      body: {
        __type: `com.amazonaws.eventbridgev2#${status === 400 ? 'InvalidInput' : 'ResourceNotFound'}Exception`,
        message: expect.stringContaining(message),
      },
    });
    expect(bodies(world)).toEqual([]);
  });

  test('an event of half a megabyte: accepted, although no execution takes it', async () => {
    const world = await opened({
      target: 'machine',
      subscriber: { batchConfiguration: { maxBatchSize: 1 } },
    });

    const { FailedEntryCount } = await world.stack.putEvents({ EventBusArn: world.arn, Entries: [LONG] });
    await runToEnd(world.stack.runtime, world.clock);

    expect(FailedEntryCount).toBe(0);
    expect(bodies(world, 'dead')).toMatchObject([{ errorCode: 'SDK_CLIENT_ERROR' }]);
  });

  test('what is not CBOR, another operation, another content type: rejected', async () => {
    const world = await opened({});

    expect(await request(world, 'PutEvents', Buffer.from('{'))).toMatchObject({
      status: 400,
      body: { __type: 'com.amazonaws.eventbridgev2#InvalidInputException' },
    });
    expect(await request(world, 'CreateEventBus', {})).toMatchObject({
      status: 404,
      body: { message: "The local custom event buses have no operation 'CreateEventBus', only PutEvents" },
    });
    expect(await request(world, 'PutEvents', {}, 'text/plain')).toMatchObject({ status: 415 });
  });
});
