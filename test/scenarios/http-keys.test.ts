import { Key } from '../../infra/index';
import { askedAt, type HttpWorld, openHttp, REPLAYED, told } from '../support/http';
import { returns } from '../support/world';

const BODY = { userId: 'u-1', productId: 7, amount: 12.5 };

describe('a request by HTTP whose key is made of several values', () => {
  let world: HttpWorld;
  beforeEach(async () => {
    const idempotencyKey = ['{% $states.input.body.userId %}', '{% $states.input.body.productId %}'];
    world = await openHttp('composite', { idempotencyKey });
  });
  afterEach(() => world.close());

  test('the same values: one run, whose key begins with the caller; a duplicate gets the same answer', async () => {
    const first = await world.answered({ body: BODY });
    const again = await world.answered({ body: BODY });

    expect(first).toMatchObject({ status: 200, headers: {} });
    expect(again).toMatchObject({ status: 200, headers: REPLAYED, body: first.body });
    expect(world.runs).toMatchObject([
      {
        idempotencyKey: 'ChargePayment#anonymous,u-1,#7',
        input: { idempotencyKey: ['anonymous', 'u-1', 7] },
      },
    ]);
  });

  test.each([
    ['another value', { userId: 'u-2', productId: 7 }],
    ['a text in place of a number', { userId: 'u-1', productId: '7' }],
  ])('%s: another run', async (_, values) => {
    await world.answered({ body: BODY });
    await world.answered({ body: { ...BODY, ...values } });

    expect(world.runs).toHaveLength(2);
  });

  test('another caller: another run', async () => {
    await world.answered({ body: BODY, principal: 'alice' });
    await world.answered({ body: BODY, principal: 'bob' });

    expect(world.runs.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'ChargePayment#alice,u-1,#7',
      'ChargePayment#bob,u-1,#7',
    ]);
  });

  test.each<[string, object, string]>([
    ['one that is missing', { userId: undefined }, '400 missing-key'],
    ['one that is empty', { userId: '' }, '400 missing-key'],
    ['a fraction', { productId: 7.5 }, '400 invalid-key'],
    ['a list', { productId: [7, 8] }, '400 invalid-key'],
    ['an object', { productId: { id: 7 } }, '400 invalid-key'],
    ['a boolean', { productId: true }, '400 invalid-key'],
    // The payload has it, too, and is looked at first.
    ['a whole number beyond 2^53 - 1', { productId: 2 ** 53 }, '400 invalid-payload'],
  ])('%s: rejected, and nothing starts', async (_, values, problem) => {
    expect(told(await world.answered({ body: { ...BODY, ...values } }))).toBe(problem);
    expect(world.calls).toEqual([]);
  });

  test('a slow step: the location leads the same caller to the result, and no other', async () => {
    world.step = async () => {
      await world.pause(5000);
      return returns('paid');
    };
    const accepted = await world.request({
      body: BODY,
      principal: 'alice',
      headers: { prefer: 'respond-async' },
    });
    await world.settle();
    const asked = askedAt(accepted);

    expect(accepted.status).toBe(202);
    expect(await world.answered({ asked, principal: 'alice' })).toMatchObject({
      status: 200,
      body: '"paid"',
    });
    expect(told(await world.answered({ asked, principal: 'bob' }))).not.toBe('200');
  });
});

describe('a request by HTTP whose key is the hash of its body', () => {
  let world: HttpWorld;
  beforeEach(async () => {
    world = await openHttp('hash', { idempotencyKey: Key.ofPayload('{% $states.input.body %}') });
  });
  afterEach(() => world.close());

  test('the same members in another order: a duplicate; another amount or caller: another run', async () => {
    const first = await world.answered({ body: BODY });
    const { userId, productId, amount } = BODY;
    const again = await world.answered({ body: { amount, productId, userId } });
    await world.answered({ body: { ...BODY, amount: 12.51 } });
    await world.answered({ body: BODY, principal: 'bob' });

    expect(again).toMatchObject({ headers: REPLAYED, body: first.body });
    expect(world.runs).toHaveLength(3);
    expect(world.runs[0]?.idempotencyKey).toMatch(/^ChargePayment#anonymous,[0-9a-f]{64}$/);
  });

  test.each<[string, object, string]>([
    ['nothing in it', {}, '400 missing-key'],
    ['a whole number beyond 2^53 - 1', { id: 2 ** 53 }, '400 invalid-key'],
  ])('%s: rejected, and nothing starts', async (_, body, problem) => {
    expect(told(await world.answered({ body }))).toBe(problem);
    expect(world.calls).toEqual([]);
  });
});
