import {
  CreateQueueCommand,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { resend } from '../../../cli/commands/resend';
import { PLAIN } from '../../../cli/terminal';
import { fails } from '../../support/world';
import { type CliWorld, ORDER, openCliWorld } from '../world';

let c: CliWorld;
beforeEach(async () => {
  c = await openCliWorld();
});
afterEach(() => c.close());

const WANTED = {
  queue: 'dead',
  limit: 100,
  perSecond: 100,
  isConfirmed: true,
  isForced: false,
} as const;
const FORCED = { ...WANTED, isForced: true };

const order = (orderId: string) => ({ ...ORDER, orderId });
const eventOf = (orderId: string) =>
  JSON.stringify({
    id: `id-${orderId}`,
    time: '2026-11-20T08:00:00Z',
    'detail-type': 'OrderPlaced',
    detail: order(orderId),
  });
const statusOf = async (orderId: string) => (await c.world.record(`ChargePayment#${orderId}`))?.['status']?.S;
const create = (QueueName: string, Attributes = {}) =>
  c.aws.sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
const bodies = (queue: string) => c.world.stack.queues.peek(queue)?.map(({ body }) => body);
const queueNamed = (part: string) =>
  c.world.stack.queues.list().find(({ name }) => name.includes(part))?.name ?? '';

async function put(
  QueueName: string,
  bodiesOf: readonly string[],
  MessageAttributes?: Record<string, MessageAttributeValue>,
) {
  const { QueueUrl } = await create(QueueName);
  for (const MessageBody of bodiesOf)
    await c.aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageAttributes }));
}

/** The queue `orders`, which has given these up to `dead`. */
async function givenUp(...texts: readonly string[]) {
  await create('dead');
  const deadLetterTargetArn = c.world.stack.queues.find('dead')?.arn;
  await create('orders', { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 }) });
  for (const text of texts) {
    c.world.stack.queues.send('orders', text);
    c.world.stack.queues.receive('orders', { visibilitySeconds: 0 });
    c.world.stack.queues.receive('orders');
  }
}

/** The context with an SQS that is asked through this. */
function withSqs(
  ask: (
    command: { readonly constructor: { readonly name: string }; readonly input: object },
    send: () => Promise<unknown>,
  ) => unknown,
) {
  const send = c.aws.sqs.send.bind(c.aws.sqs);
  const sqs = new Proxy(c.aws.sqs, {
    get: (target, name) =>
      name === 'send'
        ? (command: { constructor: { name: string }; input: object }, options: object) =>
            ask(command, () => send(command as never, options))
        : Reflect.get(target, name),
  });
  return { ...c.context, aws: { ...c.aws, sqs } };
}

describe('a queue that is not a dead-letter queue', () => {
  test('rejected, with what to do; nothing is received', async () => {
    await put('dead', [eventOf('a')]);

    await expect(resend.run(c.context, WANTED)).rejects.toThrow(/is not a dead-letter queue.*--force/);
    expect(c.world.stack.queues.peek('dead')).toMatchObject([{ receiveCount: 0 }]);
  });

  test('--force: its events are delivered to the workflow; a message that is not an event, or has no key, stays, named', async () => {
    await put('dead', [eventOf('a'), eventOf('b'), 'order 9, please', '{"detail":{"amount":1}}']);

    const answer = await resend.run(c.context, FORCED);
    await c.world.settle();

    expect(answer.code).toBe(1);
    expect(answer.text(PLAIN)).toMatch(
      /^2 messages of dead resent; 2 messages stay:\n {2}\S+: its body is not a JSON object.*\n {2}\S+: it has no usable key at \$states\.input\.detail\.orderId, where \S+ reads it\n$/,
    );
    expect([await statusOf('a'), await statusOf('b')]).toEqual(['COMPLETED', 'COMPLETED']);
    expect(bodies('dead')).toEqual(['order 9, please', '{"detail":{"amount":1}}']);
  });

  test('two messages of one body: each is delivered, and both are gone', async () => {
    await put('dead', [eventOf('a'), eventOf('a')]);

    const answer = await resend.run(c.context, FORCED);

    const { resent } = answer.json as { readonly resent: readonly { readonly to: string }[] };
    expect(new Set(resent.map(({ to }) => to)).size).toBe(2);
    expect(bodies('dead')).toEqual([]);
  });

  test('more than --limit: the others are not even received', async () => {
    await put('dead', [eventOf('a'), eventOf('b'), eventOf('c')]);

    await resend.run(c.context, { ...FORCED, limit: 2 });

    expect(c.world.stack.queues.peek('dead')).toMatchObject([{ body: eventOf('c'), receiveCount: 0 }]);
  });

  test('a delete that was lost: the message is started once all the same', async () => {
    await put('dead', [eventOf('a')]);
    const lossy = withSqs((command, send) =>
      command.constructor.name === 'DeleteMessageCommand'
        ? Promise.reject(Object.assign(new Error('lost'), { name: 'ServiceUnavailable' }))
        : send(),
    );

    await resend.run(lossy, FORCED);
    const second = await resend.run(c.context, FORCED);

    expect(second.code).toBe(0);
    expect(bodies('dead')).toEqual([]);
    expect(await c.world.executions()).toHaveLength(1);
  });
});

describe('dead letters of the workflow’s own sources', () => {
  test('what the dispatcher could not start: starts again what it would have started, without `id` and `time`', async () => {
    const queue = queueNamed('NotStarted');
    const error = { Error: { DataType: 'String', StringValue: 'States.Timeout' } };
    await put(queue, [eventOf('a')], error);

    const answer = await resend.run(c.context, { ...WANTED, queue });
    await c.world.settle();

    expect(answer.code).toBe(0);
    expect(bodies(queue)).toEqual([]);
    expect(await statusOf('a')).toBe('COMPLETED');
    const [execution] = await c.world.executions();
    expect(Object.keys(JSON.parse(execution?.input ?? '{}')).sort()).toEqual(['detail', 'detail-type']);
  });

  test('what a subscriber of a custom event bus could not deliver: stays, with where to read how it comes again', async () => {
    const { arn } = c.world.stack.queues.create('undelivered');
    c.world.stack.queues.create('source', {
      redrivePolicy: { deadLetterTargetArn: arn, maxReceiveCount: 1 },
    });
    const machines = c.world.stack.assembly.stateMachines;
    const dispatcher = machines.find(({ arn: machine }) => machine !== c.workflow.stateMachineArn)?.arn ?? '';
    const text = (StringValue: string) => ({ DataType: 'String', StringValue });
    // With the key at its place, and a target that could be started: it is not an event even so.
    const record = JSON.stringify({
      version: '1.0',
      failedMessages: [{ eventId: 'e' }],
      detail: { orderId: 'a' },
    });
    await put('undelivered', [record], {
      SUBSCRIBER_ARN: text('arn:aws:events:us-east-1:111111111111:subscriber/orders-to-payments/1a2b3c'),
      TARGET_ARN: text(dispatcher),
      ERROR_CODE: text('ACCESS_DENIED'),
    });

    const answer = await resend.run(c.context, { ...WANTED, queue: 'undelivered', isForced: true });
    await c.world.settle();

    expect(answer.text(PLAIN)).toMatch(
      /subscriber orders-to-payments of a custom event bus has left the ids of events, not the events\. Let the bus/,
    );
    expect(bodies('undelivered')).toEqual([record]);
    expect(c.world.runs).toEqual([]);
  });

  test('what a rule could not deliver: to the target that it names; all else stays', async () => {
    const queue = queueNamed('NotDelivered');
    const machines = c.world.stack.assembly.stateMachines;
    const dispatcher = machines.find(({ arn }) => arn !== c.workflow.stateMachineArn);
    const target = (arn = '') => ({ TARGET_ARN: { DataType: 'String', StringValue: arn } });
    await put(queue, [eventOf('a')], target(dispatcher?.arn));
    await put(queue, [eventOf('b')], target('arn:aws:states:us-east-1:111111111111:stateMachine:Other'));
    await put(queue, [eventOf('c')]);

    const answer = await resend.run(c.context, { ...WANTED, queue });
    await c.world.settle();

    expect(answer.text(PLAIN)).toMatch(
      /^1 message of .* resent; 2 messages stay:\n.*its target is arn\S+Other, which .*\n.*its target is unknown/,
    );
    expect(bodies(queue)).toEqual([eventOf('b'), eventOf('c')]);
    expect([await statusOf('a'), await statusOf('b')]).toEqual(['COMPLETED', undefined]);
  });
});

describe('what another queue has given up', () => {
  test('back to it, with its attributes; then the queue is empty', async () => {
    await givenUp();
    const messageAttributes = { Shop: { DataType: 'String', StringValue: 's1' } };
    c.world.stack.queues.send('orders', eventOf('a'), { messageAttributes });
    c.world.stack.queues.receive('orders', { visibilitySeconds: 0 });
    c.world.stack.queues.receive('orders');
    expect(bodies('dead')).toEqual([eventOf('a')]);

    const answer = await resend.run(c.context, WANTED);

    expect(answer.code).toBe(0);
    expect(bodies('dead')).toEqual([]);
    expect(c.world.stack.queues.peek('orders')).toMatchObject([{ body: eventOf('a'), messageAttributes }]);
    expect((await resend.run(c.context, WANTED)).text(PLAIN)).toBe('dead is empty\n');
  });

  test('no JSON object: stays, named, and can be received again at once', async () => {
    await givenUp('garbage');

    const answer = await resend.run(c.context, WANTED);

    expect(answer).toMatchObject({
      code: 1,
      json: { resent: [], left: [{ problem: expect.stringContaining('not a JSON object') }] },
    });
    expect(bodies('orders')).toEqual([]);
    expect(c.world.stack.queues.counts('dead')).toMatchObject({ visible: 1, notVisible: 0 });
  });

  test('in flight, received by another consumer: said, and not called empty', async () => {
    await givenUp('{}');
    const QueueUrl = c.world.stack.queues.find('dead')?.url;
    await c.aws.sqs.send(new ReceiveMessageCommand({ QueueUrl }));

    expect((await resend.run(c.context, WANTED)).text(PLAIN)).toContain(
      'nothing to receive now; 1 in flight',
    );
  });

  test('Ctrl-C: says what has been done, and what was not begun can be received again', async () => {
    await givenUp(eventOf('a'), eventOf('b'), eventOf('c'));
    const ended = new AbortController();
    const ending = withSqs(async (command, send) => {
      const answer = await send();
      if (command.constructor.name === 'DeleteMessageCommand') ended.abort();
      return answer;
    });
    const context = { ...ending, aws: { ...ending.aws, signal: ended.signal } };

    const answer = await resend.run(context, WANTED);

    expect(answer).toMatchObject({ code: 130, json: { resent: [{}], left: [], endedBy: 'interrupted' } });
    expect(c.world.stack.queues.counts('dead')).toMatchObject({ visible: 2, notVisible: 0 });
  });
});

test('few messages, which only a receive that waits finds, as it asks all servers of SQS: resent', async () => {
  await givenUp(eventOf('a'));
  const asked = withSqs((command, send) =>
    command.constructor.name === 'ReceiveMessageCommand' && !('WaitTimeSeconds' in command.input)
      ? {}
      : send(),
  );

  expect(await resend.run(asked, WANTED)).toMatchObject({ json: { resent: [{ to: expect.any(String) }] } });
});

test('a message that SQS hands out again although it was deleted: resent once', async () => {
  // A receive takes ten.
  const texts = Array.from({ length: 12 }, (_, n) => eventOf(`order-${n}`));
  await givenUp(...texts);
  const answers: unknown[] = [];
  const again = withSqs(async (command, send) => {
    if (command.constructor.name !== 'ReceiveMessageCommand') return send();
    answers.push(answers.length === 1 ? answers[0] : await send());
    return answers.at(-1);
  });

  const answer = await resend.run(again, WANTED);

  expect(answers).toHaveLength(3);
  expect(answer.code).toBe(0);
  expect(bodies('orders')?.sort()).toEqual(texts.sort());
});

test('no user to ask: rejected, and nothing is received', async () => {
  await put('dead', ['{}']);

  await expect(resend.run(c.context, { ...FORCED, isConfirmed: false })).rejects.toMatchObject({ code: 2 });
  expect(c.world.stack.queues.peek('dead')).toMatchObject([{ receiveCount: 0 }]);
});

test('no such queue: said, also without a user to ask', async () => {
  for (const isConfirmed of [true, false]) {
    const answer = resend.run(c.context, { ...WANTED, queue: 'nowhere', isConfirmed });
    await expect(answer).rejects.toThrow(/there is no queue nowhere/);
  }
});

test('a queue of another region, service or account, or no name at all: wrong usage', async () => {
  await givenUp(eventOf('a'));
  const arn = c.world.stack.queues.find('dead')?.arn ?? '';
  expect(arn).toMatch(/^arn:aws:sqs:us-east-1:\d{12}:dead$/);
  const url = c.world.stack.queues.find('dead')?.url ?? '';
  const wrong = [
    arn.replace('us-east-1', 'eu-west-1'),
    arn.replace(':sqs:', ':sns:'),
    arn.replace(/\d{12}/, '999999999999'),
    url.replace(/\d{12}/, '999999999999'),
    `https://sqs.eu-west-1.amazonaws.com/${arn.split(':')[4]}/dead`,
    'a queue',
    '',
  ];

  for (const queue of wrong)
    await expect(resend.run(c.context, { ...WANTED, queue })).rejects.toMatchObject({ code: 2 });
  expect(bodies('dead')).toEqual([eventOf('a')]);
  expect((await resend.run(c.context, { ...WANTED, queue: arn })).code).toBe(0);
});

test('--dry-run: groups by cause, with the keys of the messages, and nothing is sent', async () => {
  c.world.step = () => fails('NoCourier');
  for (const id of ['order-1', 'order-2']) await c.world.delivered(order(id));
  await givenUp(eventOf('order-1'), eventOf('order-2'), 'no json', '{"to":"B"}');

  const text = (await resend.run(c.context, { ...WANTED, isDryRun: true })).text(PLAIN);

  expect(text).toMatch(/^2 messages {2}NoCourier: ChargePayment#order-\d, ChargePayment#order-\d\n/);
  expect(text).toContain('1 message  no usable key; stays in the queue\n');
  expect(bodies('dead')).toHaveLength(4);
});

test('messages of one cause: those alone; one without a usable key stays and is listed', async () => {
  c.world.step = () => fails('NoCourier');
  await c.world.delivered(order('order-1'));
  await givenUp(eventOf('order-1'), '{"to":"B"}');

  const one = (await resend.run(c.context, { ...WANTED, reason: 'NoCourier' })).text(PLAIN);
  const other = (await resend.run(c.context, WANTED)).text(PLAIN);

  expect(one).toMatch(/^1 message of dead resent/);
  expect(other).toMatch(
    /^0 messages of dead resent; 1 message stay[\s\S]*no usable key: it would be rejected again/,
  );
  expect(bodies('dead')).toEqual(['{"to":"B"}']);
});
