import { payloadHash } from '../../state-machine/contract/index';
import { openWorld, type World } from '../support/world';

const PAYMENT = { amount: 12.5, currency: 'EUR' };

function nested(depth: number): unknown {
  return depth === 0 ? 1 : { inner: [nested(depth - 1)] };
}

describe('idempotency keys', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  beforeEach(() => {
    (world.runs as unknown[]).length = 0;
  });

  const different: [string, unknown, unknown][] = [
    ['the 16th digit', 1234567890123456, 1234567890123457],
    ['the greatest numbers', 9007199254740990, 9007199254740991],
    ['case', 'Order-1', 'order-1'],
    ['a trailing space', 'order-2', 'order-2 '],
    ['text and number', '1', 1],
    ['composition', ['a', 'b'], ['a,b']],
    ['a text that looks like a list', 'y,z', ['y', 'z']],
    ['a text that looks like a number', '#7', 7],
    ['the 1,000th character', `${'z'.repeat(999)}1`, `${'z'.repeat(999)}2`],
    ['the 1,000th character outside of ASCII', `${'ü'.repeat(999)}1`, `${'ü'.repeat(999)}2`],
    ['composed and decomposed Unicode', 'caf\u00e9', 'cafe\u0301'],
  ];
  test.each(different)('%s: two orders', async (_, one, other) => {
    for (const orderId of [one, other, one, other]) {
      expect(await world.delivered({ orderId, ...PAYMENT })).toMatchObject({ status: 'SUCCEEDED' });
    }

    expect(world.runs.map(({ input }) => input.detail['orderId'])).toEqual([one, other]);
  });

  test('a text and a list of it alone: one order, as JSONata makes one of the other', async () => {
    for (const orderId of ['x', ['x']]) await world.delivered({ orderId, ...PAYMENT });

    expect(world.runs).toHaveLength(1);
  });

  test.each(['with spaces', '2026/11#7', 'Größe 42 — ✓', '\u{1F600}'.repeat(1000), '%\u0000\n"\\\''])(
    '%j: works',
    async orderId => {
      await world.delivered({ orderId, ...PAYMENT });
      await world.delivered({ orderId, ...PAYMENT });

      expect(world.runs).toHaveLength(1);
    },
  );

  const missing: [string, object, string][] = [
    ['missing', {}, 'nothing'],
    ['null', { orderId: null }, 'null'],
    ['empty', { orderId: '' }, 'string'],
    ['fractional', { orderId: 12.5 }, 'number'],
    ['beyond 2^53 - 1', { orderId: 9007199254740992 }, 'number'],
    ['true', { orderId: true }, 'boolean'],
    ['an object', { orderId: { id: 1 } }, 'object'],
    ['an empty list', { orderId: [] }, 'array'],
    ['a list with null', { orderId: ['a', null] }, 'array'],
    ['half a surrogate pair', { orderId: '\ud83d' }, 'string'],
  ];
  test.each(missing)('%s: rejected, nothing is claimed or run', async (_, key, keyType) => {
    const writes = () => world.calls.filter(call => call.startsWith('dynamodb:')).length;
    const before = writes();

    const execution = await world.delivered({ ...key, ...PAYMENT });

    expect(execution).toMatchObject({ status: 'FAILED', error: 'Idempotency.InvalidEvent' });
    expect(JSON.parse(String(execution.cause))).toMatchObject({
      message: expect.stringMatching(/no valid idempotency key \(.* a whole number up to 2\^53 - 1/),
      keyExpression: '$states.input.detail.orderId',
      keyType,
    });
    expect(await world.statesOf(execution.executionArn)).toEqual(['Claim record', 'Invalid event']);
    expect(world.runs).toEqual([]);
    expect(writes()).toBe(before);
  });
});

describe('payloads', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const deliver = (orderId: string, amount: unknown) => world.delivered({ orderId, amount, currency: 'EUR' });

  const different: [string, unknown, unknown][] = [
    ['text and number', '1', 1],
    ['the 17th digit', 0.1234567890123456, 0.12345678901234562],
    ['nothing and null', undefined, null],
    ['the order of a list', [1, 2], [2, 1]],
    ['a list of one and its member', [1], 1],
  ];
  test.each(different)('%s: another payload', async (title, one, other) => {
    expect(await deliver(title, one)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await deliver(title, other)).toMatchObject({ error: 'Idempotency.PayloadMismatch' });
    expect(await deliver(title, one)).toMatchObject({ status: 'SUCCEEDED' });
  });

  test.each([2 ** 53, -(2 ** 53), 1e300])(
    '%d, which may stand for another number: rejected by name, nothing is claimed',
    async id => {
      const execution = await deliver('large', { customer: [1, id] });

      expect(execution).toMatchObject({ status: 'FAILED', error: 'Idempotency.InvalidEvent' });
      expect(JSON.parse(String(execution.cause))).toMatchObject({
        reason: 'a whole number beyond 2^53 - 1; send it as text',
      });
      expect(await world.record('ChargePayment#large')).toBeUndefined();
    },
  );

  test('2^53 - 1 and its neighbor: two payloads', async () => {
    expect(await deliver('greatest', 9007199254740991)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await deliver('greatest', 9007199254740990)).toMatchObject({
      error: 'Idempotency.PayloadMismatch',
    });
  });

  test('16 levels: hashed as the contract does', async () => {
    const amount = nested(8);

    expect(await deliver('deep', amount)).toMatchObject({ status: 'SUCCEEDED' });
    const record = await world.record('ChargePayment#deep');
    expect(record?.['payloadHash']?.S).toBe(payloadHash({ amount, currency: 'EUR' }));
  });

  test('900 levels, more than one second can hash: rejected after three tries', async () => {
    let amount: unknown = 1;
    for (let level = 0; level < 900; level += 1) amount = [amount];

    const execution = await deliver('deeper', amount);

    expect(execution).toMatchObject({ status: 'FAILED', error: 'Idempotency.InvalidEvent' });
    // Two retries, one and two seconds later: a limit of the service may have been met.
    expect((execution.stopDate ?? 0) - execution.startDate).toBe(3000);
    expect(await world.statesOf(execution.executionArn)).toEqual(['Claim record', 'Invalid event']);
  }, 120_000);

  test('a text that UTF-8 cannot tell from another: rejected, nothing is claimed', async () => {
    expect(await deliver('half', '\ud83d')).toMatchObject({
      status: 'FAILED',
      error: 'Idempotency.InvalidEvent',
    });
    expect(await world.record('ChargePayment#half')).toBeUndefined();
  });
});
