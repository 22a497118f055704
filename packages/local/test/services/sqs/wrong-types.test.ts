import type { ApiAnswer } from '../../../api/exchange';
import { VirtualClock } from '../../../runtime/time/virtual-clock';
import { sqsRoute } from '../../../services/sqs/api/route';
import { Queues } from '../../../services/sqs/queues';
import { type ApiWorld, call, openApi } from '../../api/test-endpoint';

let world: ApiWorld;
let QueueUrl: string;
beforeEach(async () => {
  world = await openApi();
  QueueUrl = String((await sqs('CreateQueue', { QueueName: 'q' })).body['QueueUrl']);
});
afterEach(() => world.close());

async function sqs(operation: string, body: object) {
  const answer = await call(world.api, `AmazonSQS.${operation}`, body);
  return { ...answer, body: answer.body as Record<string, unknown> };
}

async function bodiesInTheQueue(): Promise<readonly unknown[]> {
  const { body } = await sqs('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 });
  return ((body['Messages'] ?? []) as readonly Record<string, unknown>[]).map(({ Body }) => Body);
}

const WRONG = [7, true, [1], { toString: false }, 'text'];
const HANDLE = { ReceiptHandle: 'x' };
const entries = (entry: object) => ({ Entries: [{ Id: 'a', ...entry }] });

/** Every operation, as a client would ask. */
const REQUESTS: readonly (readonly [string, object])[] = [
  ['CreateQueue', { QueueName: 'p', Attributes: { VisibilityTimeout: '1', RedrivePolicy: '{}' } }],
  ['SetQueueAttributes', { QueueUrl: 'QUEUE', Attributes: { Policy: '', FifoQueue: 'false' } }],
  ['GetQueueAttributes', { QueueUrl: 'QUEUE', AttributeNames: ['All'] }],
  ['GetQueueUrl', { QueueName: 'none', QueueUrl: 'x' }],
  ['ListQueues', { QueueNamePrefix: 'q' }],
  ['ListDeadLetterSourceQueues', { QueueUrl: 'QUEUE' }],
  ['PurgeQueue', { QueueUrl: 'QUEUE' }],
  ['TagQueue', { QueueUrl: 'QUEUE', Tags: { a: 'x' } }],
  ['UntagQueue', { QueueUrl: 'QUEUE', TagKeys: ['a'] }],
  ['ListQueueTags', { QueueUrl: 'QUEUE' }],
  ['DeleteQueue', { QueueUrl: 'NONE' }],
  ['SendMessage', { QueueUrl: 'QUEUE', MessageBody: 'a', DelaySeconds: 1, MessageGroupId: 'g' }],
  ['SendMessageBatch', { QueueUrl: 'QUEUE', ...entries({ MessageBody: 'a' }) }],
  ['ReceiveMessage', { QueueUrl: 'QUEUE', MaxNumberOfMessages: 1, AttributeNames: ['All'] }],
  ['DeleteMessage', { QueueUrl: 'QUEUE', ...HANDLE }],
  ['DeleteMessageBatch', { QueueUrl: 'QUEUE', ...entries(HANDLE) }],
  ['ChangeMessageVisibility', { QueueUrl: 'QUEUE', ...HANDLE, VisibilityTimeout: 0 }],
  ['ChangeMessageVisibilityBatch', { QueueUrl: 'QUEUE', ...entries({ ...HANDLE, VisibilityTimeout: 0 }) }],
];

/** A value with each of its parts replaced in turn. */
function variants(value: unknown, wrong: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    return [wrong, ...value.flatMap(one => variants(one, wrong).map(other => [other]))];
  }
  if (typeof value !== 'object' || value === null) return [wrong];
  const within = Object.entries(value).flatMap(([name, member]) =>
    variants(member, wrong).map(other => ({ ...value, [name]: other })),
  );
  return [wrong, ...within];
}

describe('members of another type than the service has', () => {
  test.each(REQUESTS)('%s: no answer is an error of the server', async (operation, request) => {
    const given = JSON.parse(JSON.stringify(request).replace('QUEUE', QueueUrl)) as object;
    for (const body of WRONG.flatMap(wrong => variants(given, wrong))) {
      const { status } = await sqs(operation, body as object);
      expect([body, status < 500]).toEqual([body, true]);
    }
  });

  const attribute = { DataType: 'Binary', BinaryValue: 'AAEC' };
  test.each<[string, object, string]>([
    ['a StringValue that is a list', { a: { ...attribute, StringValue: [1] } }, 'START_ARRAY'],
    ['a BinaryValue that is an object', { a: { DataType: 'Binary', BinaryValue: {} } }, 'START_OBJECT'],
    ['a DataType that is a number', { a: { DataType: 7, StringValue: 'x' } }, 'NUMBER_VALUE'],
    ['an attribute that is a text', { a: 'x' }, 'STRING_VALUE'],
    ['attributes that are a list', [], 'START_ARRAY'],
  ])('%s: rejected by its kind, alone and as an entry', async (_, MessageAttributes, kind) => {
    const message = { MessageBody: 'a', MessageAttributes };
    for (const [operation, body] of [
      ['SendMessage', { QueueUrl, ...message }],
      [
        'SendMessageBatch',
        {
          QueueUrl,
          Entries: [
            { Id: '1', MessageBody: 'b' },
            { Id: '2', ...message },
          ],
        },
      ],
    ] as const) {
      const answer = await sqs(operation, body);

      expect(answer.status).toBe(400);
      expect(answer.body['__type']).toMatch(/SerializationException$/);
      expect(JSON.stringify(answer.body)).toContain(`${kind} can not be converted to a`);
    }
    expect(await bodiesInTheQueue()).toEqual([]);
  });

  test('both values: the one of the type must be the only one', async () => {
    const MessageAttributes = { a: { ...attribute, StringValue: 'x' } };

    const { body } = await sqs('SendMessage', { QueueUrl, MessageBody: 'a', MessageAttributes });

    expect(body).toMatchObject({
      message: "The message attribute 'a' with type 'Binary' must use field 'Binary'.",
    });
  });
});

describe('an entry of a batch that cannot be carried out', () => {
  /** A batch of these bodies, to a queue whose disk does not take those that begin with `lost`. */
  async function sent(...texts: readonly string[]): Promise<ApiAnswer> {
    const queues = new Queues({
      region: 'us-east-1',
      account: '111111111111',
      now: () => 0,
      newId: () => 'id',
      writeThrough: async change => {
        if (JSON.stringify(change).includes('lost')) throw new Error('no space left on device');
      },
    });
    queues.create('q');
    const request = { QueueUrl: 'q', Entries: texts.map(MessageBody => ({ Id: MessageBody, MessageBody })) };
    return sqsRoute({ queues, clock: new VirtualClock(0) }).handle({
      method: 'POST',
      path: '/',
      query: new URLSearchParams(),
      headers: {},
      target: { service: 'AmazonSQS', operation: 'SendMessageBatch' },
      body: Buffer.from(JSON.stringify(request)),
      requestId: 'r',
    });
  }

  test('one of three: failed by its Id, and the others have been sent', async () => {
    const { status, body } = await sent('first', 'lost', 'third');

    expect(status).toBe(200);
    expect(JSON.parse(String(body))).toMatchObject({
      Successful: [{ Id: 'first' }, { Id: 'third' }],
      Failed: [{ Id: 'lost', SenderFault: false, Code: 'InternalFailure' }],
    });
  });

  test('all of them: the request fails, as nothing has been sent', async () => {
    await expect(sent('lost', 'lost-2')).rejects.toThrow('no space left on device');
  });
});
