import { openSqs, rejected } from './ask-sqs';

const { sqs, create } = openSqs();

const MIB = 1_048_576;
const text = (StringValue: string) => ({ DataType: 'String', StringValue });

describe('attributes of a message', () => {
  const MessageAttributes = { 'Help.Me': text('Me'), Hello: text('There'), General: text('Kenobi') };

  test.each([
    ['none', [], undefined, undefined],
    ['all by All', ['All'], ['Help.Me', 'Hello', 'General'], '4c360f3fdafd970e05fae2f149d997f5'],
    ['all by *', ['*'], ['Help.Me', 'Hello', 'General'], '4c360f3fdafd970e05fae2f149d997f5'],
    ['all by .*', ['.*'], ['Help.Me', 'Hello', 'General'], '4c360f3fdafd970e05fae2f149d997f5'],
    ['some', ['Hello', 'General'], ['Hello', 'General'], 'fca026605781cb4126a1e9044df24232'],
    ['one, and one that is not there', ['Foo', 'Hello'], ['Hello'], 'a311262e065454b75da111d535b8dacd'],
    ['by a beginning', ['Hel.*'], ['Help.Me', 'Hello'], '83fee93c1bcd8b9a5a923ffacdc636c7'],
    ['only those that are not there', ['Foo', 'Help'], [], undefined],
    ['a name that no attribute has', ['AWS.'], undefined, undefined],
    ['another', ['..foo'], undefined, undefined],
  ])('asked for %s: these and their digest', async (_case, MessageAttributeNames, names, digest) => {
    const QueueUrl = await create('q');
    await sqs('SendMessage', { QueueUrl, MessageBody: 'msg', MessageAttributes });

    const { body } = await sqs('ReceiveMessage', { QueueUrl, MessageAttributeNames });

    const [message] = body['Messages'] as [Record<string, object>];
    expect(message['MessageAttributes'] && Object.keys(message['MessageAttributes'])).toEqual(names);
    expect(message['MD5OfMessageAttributes']).toBe(digest);
  });

  test.each([
    ['aWs.x'],
    ['AMAZON.x'],
    ['.x'],
    ['x.'],
    ['a!b'],
    ['a"b'],
    ['a§b'],
    ['a(b'],
    ['a?b'],
    ['L'.repeat(257)],
    [''],
  ])('with the name %j: rejected', async name => {
    const QueueUrl = await create('q');
    const request = { QueueUrl, MessageBody: 'a', MessageAttributes: { [name]: text('x') } };

    expect(await sqs('SendMessage', request)).toEqual(rejected('InvalidParameterValue', expect.any(String)));
  });

  test.each([
    [
      'an empty text',
      text(''),
      "Message (user) attribute 'a' must contain a non-empty value of type 'String'.",
    ],
    ['a control character', text('\b'), expect.stringMatching(/^Invalid characters found/)],
    ['too long a type', { DataType: `Number.${'L'.repeat(256)}`, StringValue: '1' }, expect.any(String)],
    [
      'a number that is none',
      { DataType: 'Number', StringValue: 'x' },
      "Can't cast the value of message (user) attribute 'a' to a number.",
    ],
  ])('with %s: rejected', async (_case, attribute, message) => {
    const QueueUrl = await create('q');
    const request = { QueueUrl, MessageBody: 'a', MessageAttributes: { a: attribute } };

    expect(await sqs('SendMessage', request)).toEqual(rejected('InvalidParameterValue', message));
  });

  test('with letters of other alphabets, and numbers: taken', async () => {
    const QueueUrl = await create('q');
    const attributes = { 'attr.1øßä': text('x'), n: { DataType: 'Number.int', StringValue: '-1.5e3' } };

    const { status } = await sqs('SendMessage', {
      QueueUrl,
      MessageBody: 'a',
      MessageAttributes: attributes,
    });

    expect(status).toBe(200);
  });

  test('ten are taken, eleven are not', async () => {
    const QueueUrl = await create('q');
    const send = (count: number) => {
      const attributes = Array.from({ length: count }, (_, n) => [`a${n}`, text('x')]);
      return sqs('SendMessage', {
        QueueUrl,
        MessageBody: 'a',
        MessageAttributes: Object.fromEntries(attributes),
      });
    };

    expect((await send(10)).status).toBe(200);
    expect(await send(11)).toEqual(
      rejected(
        'InvalidParameterValue',
        'Number of message attributes [11] exceeds the allowed maximum [10].',
      ),
    );
  });

  test('a trace header: apart from the others, with a digest of its own', async () => {
    const QueueUrl = await create('q');
    const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';

    const { body: sent } = await sqs('SendMessage', {
      QueueUrl,
      MessageBody: 'test',
      MessageAttributes: { timestamp: { DataType: 'Number', StringValue: '1493147359900' } },
      MessageSystemAttributes: { AWSTraceHeader: text(trace) },
    });
    const { body } = await sqs('ReceiveMessage', {
      QueueUrl,
      AttributeNames: ['AWSTraceHeader', 'SenderId'],
    });

    expect(sent).toMatchObject({ MD5OfMessageSystemAttributes: '5ae4d5d7636402d80f4eb6d213245a88' });
    expect(body['Messages']).toMatchObject([
      { Attributes: { AWSTraceHeader: trace, SenderId: '111111111111' } },
    ]);
    const unknown = { QueueUrl, MessageBody: 'a', MessageSystemAttributes: { Other: text('x') } };
    expect((await sqs('SendMessage', unknown)).status).toBe(400);
  });
});

describe('the body of a message', () => {
  test.each([
    ['one byte of each', 'a'],
    ['two characters of JSON each', '"'],
    ['two bytes each', 'é'],
    ['four bytes each', '😀'],
  ])('of 1 MiB, with %s: taken, and one more byte rejected', async (_case, character) => {
    const QueueUrl = await create('q');
    const body = character.repeat(MIB / Buffer.byteLength(character));

    expect((await sqs('SendMessage', { QueueUrl, MessageBody: body })).status).toBe(200);
    expect(await sqs('SendMessage', { QueueUrl, MessageBody: `${body}a` })).toEqual(
      rejected(
        'InvalidParameterValue',
        'One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.',
      ),
    );
  });

  test.each(['\u0000', '\b', '\u0013', '\uffff', '\ufffe', '\ud800', 'a\u000bb'])(
    'with %j: rejected, alone and as an entry',
    async MessageBody => {
      const QueueUrl = await create('q');

      const alone = await sqs('SendMessage', { QueueUrl, MessageBody });
      const { body } = await sqs('SendMessageBatch', {
        QueueUrl,
        Entries: [
          { Id: '1', MessageBody: 'a' },
          { Id: '2', MessageBody },
        ],
      });

      expect(alone).toEqual(
        rejected('InvalidMessageContents', expect.stringMatching(/^Invalid characters found/)),
      );
      expect(body).toMatchObject({
        Successful: [{ Id: '1' }],
        Failed: [{ Id: '2', Code: 'InvalidMessageContents', SenderFault: true }],
      });
    },
  );

  test.each(['\t\n\r ', '\u007f', '\ud7ff', '\ue000', '\ufffd', '😀', '"&quot;\r'])(
    'with %j: comes as it was sent',
    async MessageBody => {
      const QueueUrl = await create('q');
      await sqs('SendMessage', { QueueUrl, MessageBody });

      const { body } = await sqs('ReceiveMessage', { QueueUrl });

      expect(body['Messages']).toMatchObject([{ Body: MessageBody }]);
    },
  );
});

describe('a batch', () => {
  test('of more than 1 MiB together: rejected as a whole', async () => {
    const QueueUrl = await create('q');
    const Entries = [
      { Id: '1', MessageBody: 'a'.repeat(MIB - 8), MessageAttributes: { k: text('x') } },
      { Id: '2', MessageBody: 'a' },
    ];

    expect(await sqs('SendMessageBatch', { QueueUrl, Entries })).toEqual(
      rejected(
        'AWS.SimpleQueueService.BatchRequestTooLong',
        'Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.',
      ),
    );
    expect((await sqs('SendMessageBatch', { QueueUrl, Entries: [Entries[0]] })).status).toBe(200);
  });

  test.each([[''], ['invalid:id'], ['x'.repeat(81)]])('with the id %j: rejected', async Id => {
    const QueueUrl = await create('q');
    for (const [operation, entry] of [
      ['SendMessageBatch', { MessageBody: 'a' }],
      ['DeleteMessageBatch', { ReceiptHandle: 'x' }],
      ['ChangeMessageVisibilityBatch', { ReceiptHandle: 'x', VisibilityTimeout: 1 }],
    ] as const) {
      expect(await sqs(operation, { QueueUrl, Entries: [{ Id, ...entry }] })).toEqual(
        rejected(
          'AWS.SimpleQueueService.InvalidBatchEntryId',
          'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 ' +
            'letters long.',
        ),
      );
    }
  });

  test.each([
    ['its group', { MessageDeduplicationId: 'b' }, 'The request must contain the parameter MessageGroupId.'],
    ['its deduplication id', { MessageGroupId: 'g' }, expect.stringMatching(/^The queue should either have/)],
  ])('for a FIFO queue, with an entry without %s: rejected as a whole', async (_case, members, message) => {
    const QueueUrl = await create('q.fifo', { FifoQueue: 'true' });
    const whole = { Id: '1', MessageBody: 'a', MessageGroupId: 'g', MessageDeduplicationId: 'a' };

    const Entries = [whole, { Id: '2', MessageBody: 'b', ...members }];

    expect(await sqs('SendMessageBatch', { QueueUrl, Entries })).toEqual(
      rejected('InvalidParameterValue', message),
    );
    expect((await sqs('ReceiveMessage', { QueueUrl })).body).toEqual({});
  });

  test('with an entry of too long a delay: this entry fails', async () => {
    const QueueUrl = await create('q');
    const Entries = [
      { Id: '1', MessageBody: 'a' },
      { Id: '2', MessageBody: 'a', DelaySeconds: 901 },
    ];

    expect((await sqs('SendMessageBatch', { QueueUrl, Entries })).body).toMatchObject({
      Successful: [{ Id: '1' }],
      Failed: [{ Id: '2', Code: 'InvalidParameterValue' }],
    });
  });
});

describe('a request', () => {
  test.each<[operation: string, request: object, parameter: string]>([
    ['SendMessage', {}, 'MessageBody'],
    ['SendMessage', { MessageBody: '' }, 'MessageBody'],
    ['DeleteMessage', {}, 'ReceiptHandle'],
    ['DeleteMessage', { ReceiptHandle: '' }, 'ReceiptHandle'],
    ['ChangeMessageVisibility', { ReceiptHandle: 'x' }, 'VisibilityTimeout'],
    ['ReceiveMessage', { QueueUrl: undefined }, 'QueueUrl'],
    ['GetQueueUrl', {}, 'QueueName'],
  ])('%s with %j: rejected by the name of the missing parameter', async (operation, request, parameter) => {
    const QueueUrl = await create('q');

    expect(await sqs(operation, { QueueUrl, ...request })).toEqual(
      rejected('MissingParameter', `The request must contain the parameter ${parameter}.`),
    );
  });

  test.each<[operation: string, parameter: string, value: number, rule: string]>([
    ['ReceiveMessage', 'MaxNumberOfMessages', 11, 'Must be between 1 and 10, if provided.'],
    ['ReceiveMessage', 'MaxNumberOfMessages', 0, 'Must be between 1 and 10, if provided.'],
    ['ReceiveMessage', 'WaitTimeSeconds', 21, 'Must be >= 0 and <= 20, if provided.'],
    ['ReceiveMessage', 'VisibilityTimeout', 43_201, 'Must be between 0 and 43200, if provided.'],
    ['ChangeMessageVisibility', 'VisibilityTimeout', -1, 'Must be between 0 and 43200, if provided.'],
    ['SendMessage', 'DelaySeconds', 901, 'DelaySeconds must be >= 0 and <= 900.'],
    ['SendMessage', 'DelaySeconds', -1, 'DelaySeconds must be >= 0 and <= 900.'],
  ])('%s with %s of %d: rejected with its bounds', async (operation, parameter, value, rule) => {
    const QueueUrl = await create('q');
    const request = { QueueUrl, MessageBody: 'a', ReceiptHandle: 'x.1', [parameter]: value };

    expect(await sqs(operation, request)).toEqual(
      rejected(
        'InvalidParameterValue',
        `Value ${value} for parameter ${parameter} is invalid. Reason: ${rule}`,
      ),
    );
  });

  test.each(['DeleteMessage', 'ChangeMessageVisibility'])(
    '%s with a text that is not a handle: rejected',
    async operation => {
      const QueueUrl = await create('q');
      const request = { QueueUrl, ReceiptHandle: 'garbage', VisibilityTimeout: 1 };

      expect(await sqs(operation, request)).toEqual(
        rejected(
          'ReceiptHandleIsInvalid',
          'The input receipt handle "garbage" is not a valid receipt handle.',
        ),
      );
    },
  );
});
