import { advanceBy } from '../../../local/runtime/drive';
import { type ApiWorld, call, openApi } from './world';

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
  test('given, changed and asked for: told as texts', async () => {
    const RedrivePolicy =
      '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:111111111111:dead","maxReceiveCount":2}';
    const QueueUrl = await create('q', { VisibilityTimeout: '5', RedrivePolicy });
    await sqs('SetQueueAttributes', { QueueUrl, Attributes: { DelaySeconds: '7' } });
    await sqs('SendMessage', { QueueUrl, MessageBody: 'a' });
    await sqs('SendMessage', { QueueUrl, MessageBody: 'b', DelaySeconds: 0 });

    expect(await attributesOf(QueueUrl, 'All')).toEqual({
      QueueArn: 'arn:aws:sqs:us-east-1:111111111111:q',
      ApproximateNumberOfMessages: '1',
      ApproximateNumberOfMessagesNotVisible: '0',
      ApproximateNumberOfMessagesDelayed: '1',
      VisibilityTimeout: '5',
      MessageRetentionPeriod: '345600',
      DelaySeconds: '7',
      ReceiveMessageWaitTimeSeconds: '0',
      RedrivePolicy,
    });
    expect(await attributesOf(QueueUrl, 'QueueArn')).toEqual({ QueueArn: expect.any(String) });
    expect(await attributesOf(QueueUrl)).toBeUndefined();
    await sqs('PurgeQueue', { QueueUrl });
    expect(await receive(QueueUrl)).toEqual([]);
  });

  test.each([
    [{ VisibilityTimeout: '-1' }, 'InvalidAttributeValue'],
    [{ DelaySeconds: '901' }, 'InvalidAttributeValue'],
    [{ RedrivePolicy: '{' }, 'InvalidAttributeValue'],
    [{ RedrivePolicy: '{"maxReceiveCount":1}' }, 'InvalidAttributeValue'],
    [{ FifoQueue: 'true' }, 'InvalidAttributeName'],
  ])('%j: refused', async (Attributes, name) => {
    const { status, body } = await sqs('CreateQueue', { QueueName: 'q', Attributes });

    expect(status).toBe(400);
    expect(body['__type']).toBe(`com.amazonaws.sqs#${name}`);
  });
});

describe('messages', () => {
  test('attributes: handed out with their digest', async () => {
    const QueueUrl = await create('q');
    const MessageAttributes = { kind: { DataType: 'String', StringValue: 'x' } };
    const digest = { MD5OfMessageAttributes: '57dd03eb020678b56fd5c31e88f4cff1' };

    const sent = await sqs('SendMessage', { QueueUrl, MessageBody: 'a', MessageAttributes });

    expect(sent.body).toMatchObject(digest);
    expect(await receive(QueueUrl)).toMatchObject([{ MessageAttributes, ...digest }]);
  });

  test.each([
    ['no type', { a: { StringValue: 'x' } }],
    ['a type that is not there', { a: { DataType: 'Text', StringValue: 'x' } }],
    ['no value', { a: { DataType: 'String' } }],
    ['the value of another type', { a: { DataType: 'Binary', StringValue: 'x' } }],
    ['no map', []],
  ])('attributes with %s: refused', async (_case, MessageAttributes) => {
    const QueueUrl = await create('q');

    const { body } = await sqs('SendMessage', { QueueUrl, MessageBody: 'a', MessageAttributes });

    expect(body['__type']).toBe('com.amazonaws.sqs#InvalidParameterValueException');
    expect(await receive(QueueUrl)).toEqual([]);
  });

  test('the visibility timeout of one: changed, and refused for an old handle', async () => {
    const QueueUrl = await create('q');
    await sqs('SendMessage', { QueueUrl, MessageBody: 'a' });
    const [message] = await receive(QueueUrl);
    const ReceiptHandle = message?.['ReceiptHandle'];

    expect(
      (await sqs('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout: 100 })).body,
    ).toEqual({});
    await advanceBy(world.runtime, world.clock, 99_999);
    expect(await receive(QueueUrl)).toEqual([]);
    await advanceBy(world.runtime, world.clock, 1);
    expect(await receive(QueueUrl, { AttributeNames: ['All'] })).toMatchObject([
      { Attributes: { ApproximateReceiveCount: '2' } },
    ]);
    const { status } = await sqs('ChangeMessageVisibility', {
      QueueUrl,
      ReceiptHandle,
      VisibilityTimeout: 0,
    });
    expect(status).toBe(400);
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

  test.each([
    ['none', [], 'EmptyBatchRequest'],
    ['eleven', Array.from({ length: 11 }, (_, n) => `${n}`), 'TooManyEntriesInBatchRequest'],
    ['one name twice', ['a', 'a'], 'BatchEntryIdsNotDistinct'],
  ])('%s: refused as a whole', async (_case, ids, name) => {
    const QueueUrl = await create('q');

    const { body } = await sqs('SendMessageBatch', {
      QueueUrl,
      Entries: ids.map(Id => ({ Id, MessageBody: 'a' })),
    });

    expect(body['__type']).toBe(`com.amazonaws.sqs#${name}`);
    expect(await receive(QueueUrl)).toEqual([]);
  });
});
