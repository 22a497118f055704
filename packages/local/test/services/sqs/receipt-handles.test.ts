import { advanceBy } from '../../../index';
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

type Kind = 'standard' | 'FIFO';

/** A queue with one message, and what receives it. */
async function queueOf(kind: Kind) {
  const fifo = { FifoQueue: 'true', ContentBasedDeduplication: 'true' };
  const request =
    kind === 'FIFO' ? { QueueName: 'q.fifo', Attributes: fifo } : { QueueName: 'q', Attributes: {} };
  const { QueueUrl } = (await sqs('CreateQueue', request)).body;
  const group = kind === 'FIFO' ? { MessageGroupId: 'g' } : {};
  await sqs('SendMessage', { QueueUrl, MessageBody: 'a', ...group });
  const receive = async (VisibilityTimeout = 60) => {
    const { Messages = [] } = (await sqs('ReceiveMessage', { QueueUrl, VisibilityTimeout })).body;
    return (Messages as { readonly ReceiptHandle: string }[]).map(({ ReceiptHandle }) => ReceiptHandle);
  };
  return { QueueUrl, receive };
}

async function messagesIn(QueueUrl: unknown): Promise<number> {
  const { Attributes } = (await sqs('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] })).body;
  const counts = Attributes as Readonly<Record<string, string>>;
  return ['', 'NotVisible'].reduce((sum, of) => sum + Number(counts[`ApproximateNumberOfMessages${of}`]), 0);
}

const HOURS_12_MS = 43_200_000;

/** The moments of a receipt handle: what has happened since its receive. */
const MOMENTS = {
  'the message is invisible': async () => undefined,
  'the visibility timeout is over': () => advanceBy(world.runtime, world.clock, 60_000),
  'the message was received again': async ({ receive }: Awaited<ReturnType<typeof queueOf>>) => {
    await advanceBy(world.runtime, world.clock, 60_000);
    expect(await receive()).toHaveLength(1);
  },
  'it was received 12 hours ago': () => advanceBy(world.runtime, world.clock, HOURS_12_MS),
} as const;

const DELETED = { status: 200, left: 0 };
const NOT_DELETED = { status: 400, left: 1 };

describe('a receipt handle', () => {
  test.each<[Kind, keyof typeof MOMENTS, typeof DELETED]>([
    ['standard', 'the message is invisible', DELETED],
    ['standard', 'the visibility timeout is over', DELETED],
    ['standard', 'the message was received again', DELETED],
    ['standard', 'it was received 12 hours ago', NOT_DELETED],
    ['FIFO', 'the message is invisible', DELETED],
    ['FIFO', 'the visibility timeout is over', NOT_DELETED],
    ['FIFO', 'the message was received again', NOT_DELETED],
    ['FIFO', 'it was received 12 hours ago', NOT_DELETED],
  ])('DeleteMessage, %s, %s: as AWS answers', async (kind, moment, { status, left }) => {
    const queue = await queueOf(kind);
    const { QueueUrl } = queue;
    const [ReceiptHandle] = await queue.receive();
    await MOMENTS[moment](queue);

    const answer = await sqs('DeleteMessage', { QueueUrl, ReceiptHandle });

    expect(answer.status).toBe(status);
    expect(await messagesIn(QueueUrl)).toBe(left);
    if (status === 200) return;
    const message = `Value ${ReceiptHandle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`;
    expect(answer.body).toEqual({ __type: 'com.amazonaws.sqs#InvalidParameterValueException', message });
    const { body } = await sqs('DeleteMessageBatch', { QueueUrl, Entries: [{ Id: '1', ReceiptHandle }] });
    expect(body).toEqual({
      Failed: [{ Id: '1', SenderFault: true, Code: 'InvalidParameterValue', Message: message }],
    });
  });

  test.each<[Kind, keyof typeof MOMENTS, number]>([
    ['standard', 'the message is invisible', 200],
    ['standard', 'the visibility timeout is over', 200],
    ['standard', 'the message was received again', 200],
    ['FIFO', 'the message is invisible', 200],
    ['FIFO', 'the visibility timeout is over', 400],
    ['FIFO', 'the message was received again', 400],
  ])('ChangeMessageVisibility, %s, %s: %i', async (kind, moment, status) => {
    const queue = await queueOf(kind);
    const { QueueUrl } = queue;
    const [ReceiptHandle] = await queue.receive();
    await MOMENTS[moment](queue);

    const hidden = await sqs('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout: 600 });

    expect(hidden.status).toBe(status);
    if (status === 400) return;
    await advanceBy(world.runtime, world.clock, 599_000);
    expect(await queue.receive()).toEqual([]);
    await sqs('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
    expect(await queue.receive()).toHaveLength(1);
  });

  test('the handle of one message: changes nothing of another', async () => {
    const { QueueUrl, receive } = await queueOf('standard');
    const [ReceiptHandle] = await receive();
    await sqs('SendMessage', { QueueUrl, MessageBody: 'b' });
    await sqs('DeleteMessage', { QueueUrl, ReceiptHandle });

    expect((await sqs('DeleteMessage', { QueueUrl, ReceiptHandle })).status).toBe(200);
    expect(await messagesIn(QueueUrl)).toBe(1);
  });
});
