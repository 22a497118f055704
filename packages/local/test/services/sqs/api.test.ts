import { advanceBy } from '../../../runtime/drive';
import { VirtualClock } from '../../../runtime/time/virtual-clock';
import { waitForMessages } from '../../../services/sqs/api/wait';
import { type ApiWorld, call, openApi } from '../../api/test-endpoint';

let world: ApiWorld;
beforeEach(async () => {
  world = await openApi();
});
afterEach(() => world.close());

const sqs = async (operation: string, body: object) => {
  const answer = await call(world.api, `AmazonSQS.${operation}`, body);
  return { ...answer, body: answer.body as Record<string, unknown> };
};

async function create(QueueName: string, Attributes?: object): Promise<string> {
  return (await sqs('CreateQueue', { QueueName, Attributes })).body['QueueUrl'] as string;
}

async function receive(QueueUrl: string, more: object = {}) {
  const { body } = await sqs('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10, ...more });
  return (body['Messages'] ?? []) as readonly Record<string, unknown>[];
}

const attributesOf = async (QueueUrl: string, ...AttributeNames: readonly string[]) =>
  (await sqs('GetQueueAttributes', { QueueUrl, AttributeNames })).body['Attributes'];

describe('attributes of a queue', () => {
  test('given, changed and asked for: answered as texts', async () => {
    const RedrivePolicy =
      '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:111111111111:dead","maxReceiveCount":2}';
    const QueueUrl = await create('q', { VisibilityTimeout: '5', RedrivePolicy });
    await advanceBy(world.runtime, world.clock, 2000);
    await sqs('SetQueueAttributes', { QueueUrl, Attributes: { DelaySeconds: '7' } });
    await advanceBy(world.runtime, world.clock, 2000);
    await sqs('SetQueueAttributes', { QueueUrl, Attributes: { DelaySeconds: '7' } });
    await sqs('SendMessage', { QueueUrl, MessageBody: 'a' });
    await sqs('SendMessage', { QueueUrl, MessageBody: 'b', DelaySeconds: 0 });

    expect(await attributesOf(QueueUrl, 'All')).toEqual({
      QueueArn: 'arn:aws:sqs:us-east-1:111111111111:q',
      ApproximateNumberOfMessages: '1',
      ApproximateNumberOfMessagesNotVisible: '0',
      ApproximateNumberOfMessagesDelayed: '1',
      CreatedTimestamp: '1767225600',
      LastModifiedTimestamp: '1767225602',
      VisibilityTimeout: '5',
      MessageRetentionPeriod: '345600',
      DelaySeconds: '7',
      ReceiveMessageWaitTimeSeconds: '0',
      MaximumMessageSize: '1048576',
      SqsManagedSseEnabled: 'true',
      RedrivePolicy,
    });
    expect(await attributesOf(QueueUrl, 'QueueArn')).toEqual({ QueueArn: expect.any(String) });
    expect(await attributesOf(QueueUrl)).toBeUndefined();
    await sqs('PurgeQueue', { QueueUrl });
    expect(await receive(QueueUrl)).toEqual([]);
  });

  const redrivePolicy = (maxReceiveCount: number) =>
    JSON.stringify({ deadLetterTargetArn: 'arn:aws:sqs:us-east-1:111111111111:dead', maxReceiveCount });

  test.each([
    [
      'least',
      { VisibilityTimeout: '0', MessageRetentionPeriod: '60', ReceiveMessageWaitTimeSeconds: '0' },
      { DelaySeconds: '0', RedrivePolicy: redrivePolicy(1), MaximumMessageSize: '1024' },
    ],
    [
      'most',
      { VisibilityTimeout: '43200', MessageRetentionPeriod: '1209600', ReceiveMessageWaitTimeSeconds: '20' },
      { DelaySeconds: '900', RedrivePolicy: redrivePolicy(1000), MaximumMessageSize: '1048576' },
    ],
  ])('the %s of each: taken', async (_case, some, others) => {
    const Attributes = { ...some, ...others };
    const QueueUrl = await create('q', Attributes);

    expect(await attributesOf(QueueUrl, ...Object.keys(Attributes))).toEqual(Attributes);
  });

  test.each([
    [{ VisibilityTimeout: '-1' }, 'InvalidAttributeValue'],
    [{ VisibilityTimeout: '43201' }, 'InvalidAttributeValue'],
    [{ DelaySeconds: '901' }, 'InvalidAttributeValue'],
    [{ MessageRetentionPeriod: '59' }, 'InvalidAttributeValue'],
    [{ MessageRetentionPeriod: '1209601' }, 'InvalidAttributeValue'],
    [{ ReceiveMessageWaitTimeSeconds: '21' }, 'InvalidAttributeValue'],
    [{ RedrivePolicy: '{' }, 'InvalidParameterValueException'],
    [{ RedrivePolicy: '{"maxReceiveCount":1}' }, 'InvalidParameterValueException'],
    [{ RedrivePolicy: redrivePolicy(0) }, 'InvalidParameterValueException'],
    [{ RedrivePolicy: redrivePolicy(1001) }, 'InvalidParameterValueException'],
    [{ MaximumMessageSize: '1023' }, 'InvalidAttributeValue'],
    [{ MaximumMessageSize: '1048577' }, 'InvalidAttributeValue'],
    [{ Policy: 'none' }, 'InvalidAttributeValue'],
    [{ SqsManagedSseEnabled: 'yes' }, 'InvalidAttributeValue'],
    [{ FifoQueue: 'true' }, 'InvalidParameterValueException'],
    [{ ContentBasedDeduplication: 'true' }, 'InvalidAttributeName'],
  ])('%j: rejected', async (Attributes, name) => {
    const { status, body } = await sqs('CreateQueue', { QueueName: 'q', Attributes });

    expect(status).toBe(400);
    expect(body['__type']).toBe(`com.amazonaws.sqs#${name}`);
  });
});

describe('policy, encryption and size of messages', () => {
  test('a policy: answered where one is set, until it is taken away', async () => {
    const QueueUrl = await create('q', { Policy: '{"Statement":[]}', SqsManagedSseEnabled: 'false' });
    const names = ['Policy', 'SqsManagedSseEnabled'];

    expect(await attributesOf(QueueUrl, ...names)).toEqual({
      Policy: '{"Statement":[]}',
      SqsManagedSseEnabled: 'false',
    });
    await sqs('SetQueueAttributes', { QueueUrl, Attributes: { Policy: '' } });
    expect(await attributesOf(QueueUrl, ...names)).toEqual({ SqsManagedSseEnabled: 'false' });
  });

  test('a message of as many bytes as are allowed: taken; of one more, with its attributes: not', async () => {
    const QueueUrl = await create('q', { MaximumMessageSize: '1024' });
    const attributes = { n: { DataType: 'String', StringValue: 'é' } };
    const send = (bytes: number) =>
      sqs('SendMessage', { QueueUrl, MessageBody: 'x'.repeat(bytes), MessageAttributes: attributes });

    expect((await send(1024 - 9)).status).toBe(200);
    expect(await send(1024 - 8)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Message must be shorter than 1024 bytes.') },
    });
  });
});

describe('a queue that is not there', () => {
  const QueueUrl = 'http://127.0.0.1/111111111111/none';
  const Entries = [{ Id: 'a', ReceiptHandle: 'x' }];

  test.each([
    ['DeleteMessage', { ReceiptHandle: 'x' }],
    ['DeleteMessageBatch', { Entries }],
    ['ChangeMessageVisibility', { ReceiptHandle: 'x', VisibilityTimeout: 0 }],
    ['ReceiveMessage', {}],
    ['PurgeQueue', {}],
    ['ListDeadLetterSourceQueues', {}],
    ['GetQueueAttributes', { AttributeNames: ['All'] }],
    ['SetQueueAttributes', { Attributes: {} }],
  ])('%s: says so', async (operation, more) => {
    const { status, body } = await sqs(operation, { QueueUrl, ...more });

    expect({ status, type: body['__type'] }).toEqual({
      status: 400,
      type: 'com.amazonaws.sqs#QueueDoesNotExist',
    });
  });
});

test('queues by the beginning of their names', async () => {
  for (const name of ['orders', 'orders-dead', 'my-orders']) await create(name);

  const { body } = await sqs('ListQueues', { QueueNamePrefix: 'orders' });

  expect(body['QueueUrls']).toEqual([
    expect.stringMatching(/\/orders$/),
    expect.stringMatching(/\/orders-dead$/),
  ]);
  expect((await sqs('ListQueues', { QueueNamePrefix: 'none' })).body).toEqual({});
});

test('the queues that give messages up to a queue', async () => {
  const dead = await create('dead');
  const found = await sqs('GetQueueAttributes', { QueueUrl: dead, AttributeNames: ['QueueArn'] });
  const deadLetterTargetArn = (found.body['Attributes'] as { readonly QueueArn: string }).QueueArn;
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 3 });
  await sqs('CreateQueue', { QueueName: 'orders', Attributes: { RedrivePolicy } });
  const { body } = await sqs('ListDeadLetterSourceQueues', { QueueUrl: dead });

  expect(body).toEqual({ queueUrls: [expect.stringMatching(/\/orders$/)] });
  const none = await sqs('ListDeadLetterSourceQueues', { QueueUrl: dead.replace(/dead$/, 'orders') });
  expect(none.body).toEqual({ queueUrls: [] });
});

describe('a receiver that waits', () => {
  test('no message comes: nothing, when its time is over and not before', async () => {
    const clock = new VirtualClock(0);
    const answers: unknown[] = [];
    const waiting = waitForMessages(() => [], clock, 5).then(messages => answers.push(messages));

    for (let ms = 0; ms < 4_999; ms += 1) {
      clock.advanceBy(1);
      await Promise.resolve();
    }
    expect(answers).toEqual([]);
    clock.advanceBy(1);
    await waiting;
    expect(answers).toEqual([[]]);
  });

  test.each([
    ['the receiver says so', {}, { WaitTimeSeconds: 20 }],
    ['the queue says so', { ReceiveMessageWaitTimeSeconds: '20' }, {}],
  ])('%s: gets the message that comes meanwhile', async (_case, attributes, more) => {
    const QueueUrl = await create('q', attributes);
    const waiting = receive(QueueUrl, more);
    await sqs('SendMessage', { QueueUrl, MessageBody: 'late', DelaySeconds: 2 });
    let isAnswered = false;
    void waiting.finally(() => {
      isAnswered = true;
    });

    while (!isAnswered) {
      await advanceBy(world.runtime, world.clock, 100);
      await attributesOf(QueueUrl);
    }

    expect(await waiting).toMatchObject([{ Body: 'late' }]);
  });
});

describe('messages', () => {
  test('attributes: handed out with their digest', async () => {
    const QueueUrl = await create('q');
    const MessageAttributes = { kind: { DataType: 'String', StringValue: 'x' } };
    const digest = { MD5OfMessageAttributes: '57dd03eb020678b56fd5c31e88f4cff1' };

    const sent = await sqs('SendMessage', { QueueUrl, MessageBody: 'a', MessageAttributes });

    expect(sent.body).toMatchObject(digest);
    expect(await receive(QueueUrl, { MessageAttributeNames: ['All'] })).toMatchObject([
      { MessageAttributes, ...digest },
    ]);
  });

  test.each([
    ['no type', { a: { StringValue: 'x' } }],
    ['a type that is not there', { a: { DataType: 'Text', StringValue: 'x' } }],
    ['no value', { a: { DataType: 'String' } }],
    ['the value of another type', { a: { DataType: 'Binary', StringValue: 'x' } }],
  ])('attributes with %s: rejected', async (_case, MessageAttributes) => {
    const QueueUrl = await create('q');

    const { body } = await sqs('SendMessage', { QueueUrl, MessageBody: 'a', MessageAttributes });

    expect(body['__type']).toBe('com.amazonaws.sqs#InvalidParameterValueException');
    expect(await receive(QueueUrl)).toEqual([]);
  });

  test('the visibility timeout of one: changed, for less than 12 hours after the receive', async () => {
    const QueueUrl = await create('q');
    await sqs('SendMessage', { QueueUrl, MessageBody: 'a' });
    const [message] = await receive(QueueUrl);
    const ReceiptHandle = message?.['ReceiptHandle'];

    expect(
      (await sqs('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout: 100 })).body,
    ).toEqual({});
    await advanceBy(world.runtime, world.clock, 99_999);
    expect(await receive(QueueUrl)).toEqual([]);
    const tooLong = await sqs('ChangeMessageVisibility', {
      QueueUrl,
      ReceiptHandle,
      VisibilityTimeout: 43_200,
    });
    expect(tooLong.body['message']).toMatch(/Total VisibilityTimeout for the message is beyond the limit/);
    await advanceBy(world.runtime, world.clock, 1);
    expect(await receive(QueueUrl, { AttributeNames: ['All'] })).toMatchObject([
      { Attributes: { ApproximateReceiveCount: '2' } },
    ]);
  });
});

describe('batches', () => {
  test('sent, received, deleted: one answer for each entry', async () => {
    const QueueUrl = await create('q');
    const entry = (Id: string, more: object = {}) => ({ Id, MessageBody: Id, ...more });
    const bad = { MessageAttributes: { a: { DataType: 'No' } } };

    const { body } = await sqs('SendMessageBatch', {
      QueueUrl,
      Entries: [entry('1'), entry('2', bad), entry('3')],
    });

    expect(body).toMatchObject({
      Successful: [{ Id: '1', MessageId: expect.any(String) }, { Id: '3' }],
      Failed: [{ Id: '2', SenderFault: true, Code: 'InvalidParameterValue' }],
    });
    const messages = await receive(QueueUrl);
    expect(messages.map(message => message['Body'])).toEqual(['1', '3']);
    const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }));
    expect((await sqs('DeleteMessageBatch', { QueueUrl, Entries })).body).toEqual({
      Successful: [{ Id: '0' }, { Id: '1' }],
    });
    expect(await attributesOf(QueueUrl, 'ApproximateNumberOfMessagesNotVisible')).toEqual({
      ApproximateNumberOfMessagesNotVisible: '0',
    });
  });

  test('the visibility timeouts of several: changed, or rejected, one by one', async () => {
    const QueueUrl = await create('q');
    await sqs('SendMessage', { QueueUrl, MessageBody: 'a' });
    const [message] = await receive(QueueUrl);
    const entry = { ReceiptHandle: message?.['ReceiptHandle'], VisibilityTimeout: 0 };

    const { body } = await sqs('ChangeMessageVisibilityBatch', {
      QueueUrl,
      Entries: [
        { ...entry, Id: '1' },
        { ...entry, Id: '2', ReceiptHandle: `none.7` },
        { ...entry, Id: '3', ReceiptHandle: 'x' },
      ],
    });

    expect(body).toMatchObject({
      Successful: [{ Id: '1' }],
      Failed: [
        { Id: '2', SenderFault: true, Code: 'InvalidParameterValue' },
        { Id: '3', SenderFault: true, Code: 'ReceiptHandleIsInvalid' },
      ],
    });
    expect(await receive(QueueUrl)).toMatchObject([{ Body: 'a' }]);
  });

  test.each([
    ['none', [], 'EmptyBatchRequest'],
    ['eleven', Array.from({ length: 11 }, (_, n) => `${n}`), 'TooManyEntriesInBatchRequest'],
    ['one name twice', ['a', 'a'], 'BatchEntryIdsNotDistinct'],
  ])('%s: rejected as a whole', async (_case, ids, name) => {
    const QueueUrl = await create('q');

    const { body } = await sqs('SendMessageBatch', {
      QueueUrl,
      Entries: ids.map(Id => ({ Id, MessageBody: 'a' })),
    });

    expect(body['__type']).toBe(`com.amazonaws.sqs#${name}`);
    expect(await receive(QueueUrl)).toEqual([]);
  });
});

describe('SQS on the endpoint', () => {
  test('create, find, send, receive, delete', async () => {
    const { body: created } = await sqs('CreateQueue', { QueueName: 'q' });
    const { body: found } = await sqs('GetQueueUrl', { QueueName: 'q' });
    expect(found).toEqual(created);
    const { QueueUrl } = created as { QueueUrl: string };
    expect(QueueUrl).toMatch(/\/111111111111\/q$/);
    expect((await sqs('ListQueues', {})).body).toEqual({ QueueUrls: [QueueUrl] });

    const { body: sent } = await sqs('SendMessage', { QueueUrl, MessageBody: 'hello' });
    const { body: received } = await sqs('ReceiveMessage', { QueueUrl, VisibilityTimeout: 10 });
    const { Messages } = received as { Messages: { ReceiptHandle: string }[] };
    expect(Messages).toMatchObject([
      { Body: 'hello', MD5OfBody: '5d41402abc4b2a76b9719d911017c592', ...idOf(sent) },
    ]);
    expect((await sqs('ReceiveMessage', { QueueUrl })).body).toEqual({});

    await sqs('DeleteMessage', { QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle });
    await advanceBy(world.runtime, world.clock, 11_000);
    expect((await sqs('ReceiveMessage', { QueueUrl })).body).toEqual({});
  });

  test.each<[string, object, string[] | undefined]>([
    ['none', {}, undefined],
    ['one', { MessageSystemAttributeNames: ['SentTimestamp'] }, ['SentTimestamp']],
    [
      'all, by the older name',
      { AttributeNames: ['All'] },
      ['ApproximateReceiveCount', 'SentTimestamp', 'SenderId', 'ApproximateFirstReceiveTimestamp'],
    ],
    ['one that the message has not', { AttributeNames: ['MessageGroupId'] }, undefined],
  ])('attributes of a message, %s asked for: these and no others', async (_case, asked, names) => {
    const QueueName = 'attributes';
    const { QueueUrl } = (await sqs('CreateQueue', { QueueName })).body as { QueueUrl: string };
    await sqs('SendMessage', { QueueUrl, MessageBody: 'hello' });

    const { body } = await sqs('ReceiveMessage', { QueueUrl, ...asked });

    const [message] = (body as { Messages: { Attributes?: object; ReceiptHandle: string }[] }).Messages;
    expect(message?.Attributes && Object.keys(message.Attributes)).toEqual(names);
    await sqs('DeleteMessage', { QueueUrl, ReceiptHandle: message?.ReceiptHandle });
  });

  const idOf = (sent: unknown) => ({ MessageId: (sent as { MessageId: string }).MessageId });

  test('no such queue: the name that SDKs know it by', async () => {
    const { status, headers, body } = await sqs('SendMessage', {
      QueueUrl: 'http://x/1/none',
      MessageBody: 'x',
    });

    expect(status).toBe(400);
    expect(headers.get('x-amzn-query-error')).toBe('AWS.SimpleQueueService.NonExistentQueue;Sender');
    expect(body).toMatchObject({ __type: 'com.amazonaws.sqs#QueueDoesNotExist' });
  });
});

test.each<[operation: string, members: object]>([
  ['SendMessage', { MessageBody: 'a', DelaySeconds: 0.5 }],
  ['SendMessageBatch', { Entries: [{ Id: 'a', MessageBody: 'a', DelaySeconds: 0.5 }] }],
  ['ReceiveMessage', { WaitTimeSeconds: 0.5 }],
  ['ReceiveMessage', { VisibilityTimeout: 0.5 }],
  ['ReceiveMessage', { MaxNumberOfMessages: 1.5 }],
  ['ChangeMessageVisibility', { ReceiptHandle: 'h', VisibilityTimeout: 0.5 }],
])('%s with a number that is not whole, %j: rejected', async (operation, members) => {
  const { status, body } = await sqs(operation, { QueueUrl: await create('q'), ...members });

  expect({ status, ...body }).toMatchObject({
    status: 400,
    __type: 'com.amazon.coral.service#SerializationException',
    message: 'NUMBER_VALUE can not be converted to an Integer',
  });
  expect(await attributesOf(await create('q'), 'All')).toMatchObject({ ApproximateNumberOfMessages: '0' });
});
