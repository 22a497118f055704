import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import type { ActionItem } from '@onceflow/console';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { act } from '../../../cli/console/actions/act';
import type { Connection } from '../../../cli/console/connection';
import { readDeliveries } from '../../../cli/console/views/read-deliveries';
import { readKey } from '../../../cli/console/views/read-key';
import { readKeys } from '../../../cli/console/views/read-keys';
import { readQueue } from '../../../cli/console/views/read-queue';
import type { LocalStackAccess } from '../../../cli/dev/local-stack-access';
import { reasonOf } from '../../../cli/repair/resend-message';
import { IdempotentWorkflow } from '../../../infra/index';
import { fails } from '../../support/world';
import { type CliWorld, ORDER, openCliWorld, wideConnectionTo } from '../world';
import { accessOfWorld } from './local-world';

const EVENT = { id: 'a', 'detail-type': 'OrderPlaced', source: 'shop.orders', detail: ORDER };

describe('deliveries and queues', () => {
  let c: CliWorld;
  beforeEach(async () => {
    c = await openCliWorld();
  });
  afterEach(() => c.close());

  const connection = (
    more: { local?: LocalStackAccess; isLocal?: boolean; mayWrite?: boolean } = {},
  ): Connection => {
    const { local, isLocal = true, mayWrite = true } = more;
    return wideConnectionTo(c.aws, {
      where: 'here',
      isLocal,
      mayWrite,
      stack: undefined,
      ...(local && { local: () => local }),
    });
  };
  const done = (at: Connection, { request }: ActionItem, values = {}) =>
    act(at, { request, values, once: 'a' });
  const found = (actions: readonly ActionItem[], title: string | RegExp): ActionItem => {
    const item = actions.find(one =>
      typeof title === 'string' ? one.title === title : title.test(one.title),
    );
    if (item === undefined) throw new Error(`no ${title} among ${actions.map(one => one.title).join(', ')}`);
    return item;
  };

  /** The queue `orders`, which has given these up to `dead`. */
  async function givenUp(...texts: readonly string[]) {
    const create = (QueueName: string, Attributes = {}) =>
      c.aws.sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
    await create('dead');
    const { queues } = c.world.stack;
    const deadLetterTargetArn = queues.find('dead')?.arn;
    await create('orders', { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 }) });
    for (const text of texts) {
      queues.send('orders', text);
      queues.receive('orders', { visibilitySeconds: 0 });
      queues.receive('orders');
    }
  }

  test('through the API alone: the queues, and by name what is not read, and where it is', async () => {
    await givenUp(JSON.stringify(EVENT));

    const { queues, rules, functions, deliveries, missing, actions } = await readDeliveries(
      connection({ isLocal: false }),
    );

    expect(queues?.find(({ name }) => name === 'dead')).toMatchObject({
      waiting: 1,
      inFlight: 0,
      oldest: null,
      keepsFor: ['queue orders'],
    });
    expect(queues?.find(({ name }) => name === 'orders')).toMatchObject({
      waiting: 0,
      deadLetterQueue: 'dead',
      maxReceiveCount: 1,
    });
    expect([rules, functions, deliveries, actions]).toEqual([null, null, null, []]);
    expect(missing.join()).toMatch(/EventBridge.*\/aws\/lambda\/NAME.*ApproximateAgeOfOldestMessage/);
  });

  test('a message that a queue has given up: why, and sent back to it; the second time it is not there', async () => {
    await givenUp(JSON.stringify(EVENT));
    for (const at of [connection(), connection({ local: accessOfWorld(c).access })]) {
      const [message] = (await readQueue(at, 'dead')).messages ?? [];
      expect(message?.reason).toMatch(
        /^queue orders moved it here: received (?:once|2 times), and not deleted$/,
      );
      expect(JSON.parse(message?.body ?? '')).toEqual(EVENT);
    }
    const [message] = (await readQueue(connection(), 'dead')).messages ?? [];
    expect(message?.actions).toHaveLength(1);
    const resend = found(message?.actions ?? [], 'Send it back to orders');
    expect(resend.writes).toEqual([
      'sends it to the queue orders, which moved it here',
      'deletes it from dead once it is accepted',
    ]);

    expect(await done(connection(), resend)).toEqual({
      kind: 'done',
      text: expect.stringMatching(/^it was accepted by arn:.*:orders$/),
    });
    expect(c.world.stack.queues.peek('dead')).toEqual([]);
    expect(c.world.stack.queues.peek('orders')).toHaveLength(1);
    expect(await done(connection(), resend)).toMatchObject({
      kind: 'rejected',
      text: expect.stringMatching(/cannot be received from dead now/),
    });
  });

  test('dead letters by cause: key and error of each, those of one cause resent, what would be rejected stays', async () => {
    c.world.step = () => fails('CardDeclined');
    const texts = ['order-8', 'order-9'].map(orderId =>
      JSON.stringify({ ...EVENT, detail: { ...ORDER, orderId } }),
    );
    for (const orderId of ['order-8', 'order-9']) await c.world.delivered({ ...ORDER, orderId });
    await givenUp(...texts, JSON.stringify({ ...EVENT, detail: {} }), 'x', JSON.stringify(EVENT));

    const { messages, actions } = await readQueue(connection({ local: accessOfWorld(c).access }), 'dead');

    expect(messages?.map(({ key, cause }) => [key?.key ?? null, cause])).toEqual([
      ['order-8', 'CardDeclined'],
      ['order-9', 'CardDeclined'],
      [null, 'no usable key'],
      [null, 'its body is not a JSON object'],
      ['order-7', 'no record'],
    ]);
    expect(messages?.map(({ actions: of }) => of.map(({ rejection }) => rejection))).toEqual([
      [null],
      [null],
      ['no usable key: it would be rejected again'],
      ['its body is not a JSON object: it would be rejected again'],
      [null],
    ]);
    const resend = found(actions, 'Resend these 2: CardDeclined');
    expect(actions).toEqual([resend]);
    expect(await done(connection(), resend)).toEqual({ kind: 'done', text: '2 messages resent' });
    expect(c.world.stack.queues.peek('orders')).toHaveLength(2);
    expect(c.world.stack.queues.peek('dead')).toHaveLength(3);
  });

  test('a message that a queue has given up, among several workflows: one way back, to that queue', async () => {
    await c.close();
    c = await openCliWorld({
      name: 'two workflows',
      more: stack => {
        const step = stack.node.findChild('ChargePaymentFunction') as unknown as IFunction;
        new IdempotentWorkflow(stack, 'Refund', {
          idempotencyKey: '{% $states.input.detail.orderId %}',
          step,
        });
      },
    });
    await givenUp(JSON.stringify(EVENT));
    const [message] = (await readQueue(connection(), 'dead')).messages ?? [];

    expect(message?.actions.map(({ title }) => title)).toEqual(['Send it back to orders']);
    expect(await done(connection(), found(message?.actions ?? [], 'Send it back to orders'))).toMatchObject({
      kind: 'done',
    });
    expect(c.world.stack.queues.peek('orders')).toHaveLength(1);
  }, 60_000);

  test('a page that only reads: the messages are not received, as that would count', async () => {
    await givenUp('x');
    const before = c.world.stack.queues.peek('dead');

    const { messages, about } = await readQueue(connection({ mayWrite: false }), 'dead');

    expect(messages).toBeNull();
    expect(about).toMatch(/--allow-writes/);
    expect(c.world.stack.queues.peek('dead')).toEqual(before);
  });

  test('a queue that is in use: nothing is received from it; one that is not there: a sentence', async () => {
    await givenUp('x');
    c.world.stack.queues.send('orders', 'y');

    const { messages, about } = await readQueue(connection(), 'orders');

    expect([messages, about]).toEqual([null, expect.stringMatching(/is not a dead-letter queue/)]);
    expect(c.world.stack.queues.peek('orders')).toMatchObject([{ receiveCount: 0 }]);
    await expect(readQueue(connection(), 'nothing')).rejects.toThrow('here has no queue nothing');
  });

  test('an event sent on the page: the rule, what it handed on, and the key; one that is none is rejected', async () => {
    const { access } = accessOfWorld(c);
    const at = connection({ local: access });
    const { rules, actions } = await readDeliveries(at);
    const ours = rules?.find(({ when }) => when.includes('shop.orders'));
    expect((await readDeliveries(at)).queues?.map(({ keepsFor }) => keepsFor)).toEqual(
      expect.arrayContaining([[`rule ${ours?.name}`], [expect.stringMatching(/^dispatcher .*Dispatcher/)]]),
    );
    expect(ours?.targets).toEqual([{ name: expect.any(String), deadLetterQueue: expect.any(String) }]);
    const send = found(actions, 'Send an event');
    const values = Object.fromEntries(send.fields.map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({ bus: ours?.bus, source: 'shop.orders', detailType: 'OrderPlaced' });

    const sent = await done(at, send, { ...values, detail: JSON.stringify(ORDER) });
    expect(sent.text).toMatch(/^the event \S+ is on the bus /);
    await c.world.settle();
    const { deliveries, functions } = await readDeliveries(at);
    expect(deliveries).toMatchObject([{ rule: ours?.name, retryCount: 0, error: null }]);
    expect(functions?.map(({ invocations }) => invocations)).toContainEqual([]);
    expect((await readKey(at, c.workflow.name, 'order-7')).record).toMatchObject({ status: 'COMPLETED' });
    expect(await done(at, send, { ...values, detail: '[]' })).toMatchObject({
      kind: 'rejected',
      text: expect.stringMatching(/^EventBridge rejects the event: MalformedDetail/),
    });
  });

  test.each([
    ['killBefore', 0, 'ABORTED'],
    ['killAfter', 1, 'ABORTED'],
    ['loseAnswer', 1, 'RUNNING'],
  ])('a fault, %s: strikes the next execution in that state, once', async (moment, runs, status) => {
    const { access } = accessOfWorld(c);
    const at = connection({ local: access });
    const read = async () => (await readKeys(at, c.workflow.name)).actions;
    const inject = found(await read(), 'Inject a fault');
    expect(await done(at, inject, { state: 'Nowhere', moment })).toMatchObject({ kind: 'rejected' });
    await done(at, inject, { state: 'Business step', moment });
    const disarm = found(await read(), /^Disarm fault 1: .*, in "Business step"$/);

    const executionArn = await c.world.deliver(ORDER);
    await c.world.pass(100);

    expect(await c.world.execution(executionArn)).toMatchObject({ status });
    expect(c.world.runs).toHaveLength(runs);
    expect((await read()).map(({ title }) => title)).toEqual(['Start', 'Inject a fault']);
    expect(await done(at, disarm)).toMatchObject({
      kind: 'rejected',
      text: expect.stringMatching(/^it has already struck/),
    });
    c.world.faults = (_, next) => next();
    expect(await c.world.delivered({ ...ORDER, orderId: 'another' })).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('time: skipped by as much as was said; where no stack runs in this process, rejected', async () => {
    const skipped: number[] = [];
    const { access } = accessOfWorld(c);
    const at = connection({ local: { ...access, skipTime: ms => skipped.push(ms) } });
    await c.ownerStoppedInStep();
    const { actions, bounds } = await readKey(at, c.workflow.name, 'order-7');
    const skip = found(actions, 'Skip time');
    const [field] = skip.fields;

    expect(await done(at, skip, { time: field?.value })).toMatchObject({ kind: 'done' });
    expect(skipped[0]).toBeGreaterThan((bounds[0]?.at ?? 0) - c.world.clock.now());
    expect(await done(at, skip, { time: 'soon' })).toEqual({
      kind: 'rejected',
      text: '"soon" is not a time such as 30s, 15min or 2h',
    });
    const time = '99999999999999999d';
    expect(await done(at, skip, { time })).toEqual({
      kind: 'rejected',
      text: `"${time}" leads to a time after the year 9999`,
    });
    expect(await done(connection(), skip, { time: '1h' })).toEqual({
      kind: 'rejected',
      text: 'this page does not serve a local stack; start it with `onceflow dev`',
    });
    expect(skipped).toHaveLength(1);
  });
});

describe('why a message lies in a dead-letter queue', () => {
  const message = {
    messageId: 'a',
    body: '',
    attributes: {},
    sentAt: 0,
    receiveCount: 3,
    givenUpBy: undefined,
  };

  test.each([
    [
      {
        ERROR_CODE: 'NO_RESOURCE',
        ERROR_MESSAGE: 'gone',
        RULE_ARN: 'arn:aws:events:e:1:rule/bus/orders',
        TARGET_ARN: 'arn:aws:states:e:1:stateMachine:m',
        RETRY_ATTEMPTS: '2',
      },
      'rule orders could not deliver it to m after 2 retries: NO_RESOURCE: gone',
    ],
    [{ Error: 'Sfn.AWSStepFunctionsException' }, 'it could not be started: Sfn.AWSStepFunctionsException'],
    [{}, 'unknown'],
  ])('%j: %s', (attributes, sentence) => {
    expect(reasonOf({ ...message, attributes })).toBe(sentence);
  });
});
