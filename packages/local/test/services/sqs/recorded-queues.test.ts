import { openSqs, rejected } from './ask-sqs';

const { sqs, create, advanceBy } = openSqs();

const FIFO = { FifoQueue: 'true', ContentBasedDeduplication: 'true' };

describe('attributes of a queue', () => {
  test('a queue that is there, with another value: rejected; with the same, or none: its address', async () => {
    const Attributes = { ReceiveMessageWaitTimeSeconds: '1', DelaySeconds: '1' };
    const QueueUrl = await create('q', Attributes);
    const other = (DelaySeconds: string) =>
      sqs('CreateQueue', { QueueName: 'q', Attributes: { ...Attributes, DelaySeconds } });
    const message =
      'A queue already exists with the same name and a different value for attribute DelaySeconds';

    expect(await create('q')).toBe(QueueUrl);
    expect(await create('q', { DelaySeconds: '1' })).toBe(QueueUrl);
    expect(await other('2')).toEqual(rejected('QueueAlreadyExists', message));
    await sqs('SetQueueAttributes', { QueueUrl, Attributes: { DelaySeconds: '2' } });
    expect((await other('2')).body).toEqual({ QueueUrl });
    expect(await other('1')).toEqual(rejected('QueueAlreadyExists', message));
  });

  test('a FIFO queue that is there, with another deduplication: rejected', async () => {
    await create('q.fifo', FIFO);

    const Attributes = { ...FIFO, ContentBasedDeduplication: 'false' };

    expect(await sqs('CreateQueue', { QueueName: 'q.fifo', Attributes })).toEqual(
      rejected('QueueAlreadyExists', expect.stringMatching(/attribute ContentBasedDeduplication$/)),
    );
  });

  test('of a FIFO queue: all, also in capitals, and those of AWS by default', async () => {
    const QueueUrl = await create('q.fifo', { FifoQueue: 'True', ContentBasedDeduplication: 'True' });
    const { body } = await sqs('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] });
    await sqs('SetQueueAttributes', {
      QueueUrl,
      Attributes: { ContentBasedDeduplication: 'false', DeduplicationScope: 'messageGroup' },
    });
    const { body: after } = await sqs('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] });

    const usual = { DeduplicationScope: 'queue', FifoThroughputLimit: 'perQueue' };
    expect(body['Attributes']).toMatchObject({ ...FIFO, ...usual });
    expect(after['Attributes']).toMatchObject({
      FifoQueue: 'true',
      ContentBasedDeduplication: 'false',
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perQueue',
    });
  });

  test('a key of KMS: stored, and encryption by SQS is off', async () => {
    const QueueUrl = await create('q');
    const names = {
      AttributeNames: ['KmsMasterKeyId', 'KmsDataKeyReusePeriodSeconds', 'SqsManagedSseEnabled'],
    };
    const kms = { KmsMasterKeyId: 'testKeyId', KmsDataKeyReusePeriodSeconds: '6000' };
    const set = (Attributes: object) => sqs('SetQueueAttributes', { QueueUrl, Attributes });

    await set({ ...kms, SqsManagedSseEnabled: 'false' });
    expect((await sqs('GetQueueAttributes', { QueueUrl, ...names })).body).toEqual({
      Attributes: { ...kms, SqsManagedSseEnabled: 'false' },
    });
    expect(await set({ ...kms, SqsManagedSseEnabled: 'true' })).toEqual(
      rejected(
        'InvalidAttributeName',
        expect.stringMatching(/^You can use one type of server-side encryption/),
      ),
    );
    await set({ SqsManagedSseEnabled: 'true' });
    expect((await sqs('GetQueueAttributes', { QueueUrl, ...names })).body).toEqual({
      Attributes: { SqsManagedSseEnabled: 'true' },
    });
  });

  const unknown = (name: string) => rejected('InvalidAttributeName', `Unknown Attribute ${name}.`);

  test('an unknown name: rejected wherever it is given', async () => {
    const QueueUrl = await create('q');
    const Attributes = { Foobar: 'x' };

    expect(await sqs('CreateQueue', { QueueName: 'p', Attributes })).toEqual(unknown('Foobar'));
    expect(await sqs('SetQueueAttributes', { QueueUrl, Attributes })).toEqual(unknown('Foobar'));
    expect(await sqs('GetQueueAttributes', { QueueUrl, AttributeNames: ['Foobar'] })).toEqual(
      unknown('Foobar'),
    );
  });

  test('the type of a queue: not known by a standard queue, and not changed', async () => {
    const [standard, fifo] = [await create('q'), await create('q.fifo', FIFO)];
    const set = (QueueUrl: string, FifoQueue: string) =>
      sqs('SetQueueAttributes', { QueueUrl, Attributes: { FifoQueue } });

    expect(await set(standard, 'true')).toEqual(unknown('FifoQueue'));
    expect(await sqs('CreateQueue', { QueueName: 'p', Attributes: { FifoQueue: 'false' } })).toEqual(
      unknown('FifoQueue'),
    );
    expect((await set(fifo, 'true')).status).toBe(200);
    expect(await set(fifo, 'false')).toEqual(
      rejected(
        'InvalidAttributeValue',
        'Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.',
      ),
    );
  });

  const ARN = 'arn:aws:sqs:us-east-1:111111111111:dead';
  test.each<[policy: object, reason: string]>([
    [{ deadLetterTargetArn: 'dummy', maxReceiveCount: 42 }, 'Invalid value for deadLetterTargetArn.'],
    [{ deadLetterTargetArn: ARN }, 'Redrive policy does not contain mandatory attribute: maxReceiveCount.'],
    [{ maxReceiveCount: '42' }, 'Redrive policy does not contain mandatory attribute: deadLetterTargetArn.'],
    [
      { deadLetterTargetArn: ARN, maxReceiveCount: 'invalid' },
      'Invalid value for maxReceiveCount: invalid, valid values are from 1 to 1000 both inclusive.',
    ],
  ])('the redrive policy %j: rejected', async (policy, reason) => {
    const RedrivePolicy = JSON.stringify(policy);

    expect(await sqs('CreateQueue', { QueueName: 'q', Attributes: { RedrivePolicy } })).toEqual(
      rejected(
        'InvalidParameterValue',
        `Value ${RedrivePolicy} for parameter RedrivePolicy is invalid. Reason: ${reason}`,
      ),
    );
  });

  test('a redrive policy that is empty: taken away', async () => {
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: ARN, maxReceiveCount: 2 });
    const QueueUrl = await create('q', { RedrivePolicy });

    await sqs('SetQueueAttributes', { QueueUrl, Attributes: { RedrivePolicy: '' } });

    const { body } = await sqs('GetQueueAttributes', { QueueUrl, AttributeNames: ['RedrivePolicy'] });
    expect(body).toEqual({});
  });
});

describe('the tags of a queue', () => {
  const tagsOf = async (QueueUrl: string) => (await sqs('ListQueueTags', { QueueUrl })).body;

  test('given, replaced, in capitals and small letters, and taken away', async () => {
    const QueueUrl = await create('q');
    expect(await tagsOf(QueueUrl)).toEqual({});

    await sqs('TagQueue', { QueueUrl, Tags: { tag: 'a', Tag: 'b', empty: '' } });
    await sqs('TagQueue', { QueueUrl, Tags: { tag: 'A', more: 'x' } });
    await sqs('SetQueueAttributes', { QueueUrl, Attributes: { DelaySeconds: '1' } });
    expect(await tagsOf(QueueUrl)).toEqual({ Tags: { tag: 'A', Tag: 'b', empty: '', more: 'x' } });

    await sqs('UntagQueue', { QueueUrl, TagKeys: ['Tag', 'empty', 'none'] });
    expect(await tagsOf(QueueUrl)).toEqual({ Tags: { tag: 'A', more: 'x' } });
    await sqs('UntagQueue', { QueueUrl, TagKeys: ['tag', 'more'] });
    expect(await tagsOf(QueueUrl)).toEqual({});
  });

  test('given when it is made', async () => {
    const { body } = await sqs('CreateQueue', { QueueName: 'q', tags: { a: 'x' } });

    expect(await tagsOf(String(body['QueueUrl']))).toEqual({ Tags: { a: 'x' } });
  });
});

describe('a queue that is deleted', () => {
  test('is not there any more, and one of its name is new', async () => {
    const QueueUrl = await create('q', { DelaySeconds: '5' });
    await sqs('SendMessage', { QueueUrl, MessageBody: 'a' });

    expect((await sqs('DeleteQueue', { QueueUrl })).status).toBe(200);
    for (const [operation, more] of [
      ['DeleteQueue', {}],
      ['ReceiveMessage', {}],
      ['SendMessage', { MessageBody: 'b' }],
      ['ListQueueTags', {}],
    ] as const) {
      expect(await sqs(operation, { QueueUrl, ...more })).toEqual(
        rejected('AWS.SimpleQueueService.NonExistentQueue', 'The specified queue does not exist.'),
      );
    }
    expect((await sqs('ListQueues', {})).body).toEqual({});

    await create('q');
    advanceBy(10_000);
    expect((await sqs('ReceiveMessage', { QueueUrl })).body).toEqual({});
  });
});

describe('a FIFO queue', () => {
  const bodies = (received: Record<string, unknown>) =>
    ((received['Messages'] ?? []) as { Body: string }[]).map(({ Body }) => Body);
  const handles = (received: Record<string, unknown>) =>
    (received['Messages'] as { ReceiptHandle: string }[]).map(({ ReceiptHandle }) => ReceiptHandle);

  async function filled(...messages: readonly string[]) {
    const QueueUrl = await create('q.fifo', FIFO);
    for (const MessageBody of messages) {
      await sqs('SendMessage', { QueueUrl, MessageBody, MessageGroupId: MessageBody.split('-')[0] });
    }
    const receive = async (MaxNumberOfMessages: number, more: object = {}) =>
      (await sqs('ReceiveMessage', { QueueUrl, MaxNumberOfMessages, ...more })).body;
    return { QueueUrl, receive };
  }

  test('a group comes whole before the next', async () => {
    const { receive } = await filled('g1-m1', 'g2-m1', 'g1-m2', 'g1-m3');

    expect(bodies(await receive(10))).toEqual(['g1-m1', 'g1-m2', 'g1-m3', 'g2-m1']);
  });

  test('groups that were received come behind those that were not', async () => {
    const { receive } = await filled('g1-m1', 'g2-m1', 'g2-m2', 'g3-m1', 'g1-m2');
    advanceBy(1);

    expect(bodies(await receive(3, { VisibilityTimeout: 0 }))).toEqual(['g1-m1', 'g1-m2', 'g2-m1']);
    advanceBy(1);
    expect(bodies(await receive(10, { VisibilityTimeout: 0 }))).toEqual([
      ...['g3-m1', 'g1-m1', 'g1-m2', 'g2-m1', 'g2-m2'],
    ]);
  });

  test('a message that is given back comes, though one behind it is in flight', async () => {
    const { QueueUrl, receive } = await filled('g1-m1', 'g1-m2', 'g2-m1');
    const [ReceiptHandle] = handles(await receive(2));
    advanceBy(1);

    await sqs('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });

    expect(bodies(await receive(3))).toEqual(['g2-m1', 'g1-m1']);
  });

  test('messages behind one in flight wait, also when those before it are deleted', async () => {
    const { QueueUrl, receive } = await filled('g1-m1', 'g2-m1', 'g1-m2', 'g2-m2', 'g1-m3', 'g3-m1');
    const [first, second] = handles(await receive(2));

    await sqs('DeleteMessage', { QueueUrl, ReceiptHandle: first });
    expect(bodies(await receive(10, { VisibilityTimeout: 0 }))).toEqual(['g2-m1', 'g2-m2', 'g3-m1']);
    await sqs('DeleteMessage', { QueueUrl, ReceiptHandle: second });
    expect(bodies(await receive(10))).toContain('g1-m3');
  });

  test('a purge forgets the deduplication ids', async () => {
    const QueueUrl = await create('q.fifo', { FifoQueue: 'true' });
    const send = (MessageBody: string) => {
      const ids = { MessageGroupId: 'g', MessageDeduplicationId: 'once' };
      return sqs('SendMessage', { QueueUrl, MessageBody, ...ids });
    };
    await send('a');
    await sqs('PurgeQueue', { QueueUrl });
    await send('b');

    expect(bodies((await sqs('ReceiveMessage', { QueueUrl })).body)).toEqual(['b']);
  });

  test.each([
    ['queue', ['a']],
    ['messageGroup', ['a', 'b']],
  ])('with the scope %s: a deduplication id counts there', async (DeduplicationScope, expected) => {
    const QueueUrl = await create('q.fifo', { FifoQueue: 'true', DeduplicationScope });
    for (const MessageBody of ['a', 'b']) {
      const ids = { MessageGroupId: MessageBody, MessageDeduplicationId: 'once' };
      await sqs('SendMessage', { QueueUrl, MessageBody, ...ids });
      await sqs('SendMessage', { QueueUrl, MessageBody, ...ids });
    }

    const { body } = await sqs('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 });

    expect(bodies(body)).toEqual(expected);
  });

  test('a delay of 0 in a message is taken, and the queue delays it all the same', async () => {
    const QueueUrl = await create('q.fifo', { ...FIFO, DelaySeconds: '2' });
    const sent = await sqs('SendMessage', {
      QueueUrl,
      MessageBody: 'a',
      MessageGroupId: 'g',
      DelaySeconds: 0,
    });

    expect(sent.status).toBe(200);
    expect((await sqs('ReceiveMessage', { QueueUrl })).body).toEqual({});
  });
});
