import type { Stack } from 'aws-cdk-lib';
import { Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { FailureDestination, type IdempotentWorkflowProps, Recovery } from '../../infra/index';
import { isNameOf } from '../../state-machine/contract/execution-name';
import { failing, noFault, stopping } from '../support/faults';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const variant = (
  name: string,
  workflow: Partial<IdempotentWorkflowProps> = {},
  maxAttempts = 10,
): Variant => ({
  name: `redeliver ${name}`,
  workflow: { recovery: Recovery.automatic({ redeliverFailed: { maxAttempts } }), ...workflow },
});

let world: World;
afterEach(() => world.close());

async function redeliveries() {
  const stateMachineArn = world.stack.output('RedeliveryArn');
  const { executions } = await world.stack.runtime.listExecutions({ stateMachineArn });
  const described = executions.map(({ executionArn }) => world.execution(executionArn));
  return (await Promise.all(described)).reverse();
}

const endsOf = async () => (await redeliveries()).map(({ status, error }) => error ?? status);
const statusOf = async () => (await world.record(KEY))?.['status']?.S;

/** When each execution of the workflow began, in whole minutes from the beginning. */
async function minutes() {
  const began = (await world.executions()).map(({ startDate }) => startDate);
  return began.map(at => Math.round((at - (began[0] ?? 0)) / MINUTE));
}

describe('redeliverFailed', () => {
  // The dispatcher's second start of a key ends with sixteen characters, as the name of a redelivery does.
  test.each(['order-redelivery-3', 'order-7-redelivery-3-0123456789abcdef'])(
    'the key %s, which looks like a redelivery: delivered again each time that it fails',
    async orderId => {
      world = await openWorld(variant('look-alike', {}, 1));
      world.step = () => fails('Shop.Away');
      await world.publish({ ...ORDER, orderId });
      expect(world.runs).toHaveLength(2);
      world.step = () => (world.runs.length === 3 ? fails('Shop.Away') : returns('charged'));
      await world.publish({ ...ORDER, orderId });

      expect(await world.record(`ChargePayment#${orderId}`)).toMatchObject({ status: { S: 'COMPLETED' } });
      expect(world.runs).toHaveLength(4);
    },
  );

  test('a step that fails for five hours, then works: one event, no other delivery, done', async () => {
    world = await openWorld(variant('plain'));
    const works = world.clock.now() + 5 * HOUR;
    world.step = () => (world.clock.now() < works ? fails('Shop.Away') : returns('charged'));
    const executionArn = await world.deliver(ORDER);
    await world.settle();

    expect(await statusOf()).toBe('COMPLETED');
    expect(await minutes()).toEqual([0, 5, 15, 35, 75, 135, 195, 255, 315]);
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // What it delivers is started for itself no more than to be left alone.
    expect((await redeliveries()).map(({ output }) => output)).toEqual([
      '{"deliveries":8}',
      ...Array.from({ length: 7 }, () => '{"deliveries":0}'),
    ]);
    const billed = (await redeliveries()).map(one => world.stack.runtime.billedTransitions(one.executionArn));
    expect(billed).toEqual([7 + 4 * 8, ...Array.from({ length: 7 }, () => 2)]);
    const [{ name = '' } = {}, ...others] = await world.executions();
    expect(executionArn.endsWith(name)).toBe(true);
    expect(others.every(one => isNameOf(name, one.name))).toBe(true);
  });

  test.each([
    [0, 2],
    [3, 3 + 3 * 3],
  ])(
    'an event whose step fails takes, with %i redeliveries, %i starts out of the quota',
    async (tries, starts) => {
      const recovery = Recovery.automatic(tries > 0 ? { redeliverFailed: { maxAttempts: tries } } : {});
      world = await openWorld({ name: `redeliver ${tries}, counted`, workflow: { recovery } });
      world.step = () => fails('Shop.Away');
      await world.delivered(ORDER);

      const standard = world.stack.assembly.stateMachines.filter(({ type }) => type === 'STANDARD');
      const lists = await Promise.all(
        standard.map(({ arn: stateMachineArn }) => world.stack.runtime.listExecutions({ stateMachineArn })),
      );
      expect(lists.flatMap(({ executions }) => executions)).toHaveLength(starts);
    },
  );

  test('a step that fails for ever: as often as said, then given up, which says so', async () => {
    world = await openWorld(variant('thrice', {}, 3));
    world.step = () => fails('Shop.Away');
    await world.delivered(ORDER);

    expect(await minutes()).toEqual([0, 5, 15, 35]);
    const [first, ...others] = await redeliveries();
    expect(first).toMatchObject({ status: 'FAILED', error: 'Idempotency.RecoveryGivenUp' });
    expect(JSON.parse(first?.cause ?? '')).toMatchObject({
      idempotencyKey: KEY,
      message: expect.stringContaining('the step has failed in every delivery'),
    });
    expect(others.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
    expect(await statusOf()).toBe('FAILED');
  });

  test('each failure is sent to `onFailure`, by its attempt; the last one is the last', async () => {
    const toQueue = (stack: Stack) => ({
      onFailure: FailureDestination.queue(new Queue(stack, 'Failures', { queueName: 'failures' })),
    });
    world = await openWorld({ ...variant('told', {}, 2), settings: toQueue });
    world.step = () => fails('Shop.Away');
    await world.delivered(ORDER);

    const told = world.stack.queues.peek('failures') ?? [];
    expect(told.map(({ body }) => (JSON.parse(body) as { attempt: number }).attempt)).toEqual([1, 2, 3]);
  });

  test('the sender delivers again meanwhile, and it succeeds: nothing more is delivered', async () => {
    world = await openWorld(variant('plain'));
    world.step = () => fails('Shop.Away');
    await world.deliver(ORDER);
    await world.pass(MINUTE);
    world.step = () => returns('charged');
    await world.deliver(ORDER);
    await world.settle();

    expect(await world.executions()).toHaveLength(2);
    expect(await endsOf()).toEqual(['SUCCEEDED']);
  });

  test('the sender delivers again, and it fails as well: one of them is delivered again', async () => {
    world = await openWorld(variant('thrice', {}, 3));
    world.step = () => fails('Shop.Away');
    await world.deliver(ORDER);
    await world.pass(MINUTE);
    await world.deliver(ORDER);
    await world.settle();

    expect(await minutes()).toEqual([0, 1, 6, 16, 36]);
  });

  test('a status change comes twice: delivered once each time', async () => {
    world = await openWorld(variant('thrice', {}, 3));
    world.deliveries = async (_attempt, next) => {
      await next();
      return next();
    };
    world.step = () => fails('Shop.Away');
    await world.delivered(ORDER);

    expect(await minutes()).toEqual([0, 5, 15, 35]);
  });

  test('a status change comes again a minute later: each redelivery counts those of the other', async () => {
    world = await openWorld(variant('thrice', {}, 3));
    const again: (() => Promise<unknown>)[] = [];
    world.deliveries = async ({ targetArn }, next) => {
      if (targetArn === world.stack.output('RedeliveryArn')) again.push(next);
      return next();
    };
    world.step = () => fails('Shop.Away');
    await world.deliver(ORDER);
    await world.pass(MINUTE);
    await again[0]?.();
    await world.settle();

    expect(await minutes()).toEqual([0, 5, 15, 35]);
    const given = 'Idempotency.RecoveryGivenUp';
    expect(await endsOf()).toEqual([given, given, 'SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
  });

  test('only the first status change comes: delivered as often as said all the same', async () => {
    world = await openWorld(variant('thrice', {}, 3));
    let come = 0;
    world.deliveries = async ({ targetArn }, next) => {
      if (targetArn !== world.stack.output('RedeliveryArn')) return next();
      come += 1;
      return come === 1 ? next() : { executionArn: 'lost' };
    };
    world.step = () => fails('Shop.Away');
    await world.delivered(ORDER);

    expect(await minutes()).toEqual([0, 5, 15, 35]);
  });

  test('what it has delivered is interrupted within its step: redriven, and delivered again in its turn', async () => {
    world = await openWorld(variant('four', {}, 4));
    world.step = () => fails('Shop.Away');
    await world.deliver(ORDER);
    await world.pass(MINUTE);
    world.faults = stopping(world, 'Business step', 'before');
    await world.pass(10 * MINUTE);
    world.faults = noFault;
    await world.settle();

    const names = (await world.executions()).map(({ name, redriveCount }) => [
      /-(?:redelivery|recovery)-.*(?=-)/.exec(name)?.[0],
      redriveCount,
    ]);
    expect(names).toEqual([
      [undefined, 0],
      ['-redelivery-1', 1],
      ['-redelivery-2', 0],
      ['-redelivery-3', 0],
      ['-redelivery-4', 0],
    ]);
    expect(await statusOf()).toBe('FAILED');
    expect((await endsOf()).filter(end => end !== 'SUCCEEDED')).toEqual(['Idempotency.RecoveryGivenUp']);
  });

  test('what it has delivered is interrupted before it could take the record over: delivered once more', async () => {
    world = await openWorld(variant('plain'));
    world.step = () => fails('Shop.Away');
    await world.deliver(ORDER);
    await world.pass(MINUTE);
    world.step = () => returns('charged');
    world.faults = stopping(world, 'Take over', 'before');
    await world.pass(10 * MINUTE);
    world.faults = noFault;
    await world.settle();

    expect(await statusOf()).toBe('COMPLETED');
    expect(await minutes()).toEqual([0, 5, 15]);
  });

  test('what it has delivered is interrupted, and its record is lost: recovered, and the number goes on', async () => {
    world = await openWorld(variant('twice', {}, 2));
    world.step = () => fails('Shop.Away');
    await world.deliver(ORDER);
    await world.pass(MINUTE);
    world.faults = stopping(world, 'Business step', 'before');
    await world.pass(4.1 * MINUTE);
    world.faults = noFault;
    await world.deleteRecord(KEY);
    await world.settle();

    const names = (await world.executions()).map(({ name }) => /-redelivery-.*(?=-)/.exec(name)?.[0]);
    expect(names).toEqual([undefined, '-redelivery-1', '-redelivery-1-recovery-1', '-redelivery-2']);
    expect((await endsOf()).filter(end => end !== 'SUCCEEDED')).toEqual(['Idempotency.RecoveryGivenUp']);
  });

  test('what it has delivered fails after a long time: delivered again', async () => {
    world = await openWorld(variant('plain'));
    world.step = () => fails('Shop.Away');
    await world.deliver(ORDER);
    await world.pass(MINUTE);
    world.faults = failing('Record the failure', 'DynamoDB.AccessDeniedException');
    await world.pass(HOUR);
    expect(await world.executions()).toHaveLength(2);
    world.faults = noFault;
    await world.pass(10 * MINUTE);
    world.step = () => returns('charged');
    await world.settle();

    expect(await statusOf()).toBe('COMPLETED');
    expect(await world.executions()).toHaveLength(3);
  });

  test('what it has delivered fails after hours: looked at within `maxDelay`, and delivered again', async () => {
    world = await openWorld(variant('plain'));
    world.step = () => fails('Shop.Away');
    await world.deliver(ORDER);
    await world.pass(MINUTE);
    world.faults = failing('Record the failure', 'DynamoDB.AccessDeniedException');
    await world.pass(320 * MINUTE);
    world.faults = noFault;
    await world.pass(10 * MINUTE);
    expect(await statusOf()).toBe('FAILED');
    world.step = () => returns('charged');
    await world.pass(HOUR);

    expect(await statusOf()).toBe('COMPLETED');
    await world.settle();
  });

  test('the record of the failure is gone: given up by name', async () => {
    world = await openWorld(variant('plain'));
    world.step = () => fails('Shop.Away');
    await world.deliver(ORDER);
    await world.pass(MINUTE);
    await world.deleteRecord(KEY);
    await world.settle();

    const [first] = await redeliveries();
    expect(first).toMatchObject({
      status: 'FAILED',
      error: 'Idempotency.RecoveryGivenUp',
      cause: expect.stringContaining('the record of the failure is gone'),
    });
    expect(await world.executions()).toHaveLength(1);
  });

  test('what it has delivered is at work for a day: left to it', async () => {
    world = await openWorld(variant('plain'));
    world.step = () => fails('Shop.Away');
    await world.deliver(ORDER);
    await world.pass(MINUTE);
    world.step = () => returns('charged');
    world.faults = failing('Record the result', 'DynamoDB.AccessDeniedException');
    await world.pass(7 * HOUR);
    expect(await world.executions()).toHaveLength(2);
    world.faults = noFault;
    await world.settle();

    expect(await statusOf()).toBe('COMPLETED');
    expect(await world.executions()).toHaveLength(2);
    expect(await endsOf()).toEqual(['SUCCEEDED']);
  });

  test('the execution fails before its record is finished: checked after the delay, not at once', async () => {
    world = await openWorld(variant('plain'));
    world.faults = failing('Record the result', 'DynamoDB.AccessDeniedException');
    await world.deliver(ORDER);
    await world.pass(24.5 * HOUR);
    world.faults = noFault;
    await world.settle();

    const transitions = (await redeliveries()).map(one =>
      world.stack.runtime.billedTransitions(one.executionArn),
    );
    expect(await statusOf()).toBe('COMPLETED');
    expect(new Set(await endsOf())).toEqual(new Set(['SUCCEEDED']));
    // Three for each check: after five minutes, ten, twenty, and each hour then.
    expect(Math.max(...transitions)).toBeLessThan(100);
  });

  test('an operator releases the key: left to the next delivery', async () => {
    world = await openWorld(variant('plain'));
    world.step = () => fails('Shop.Away');
    await world.deliver(ORDER);
    await world.pass(MINUTE);
    const record = (await world.record(KEY)) ?? {};
    await world.putRecord({ ...record, error: { S: '{"Error":"Idempotency.Released","Cause":""}' } });
    await world.settle();

    expect(await world.executions()).toHaveLength(1);
  });

  test('deliveries that are answered, rejected or have no key: it is not started, except for interrupted ones', async () => {
    world = await openWorld(variant('plain'));
    await world.delivered(ORDER);
    await world.delivered({ ...ORDER, amount: 1 });
    await world.delivered({ nothing: true });
    world.faults = stopping(world, 'Business step', 'before');
    await world.delivered({ ...ORDER, orderId: 'order-8' });

    expect(await redeliveries()).toEqual([]);
  });

  test('an input that the event does not carry: read, and delivered as it is', async () => {
    world = await openWorld(variant('plain'));
    const order = { ...ORDER, note: 'n'.repeat(250 * 1024) };
    world.step = () => (world.runs.length === 1 ? fails('Shop.Away') : returns('charged'));
    await world.delivered(order);

    const [failed, delivered] = await world.executions();
    expect(delivered?.input === failed?.input).toBe(true);
    expect(await statusOf()).toBe('COMPLETED');
  });
});

describe('redeliverFailed of a workflow that delivers at most once', () => {
  test.each([
    ['a failure that is the own answer of the step', 'Shop.Away', ['Shop.Away', 'Shop.Away', 'Shop.Away']],
    ['doubt', 'Lambda.SdkClientException', ['Idempotency.InDoubt']],
  ])('%s', async (_, error, ends) => {
    world = await openWorld(variant('at most once', { delivery: 'at-most-once' }, 2));
    world.step = () => fails(error);
    await world.delivered(ORDER);

    expect((await world.executions()).map(one => one.error)).toEqual(ends);
  });
});

describe('redeliverFailed of a workflow that now delivers at most once', () => {
  test('a failure of before that leaves doubt: no delivery would run its step again', async () => {
    world = await openWorld(variant('at most once', { delivery: 'at-most-once' }, 2));
    world.step = () => fails('Shop.Away');
    await world.deliver(ORDER);
    await world.pass(MINUTE);
    const record = (await world.record(KEY)) ?? {};
    await world.putRecord({ ...record, error: { S: '{"Error":"States.Timeout","Cause":""}' } });
    await world.settle();

    expect(await world.executions()).toHaveLength(1);
  });
});

describe('redeliverFailed with delays of its own', () => {
  test('from half a minute on, to two', async () => {
    const redeliverFailed = { maxAttempts: 4, delay: Duration.seconds(30), maxDelay: Duration.minutes(2) };
    const recovery = Recovery.automatic({ redeliverFailed });
    world = await openWorld({ name: 'redeliver soon', workflow: { recovery } });
    world.step = () => fails('Shop.Away');
    await world.delivered(ORDER);

    const began = (await world.executions()).map(({ startDate }) => startDate);
    const delays = began.slice(1).map((at, index) => Math.round((at - (began[index] ?? 0)) / 1000));
    expect(delays).toEqual([30, 60, 120, 120]);
  });
});
