import type { Interceptor } from '@onceflow/local';
import { checkFindings } from '../findings';
import { synthesized } from '../fixture';
import { wholeness } from './order-state';
import { Shop } from './shop';
import { OrderSagaStack } from './stack';

/** How long after its death an execution's step may still be working: the function's timeout and 30 seconds. */
const GRACE = 40_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const DONE = { done: 1, undoRuns: 0 };
const UNDONE = { done: 1, undone: 1, undoRuns: 1 };
/** Nothing to give back, and nothing to come any more. */
const KEPT_OUT = { done: 0, undone: 0, undoRuns: 1 };

describe('an order saga', () => {
  const { assembly, remove } = synthesized(app => new OrderSagaStack(app, 'OrderSaga'));
  let shop: Shop;
  let orderId: string;
  let orders = 0;
  beforeAll(async () => {
    shop = await new Shop().open(assembly);
  });
  beforeEach(() => {
    orders += 1;
    orderId = `order-${orders}`;
    shop.faults = (_, next) => next();
  });
  afterAll(async () => {
    await shop?.close();
    remove();
  });

  const state = () => shop.stateOf(orderId);
  const undone = (reason: string) => ({ status: 'FAILED', error: 'OrderUndone', cause: reason });
  /** The states that call a service from now on. */
  const watched = () => {
    const stateNames: string[] = [];
    shop.faults = (call, next) => {
      stateNames.push(call.stateName);
      return next();
    };
    return stateNames;
  };
  const isStep = (stateName: string) => stateName.endsWith(': Business step');
  const open = (error: string) => ({ status: 'FAILED', error });

  test('an order: reserved, charged and shipped once; the answer has all receipts', async () => {
    const [execution] = await shop.place({ orderId });

    expect(JSON.parse(execution?.output ?? '')).toEqual({
      ...{ orderId, quantity: 1, amount: 40, country: 'CH' },
      ...{ reservationId: expect.any(String), chargeId: expect.any(String), shipmentId: expect.any(String) },
    });
    expect(await state()).toEqual({ outcome: 'DONE', stock: DONE, payment: DONE, shipping: DONE });
  });

  test.each([
    { wish: { quantity: 11 }, reason: 'OutOfStock', stock: KEPT_OUT, payment: KEPT_OUT },
    { wish: { amount: 1001 }, reason: 'CardDeclined', stock: UNDONE, payment: KEPT_OUT },
    { wish: { country: 'FR' }, reason: 'NoCarrier', stock: UNDONE, payment: UNDONE },
  ])(
    '$reason: what came before is undone once, and a duplicate runs nothing',
    async ({ wish, reason, ...parts }) => {
      const expected = { outcome: 'UNDONE', reason, ...parts, shipping: KEPT_OUT };

      expect(await shop.place({ orderId, ...wish })).toMatchObject([undone(reason)]);
      expect(await state()).toEqual(expected);

      const calls = watched();
      expect(await shop.delivered({ orderId, ...wish })).toMatchObject(undone(reason));
      expect(calls.filter(isStep)).toEqual([]);
      expect(await state()).toEqual(expected);
    },
  );

  test('a duplicate of an order that is done: the same answer, nothing runs', async () => {
    const first = await shop.delivered({ orderId });
    const calls = watched();

    expect(await shop.delivered({ orderId })).toMatchObject({ status: 'SUCCEEDED', output: first.output });
    expect(calls.filter(isStep)).toEqual([]);
  });

  test.each([
    { wish: {}, outcome: 'done', status: 'SUCCEEDED' },
    { wish: { country: 'FR' }, outcome: 'undone', status: 'FAILED' },
  ])('delivered three times at once: $outcome once, all end alike', async ({ wish, outcome, status }) => {
    const order = { orderId, ...wish };
    const ended = await shop.place(order, order, order);

    expect(ended.map(one => one.status)).toEqual([status, status, status]);
    expect(new Set(ended.map(({ output, error }) => output ?? error)).size).toBe(1);
    const { stock, payment, shipping } = await state();
    expect(wholeness(await state())).toBe(outcome);
    expect([stock.done, payment.done]).toEqual([1, 1]);
    expect([stock, payment, shipping].filter(({ undoRuns }) => undoRuns > 1)).toEqual([]);
  });

  test('another order under the same id: rejected, and the first is untouched', async () => {
    await shop.delivered({ orderId, amount: 40 });

    expect(await shop.delivered({ orderId, amount: 400 })).toMatchObject(open('Idempotency.PayloadMismatch'));
    expect(wholeness(await state())).toBe('done');
  });

  test.each([7, '', undefined, ['order-1']])('%j as the id: rejected, nothing runs', async notAnId => {
    const calls = watched();
    const wish = { orderId: notAnId as string };

    expect(await shop.delivered(wish)).toMatchObject(open('Idempotency.InvalidEvent'));
    expect(calls).toEqual([]);
  });

  test('an order that names no amount: undone, because it cannot be charged', async () => {
    const wish = { orderId, amount: '40' as unknown as number };
    expect(await shop.delivered(wish)).toMatchObject(undone('InvalidOrder'));
    expect(await state()).toMatchObject({ stock: UNDONE, payment: KEPT_OUT, shipping: KEPT_OUT });
  });

  test('a duplicate while the first delivery is cut off: brings it back, no third is needed', async () => {
    let isKilled = false;
    shop.faults = async (call, next) => {
      if (isKilled || call.stateName !== 'Charge: Record the result') return next();
      isKilled = true;
      return shop.kill(call.executionArn);
    };
    const ended = await shop.place({ orderId }, { orderId });

    expect(ended.map(({ status }) => status)).toContain('SUCCEEDED');
    expect(await state()).toEqual({ outcome: 'DONE', stock: DONE, payment: DONE, shipping: DONE });
  });

  test('a duplicate whose owner is at work for longer than it waits: decides nothing, the order is done', async () => {
    let isFirst = true;
    shop.faults = async (call, next) => {
      if (call.stateName === 'Charge: Record the result' && isFirst) {
        isFirst = false;
        await shop.pause(6 * MINUTE);
      }
      return next();
    };
    const ended = await shop.place({ orderId }, { orderId });

    expect(ended.map(({ error }) => error).sort()).toEqual(['Idempotency.InProgress', undefined]);
    expect(await state()).toEqual({ outcome: 'DONE', stock: DONE, payment: DONE, shipping: DONE });
  });

  test('an undo that fails twice: tried again by the same execution', async () => {
    let refunds = 0;
    shop.faults = async (call, next) => {
      if (call.stateName !== 'Undo charge: Business step') return next();
      refunds += 1;
      return refunds <= 2 ? { kind: 'failed', error: 'BankClosed', cause: '' } : next();
    };
    expect(await shop.delivered({ orderId, country: 'FR' })).toMatchObject(undone('NoCarrier'));
    expect(await state()).toMatchObject({ stock: UNDONE, payment: UNDONE, shipping: KEPT_OUT });
  });

  test('an undo that fails and fails: the execution ends by its error, the next delivery goes on', async () => {
    const order = { orderId, country: 'FR' };
    shop.faults = async (call, next) =>
      call.stateName === 'Undo charge: Business step'
        ? { kind: 'failed', error: 'BankClosed', cause: '' }
        : next();
    expect(await shop.delivered(order)).toMatchObject(open('BankClosed'));
    expect(await state()).toMatchObject({ outcome: 'UNDONE', payment: DONE, shipping: KEPT_OUT });

    shop.faults = (_, next) => next();
    expect(await shop.delivered(order)).toMatchObject(undone('NoCarrier'));
    expect(await state()).toMatchObject({ stock: UNDONE, payment: UNDONE, shipping: KEPT_OUT });
  });

  describe('whose failure could not be recorded', () => {
    /** Every try of the state fails for the first execution that comes to it; the write itself may be made. */
    const unanswered = (stateName: string, isMade: boolean): Interceptor => {
      let first: string | undefined;
      return async (call, next) => {
        if (call.stateName !== stateName) return next();
        first ??= call.executionArn;
        if (call.executionArn !== first) return next();
        if (isMade) await next();
        return { kind: 'failed', error: 'DynamoDB.InternalServerErrorException', cause: '' };
      };
    };

    test.each(['Reserve', 'Charge', 'Ship'])(
      '%s had its effect and only its answer was lost: undone, also for a duplicate that finds the result',
      async step => {
        shop.faults = unanswered(`${step}: Record the result`, true);
        expect(await shop.delivered({ orderId })).toMatchObject(
          undone('DynamoDB.InternalServerErrorException'),
        );
        expect(wholeness(await state())).toBe('undone');

        expect(await shop.delivered({ orderId })).toMatchObject({ error: 'OrderUndone' });
        expect(wholeness(await state())).toBe('undone');
      },
    );

    test.each(['Reserve', 'Charge', 'Ship'])(
      '%s had its effect and is taken over from in the end: rejected, the order stays undone',
      async step => {
        shop.faults = unanswered(`${step}: Record the result`, false);
        expect(await shop.delivered({ orderId })).toMatchObject({ error: 'OrderUndone' });
        await shop.pass(GRACE);

        expect(await shop.delivered({ orderId })).toMatchObject({ error: 'OrderUndone' });
        expect(wholeness(await state())).toBe('undone');
        expect((await state()).stock.done).toBe(1);
      },
    );

    test('and another delivery was further: one decision, the order is whole', async () => {
      shop.faults = unanswered('Reserve: Record the result', true);
      const ended = await shop.place({ orderId }, { orderId });

      expect(ended.map(({ status }) => status)).toContain('SUCCEEDED');
      expect(ended.map(({ error }) => error)).toContain('DynamoDB.InternalServerErrorException');
      expect(await state()).toEqual({ outcome: 'DONE', stock: DONE, payment: DONE, shipping: DONE });
      expect(await shop.delivered({ orderId })).toMatchObject({ status: 'SUCCEEDED' });
    });

    test('and another delivery has shipped, but comes late to its decision: undoes what it did', async () => {
      const reserve = unanswered('Reserve: Record the result', true);
      shop.faults = async (call, next) => {
        if (call.stateName === 'Decide: done') await shop.pause(24 * HOUR);
        return reserve(call, next);
      };
      const ended = await shop.place({ orderId }, { orderId });

      const reason = 'DynamoDB.InternalServerErrorException';
      expect(ended).toMatchObject([undone(reason), undone(reason)]);
      const expected = { outcome: 'UNDONE', reason, stock: UNDONE, payment: UNDONE, shipping: UNDONE };
      expect(await state()).toEqual(expected);
    });
  });
});

describe('the stack of the saga', () => {
  test('no finding of cdk-nag that is not acknowledged with its reason', () => {
    expect(() => checkFindings(app => new OrderSagaStack(app, 'OrderSaga'))).not.toThrow();
  });
});
