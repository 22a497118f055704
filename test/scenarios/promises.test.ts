import type { Interceptor } from '@onceflow/local';
import { Recovery } from '../../infra/index';
import { failing, loseFirstAnswer, stopping } from '../support/faults';
import { runs } from '../support/scale';
import { GRACE_MS, STEP_TIMEOUT_MS } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

// What the workflow promises, situation by situation, for orders that come over the bus: all layers, and one fault.

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };

let world: World;
beforeEach(async () => {
  world = await openWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
});
afterEach(() => world.close());

/** Publishes the order again and again, with the grace between, until it is done. */
async function publishedUntilDone(): Promise<void> {
  for (let delivery = 0; delivery < 5; delivery += 1) {
    await world.publish(ORDER);
    if ((await world.record(KEY))?.['status']?.S === 'COMPLETED') return;
    await world.pass(GRACE_MS);
  }
  throw new Error('five deliveries did not finish the order');
}

async function results(): Promise<(string | undefined)[]> {
  const succeeded = (await world.executions()).filter(({ status }) => status === 'SUCCEEDED');
  return [...new Set(succeeded.map(({ output }) => output))];
}

describe('n deliveries, in any order and at once', () => {
  test('many deliveries at once, no fault: the step succeeds once, all who succeed answer the same', async () => {
    await Promise.all(Array.from({ length: runs(20, 50) }, () => world.publish(ORDER)));
    await publishedUntilDone();

    expect(world.runs).toHaveLength(1);
    expect(await results()).toEqual(['{"charge":1}']);
  });
});

describe('lost answers, throttling, an outage while finalizing: nothing runs twice, the key is never stuck', () => {
  const faults: [string, () => Interceptor][] = [
    ['the answer of the claim lost', () => loseFirstAnswer('Claim record')],
    ['the answer of finalize lost', () => loseFirstAnswer('Record the result')],
    [
      'the answer of the start lost',
      () => loseFirstAnswer('Start by key', 'StepFunctions.SdkClientException'),
    ],
    ['the claim throttled', () => failing('Claim record', 'DynamoDB.ThrottlingException', 8)],
    ['the claim throttled for good', () => failing('Claim record', 'DynamoDB.ThrottlingException', 13)],
    [
      'an outage of an hour while finalizing',
      () => failing('Record the result', 'DynamoDB.SdkClientException', 30),
    ],
    [
      'an outage of a day while finalizing',
      () => failing('Record the result', 'DynamoDB.SdkClientException', 201),
    ],
    ['the record not readable', () => failing('Read record', 'DynamoDB.SdkClientException', 40)],
  ];
  test.each(faults)('%s', async (_, fault) => {
    world.faults = fault();
    await publishedUntilDone();
    await world.publish(ORDER);

    expect(world.runs).toHaveLength(1);
    expect(await results()).toEqual(['{"charge":1}']);
  });
});

describe('an abort outside the business step: repaired, nothing runs twice', () => {
  test.each<[string, 'before' | 'after']>([
    ['Claim record', 'before'],
    ['Claim record', 'after'],
    ['Record the result', 'before'],
    ['Record the result', 'after'],
  ])('aborted in %s, %s its write', async (stateName, when) => {
    world.faults = stopping(world, stateName, when);
    await publishedUntilDone();

    expect(world.runs).toHaveLength(1);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '1' } });
  });
});

describe('the business step cut off: it may run again, never two at once', () => {
  let running = 0;
  let most = 0;
  beforeEach(() => {
    running = 0;
    most = 0;
    world.step = async ({ attempt }) => {
      running += 1;
      most = Math.max(most, running);
      await world.pause(STEP_TIMEOUT_MS);
      running -= 1;
      return returns({ attempt });
    };
  });

  test('aborted while the function works', async () => {
    await world.send(ORDER);
    await world.pass(1000);
    const [owner] = await world.executions();
    await world.stop(owner?.executionArn ?? '');
    await publishedUntilDone();

    expect(most).toBe(1);
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  test('the answer of the function lost', async () => {
    let isLost = false;
    world.faults = async (call, next) => {
      if (isLost || call.stateName !== 'Business step') return next();
      isLost = true;
      // It works on behind the connection that broke.
      void next();
      return fails('Lambda.SdkClientException');
    };
    await publishedUntilDone();

    expect(most).toBe(1);
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(await results()).toEqual(['{"attempt":2}']);
  });

  test('the state timed out', async () => {
    const slow = world.step;
    let isFirst = true;
    world.step = input => {
      if (!isFirst) return slow(input);
      isFirst = false;
      return world.never();
    };
    await publishedUntilDone();

    expect(most).toBe(1);
    expect(await results()).toEqual(['{"attempt":2}']);
  });
});

describe('the step fails: recorded, and a later delivery runs it again', () => {
  test('declined twice, then paid', async () => {
    world.step = ({ attempt }) => (attempt < 3 ? fails('CardDeclined') : returns('paid'));
    await publishedUntilDone();

    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(await results()).toEqual(['"paid"']);
  });

  test('the answer of finalizing the failure lost', async () => {
    world.step = ({ attempt }) => (attempt === 1 ? fails('CardDeclined') : returns('paid'));
    world.faults = loseFirstAnswer('Record the failure');
    await publishedUntilDone();

    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

describe('the same key with another payload: rejected by name', () => {
  const other = { ...ORDER, amount: 99 };
  const errors = async () => (await world.executions()).flatMap(({ error }) => error ?? []);

  test('while the first one runs', async () => {
    world.step = async () => {
      await world.pause(5000);
      return returns('paid');
    };
    await Promise.all([world.publish(ORDER), world.publish(other)]);

    expect(await errors()).toEqual(['Idempotency.PayloadMismatch']);
    expect(world.runs).toHaveLength(1);
  });

  test.each([
    ['success', () => returns('paid')],
    ['failure', () => fails('CardDeclined')],
  ])('after its %s', async (_, step) => {
    world.step = step;
    await world.publish(ORDER);
    await world.publish(other);

    expect((await errors()).at(-1)).toBe('Idempotency.PayloadMismatch');
    expect(world.runs).toHaveLength(1);
  });
});
