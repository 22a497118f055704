import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { RecordStream, Source } from '../../infra/index';
import { failing } from '../support/faults';
import type { Variant } from '../support/variant';
import { openWorld, returns, type World } from '../support/world';

// As AWS's guides show them.
const base64 = (text: string) => Buffer.from(text).toString('base64');
const kinesisRecord = (
  data: string,
  sequenceNumber = '49590338271490256608559692538361571095921575989136588898',
) => ({
  kinesisSchemaVersion: '1.0',
  partitionKey: '1',
  sequenceNumber,
  data: base64(data),
  approximateArrivalTimestamp: 1545084650.987,
  eventSource: 'aws:kinesis',
  eventVersion: '1.0',
  eventID: `shardId-000000000006:${sequenceNumber}`,
  eventName: 'aws:kinesis:record',
  invokeIdentityArn: 'arn:aws:iam::123456789012:role/lambda-role',
  awsRegion: 'us-east-2',
  eventSourceARN: 'arn:aws:kinesis:us-east-2:123456789012:stream/lambda-stream',
});
const kafkaRecord = (key: string, value: string | null, offset = 15) => ({
  eventSource: 'aws:kafka',
  eventSourceArn: 'arn:aws:kafka:us-east-1:123456789012:cluster/vpc-2priv-2pub/751d2973',
  eventSourceKey: 'mytopic-0',
  topic: 'mytopic',
  partition: 0,
  offset,
  timestamp: 1545084650987 + offset,
  timestampType: 'CREATE_TIME',
  key: base64(key),
  value: value === null ? null : base64(value),
  headers: [{ headerKey: [104, 101] }],
});
const change = (orderId: string, eventID: string) => ({
  eventID,
  eventVersion: '1.0',
  dynamodb: {
    Keys: { orderId: { S: orderId } },
    NewImage: { orderId: { S: orderId }, amount: { N: '12.5' } },
    StreamViewType: 'NEW_AND_OLD_IMAGES',
    SequenceNumber: '111',
    SizeBytes: 26,
    ApproximateCreationDateTime: 1545084650,
  },
  awsRegion: 'us-west-2',
  eventName: 'INSERT',
  eventSourceARN: 'arn:aws:dynamodb:us-east-1:111122223333:table/Orders/stream/2026-11-20T00:00:00.000',
  eventSource: 'aws:dynamodb',
});

const startingPosition = 'TRIM_HORIZON' as const;
const KINESIS: Variant = {
  name: 'pipe-kinesis',
  source: null,
  workflow: { idempotencyKey: '{% $states.input.data.orderId %}', payload: '{% $states.input.data %}' },
  more: (stack, workflow) => {
    const stream = new Stream(stack, 'Clicks');
    workflow.startFrom(Source.pipe(RecordStream.kinesis(stream, { startingPosition })));
  },
};
const KAFKA: Variant = {
  name: 'pipe-kafka',
  source: null,
  workflow: { idempotencyKey: '{% $states.input.key %}', payload: '{% $states.input.value %}' },
  more: (stack, workflow) => {
    const saslScram512Auth = new Secret(stack, 'Secret');
    const cluster = 'arn:aws:kafka:us-east-1:123456789012:cluster/vpc/751d2973';
    const topic = RecordStream.msk(cluster, { topic: 'mytopic', startingPosition, saslScram512Auth });
    workflow.startFrom(Source.pipe(topic));
  },
};
const CHANGES: Variant = {
  name: 'pipe-changes',
  source: null,
  workflow: {
    idempotencyKey: '{% $states.input.dynamodb.Keys.orderId.S %}',
    payload: '{% $states.input.dynamodb.NewImage %}',
  },
  more: (stack, workflow) => {
    const partitionKey = { name: 'orderId', type: AttributeType.STRING };
    const table = new Table(stack, 'OrderTable', { partitionKey, stream: StreamViewType.NEW_AND_OLD_IMAGES });
    workflow.startFrom(Source.pipe(RecordStream.dynamoDb(table, { startingPosition })));
  },
};

describe('records of a pipe', () => {
  let world: World;
  afterEach(() => world.close());

  /** Hands a batch to the dispatcher, as the pipe does, and waits for it and for what it has started. */
  const hand = async (...records: readonly object[]) => {
    const { runtime } = world.stack;
    const dispatcher = runtime.machines
      .list()
      .find(({ name }) => /Source(Clicks|mytopic|OrderTable)/.test(name));
    const { executionArn } = await runtime.startExecution({
      stateMachineArn: dispatcher?.arn ?? '',
      input: JSON.stringify(records),
    });
    await world.settle();
    return runtime.whenEnded(executionArn);
  };
  const inputs = async () => (await world.executions()).map(({ input }) => JSON.parse(input ?? ''));
  const kept = () =>
    world.stack.queues
      .list()
      .filter(({ name }) => name.includes('NotStarted') && /Clicks|mytopic|OrderTable/.test(name))
      .flatMap(({ name }) => world.stack.queues.peek(name) ?? []);

  test('Kinesis: the data decoded, and nothing in it that differs when a record is put twice', async () => {
    world = await openWorld(KINESIS);
    world.step = async () => {
      await world.pause(5000);
      return returns('paid');
    };
    const data = '{"orderId":"order-7","name":"Jürgen Özgür 花子 100 % 🎉","amount":12.5}';
    await hand(kinesisRecord(data, '1'), kinesisRecord(data, '2'));

    expect(await inputs()).toEqual([
      {
        kinesisSchemaVersion: '1.0',
        partitionKey: '1',
        data: JSON.parse(data),
        eventSource: 'aws:kinesis',
        eventVersion: '1.0',
        eventName: 'aws:kinesis:record',
        awsRegion: 'us-east-2',
        eventSourceARN: 'arn:aws:kinesis:us-east-2:123456789012:stream/lambda-stream',
      },
    ]);
    expect(world.runs).toHaveLength(1);
    expect(kept()).toEqual([]);
  });

  test.each([
    ['no JSON', 'order 8, please'],
    ['half of it', '{"orderId":'],
    ['no text', '\u0000'],
  ])('data that is %s: kept as it came, by name, and the next record is started', async (_, data) => {
    world = await openWorld(KINESIS);
    const poison = kinesisRecord(data);
    await hand(poison);
    await hand(kinesisRecord('{"orderId":"order-9"}'));

    expect(kept()).toMatchObject([
      { messageAttributes: { Error: { StringValue: 'Idempotency.MalformedRecord' } } },
    ]);
    expect(JSON.parse(kept()[0]?.body ?? '')).toEqual(poison);
    expect(world.runs.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['ChargePayment#order-9']);
  });

  test('data that is not JSON between two records: the other two are started', async () => {
    world = await openWorld(KINESIS);
    const poison = kinesisRecord('order 8, please', '2');
    await hand(kinesisRecord('{"orderId":"order-7"}'), poison, kinesisRecord('{"orderId":"order-9"}', '3'));

    expect(world.runs.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'ChargePayment#order-7',
      'ChargePayment#order-9',
    ]);
    expect(kept().map(({ body }) => JSON.parse(body))).toEqual([poison]);
  });

  test('bytes that are no UTF-8: kept', async () => {
    world = await openWorld(KINESIS);
    const bytes = Buffer.from([0x22, 0xff, 0x22]).toString('base64');
    await hand({ ...kinesisRecord(''), data: bytes });

    expect(kept()).toHaveLength(1);
  });

  test('a fresh record: the workflow makes the calls of any fresh event; the pipe and its stream are not run', async () => {
    world = await openWorld(KINESIS);
    await hand(kinesisRecord('{"orderId":"order-7"}'));

    expect(world.calls).toEqual([
      'states:startExecution from Start by key',
      'dynamodb:putItem from Claim record',
      'lambda:invoke from Business step',
      'dynamodb:updateItem from Record the result',
    ]);
    expect(world.stack.notRun.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['AWS::Kinesis::Stream', 'AWS::Pipes::Pipe']),
    );
  });

  test('two records without a key: an execution says so of each, and nothing is kept', async () => {
    world = await openWorld(KINESIS);
    await hand(kinesisRecord('{"amount":1}'), kinesisRecord('{"amount":2}'));

    const errors = (await world.executions()).map(({ error }) => error);
    expect(errors).toEqual(['Idempotency.InvalidEvent', 'Idempotency.InvalidEvent']);
    expect(kept()).toEqual([]);
  });

  test('Step Functions rejects starts for good: kept, and the pipe goes on', async () => {
    world = await openWorld(KINESIS);
    world.faults = failing('Start by key', 'StepFunctions.ThrottlingException', 99);
    await hand(kinesisRecord('{"orderId":"order-7"}'));

    expect(kept()).toMatchObject([
      { messageAttributes: { Error: { StringValue: 'Idempotency.NotStarted' } } },
    ]);
  });

  test('Kafka: value and key decoded; a record that was sent twice is one start; a tombstone has a null', async () => {
    world = await openWorld(KAFKA);
    await hand(kafkaRecord('order-7', '{"amount":12.5}', 15), kafkaRecord('order-7', '{"amount":12.5}', 16));

    expect(await inputs()).toEqual([
      {
        eventSource: 'aws:kafka',
        eventSourceArn: expect.stringMatching(/^arn:aws:kafka:/),
        topic: 'mytopic',
        key: 'order-7',
        value: { amount: 12.5 },
        headers: [{ headerKey: [104, 101] }],
      },
    ]);
    await hand(kafkaRecord('order-8', null));
    expect(await inputs()).toContainEqual(expect.objectContaining({ key: 'order-8', value: null }));
  });

  test('DynamoDB: the record as it is; delivered again it is one start', async () => {
    world = await openWorld(CHANGES);
    await hand(change('order-7', 'e1'));
    await hand(change('order-7', 'e1'));

    expect(await inputs()).toEqual([change('order-7', 'e1')]);
    expect(world.runs).toHaveLength(1);
  });
});
