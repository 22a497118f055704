import { checkFindings } from '../findings';
import { MOMENTS, play, stopAt } from './play';
import { KEYS_KEPT_MS } from './provider';
import { type Order, Shop } from './shop';
import { ProviderKeyStack } from './stack';

const MINUTE = 60_000;

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(60_000);

describe('charges at a provider that takes a key', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.withProvider();
  });
  afterAll(() => shop?.close());
  beforeEach(() => {
    shop.isRecovering = true;
  });

  const order = (orderId: string, amountCents = 4990): Order => ({ orderId, card: '4711', amountCents });
  const requestsOf = (orderId: string) =>
    shop.provider.requests.filter(({ reference }) => reference === orderId);

  test('an order that comes twice: charged once, asked for once', async () => {
    const [first] = await shop.deliver(order('twice'));
    await shop.deliver(order('twice'));

    expect(first).toMatchObject({ status: 'SUCCEEDED' });
    expect(JSON.parse(first?.output ?? '')).toMatchObject({ status: 'charged' });
    expect(requestsOf('twice')).toHaveLength(1);
    expect(shop.provider.chargesOf('twice')).toHaveLength(1);
  });

  describe('an execution that is stopped', () => {
    test('at each moment, and recovered: charged once; without keys at the provider, twice', async () => {
      const rows = await play(shop);

      expect(rows.filter(({ isRight }) => !isRight)).toEqual([]);
      expect(rows.map(({ requests }) => requests)).toEqual([1, 1, 1, 2, 2, 2, 1, 1]);
    });

    test.each(MOMENTS)('$what, and delivered again without recovery: charged once', async moment => {
      shop.isRecovering = false;
      const one = order(`by delivery: ${moment.what}`);
      await stopAt(shop, moment, one);
      await shop.pass(MINUTE);
      // It brings the ended execution back, which makes the rest.
      await shop.deliver(one);

      expect(shop.provider.chargesOf(one.orderId)).toHaveLength(1);
      expect(await shop.recordOf(one.orderId)).toMatchObject({ status: 'COMPLETED' });
      expect(new Set(requestsOf(one.orderId).map(({ key }) => key)).size).toBe(1);
    });

    test('three times in a row, each time when the card was charged: charged once', async () => {
      const charged = MOMENTS.find(({ what }) => what === 'charged, and not answered');
      for (let death = 1; death <= 3; death += 1) {
        shop.isRecovering = false;
        charged?.arrange(shop);
        await shop.deliver(order('unlucky'));
        shop.faults = (_, next) => next();
        await shop.pass(MINUTE);
      }
      await shop.deliver(order('unlucky'));

      expect(requestsOf('unlucky').length).toBeGreaterThan(2);
      expect(shop.provider.chargesOf('unlucky')).toHaveLength(1);
      expect(await shop.recordOf('unlucky')).toMatchObject({ status: 'COMPLETED' });
    });
  });

  describe('a provider that does not answer as it should', () => {
    test('charges, and the connection is cut: asked again by the retry, charged once', async () => {
      shop.provider.watch = moment => {
        if (moment === 'arrived') return false;
        shop.provider.watch = () => false;
        return true;
      };
      expect(await shop.deliver(order('cut'))).toMatchObject([{ status: 'SUCCEEDED' }]);

      expect(shop.stepRunsOf('cut')).toEqual([0, 1].map(retry => `attempt 1 retry ${retry}`));
      expect(shop.provider.chargesOf('cut')).toHaveLength(1);
    });

    test('still works on the first request (409): asked until it has the answer', async () => {
      const charged = MOMENTS.find(({ what }) => what === 'charged, and not answered');
      if (charged === undefined) throw new Error('no such moment');
      shop.provider.repetitionsWhileWorking = 3;
      await stopAt(shop, charged, order('slow'));

      expect(requestsOf('slow')).toHaveLength(5);
      expect(shop.provider.chargesOf('slow')).toHaveLength(1);
      expect(await shop.recordOf('slow')).toMatchObject({ status: 'COMPLETED' });
    });

    test('is away for longer than it is asked: recorded as failed, charged by the next delivery', async () => {
      shop.provider.unavailable = 7;
      const [first] = await shop.deliver(order('away'));
      expect(first).toMatchObject({ status: 'FAILED', error: 'ProviderBusy' });
      expect(shop.provider.chargesOf('away')).toEqual([]);

      expect(await shop.deliver(order('away'))).toMatchObject([{ status: 'SUCCEEDED' }]);
      expect(shop.stepRunsOf('away').at(-1)).toBe('attempt 2 retry 0');
      expect(shop.provider.chargesOf('away')).toHaveLength(1);
    });
  });

  test('a card that is declined: an answer, which is stored and not asked for again', async () => {
    const [first] = await shop.deliver(order('poor', 200_000));
    await shop.deliver(order('poor', 200_000));

    expect(JSON.parse(first?.output ?? '')).toEqual({ status: 'declined', reason: 'insufficient funds' });
    expect(requestsOf('poor')).toHaveLength(1);
  });

  test('the same order with another amount: rejected before the provider hears of it', async () => {
    await shop.deliver(order('changed', 100));
    const [changed] = await shop.deliver(order('changed', 900));

    expect(changed).toMatchObject({ status: 'FAILED', error: 'Idempotency.PayloadMismatch' });
    expect(requestsOf('changed')).toHaveLength(1);
  });

  test('an order whose id no header could hold, and a very long one: keys of their own', async () => {
    const ids = ['Bestellung № 7 ✓', 'Bestellung № 8 ✓', 'o'.repeat(900)];
    for (const id of ids) await shop.deliver(order(id));

    expect(ids.map(id => shop.provider.chargesOf(id).length)).toEqual([1, 1, 1]);
    const keys = ids.flatMap(id => requestsOf(id).map(({ key }) => key));
    expect(keys.filter(key => /^[0-9a-f]{64}$/.test(key))).toHaveLength(3);
  });

  // The README names this limit: after the provider has forgotten the key, the first charge is unknown.
  test('interrupted when charged, and resumed when the provider has forgotten the key: charged again', async () => {
    const charged = MOMENTS.find(({ what }) => what === 'charged, and not answered');
    if (charged === undefined) throw new Error('no such moment');
    shop.isRecovering = false;
    await stopAt(shop, charged, order('late'));
    await shop.pass(KEYS_KEPT_MS);
    await shop.deliver(order('late'));

    expect(shop.provider.chargesOf('late')).toHaveLength(2);
  });
});

test('the AwsSolutions rules of cdk-nag: no finding that is not acknowledged with its reason', () => {
  expect(() =>
    checkFindings(
      app => new ProviderKeyStack(app, 'ProviderKey', { providerUrl: 'https://payments.example.com' }),
    ),
  ).not.toThrow();
});
