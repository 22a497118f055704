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

describe('a FIFO queue', () => {
  test('made, described, sent to and received from, in the words of the service', async () => {
    const Attributes = { FifoQueue: 'true', ContentBasedDeduplication: 'true' };
    const { body: created } = await sqs('CreateQueue', { QueueName: 'made.fifo', Attributes });
    const { QueueUrl } = created as { QueueUrl: string };
    const { body: described } = await sqs('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] });
    expect(described['Attributes']).toMatchObject(Attributes);

    const rejected = await sqs('SendMessage', { QueueUrl, MessageBody: 'a' });
    expect(rejected.body).toMatchObject({ message: expect.stringMatching(/parameter MessageGroupId/) });
    const { body: sent } = await sqs('SendMessage', { QueueUrl, MessageBody: 'a', MessageGroupId: 'g' });
    const { body: received } = await sqs('ReceiveMessage', {
      QueueUrl,
      MessageSystemAttributeNames: ['MessageGroupId', 'SequenceNumber', 'MessageDeduplicationId'],
    });

    expect(received['Messages']).toMatchObject([
      {
        Body: 'a',
        Attributes: {
          MessageGroupId: 'g',
          SequenceNumber: sent['SequenceNumber'],
          MessageDeduplicationId: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    ]);
  });

  test('other attributes are set: it stays one', async () => {
    const Attributes = { FifoQueue: 'true', ContentBasedDeduplication: 'true' };
    const { body: created } = await sqs('CreateQueue', { QueueName: 'stays.fifo', Attributes });
    const { QueueUrl } = created as { QueueUrl: string };

    await sqs('SetQueueAttributes', { QueueUrl, Attributes: { VisibilityTimeout: '90' } });

    const { body } = await sqs('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] });
    expect(body['Attributes']).toMatchObject({ ...Attributes, VisibilityTimeout: '90' });
  });

  test.each([
    ['made', 'true'],
    ['made.fifo', 'false'],
  ])('%s with FifoQueue %s: rejected', async (QueueName, FifoQueue) => {
    const { body } = await sqs('CreateQueue', { QueueName, Attributes: { FifoQueue } });

    expect(body).toMatchObject({ message: expect.stringMatching(/must end with \.fifo suffix/) });
  });
});
