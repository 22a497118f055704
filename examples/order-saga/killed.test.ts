import type { ExecutionDescription } from '@onceflow/local';
import { synthesized } from '../fixture';
import { type OrderState, wholeness } from './order-state';
import { Shop, type Wish } from './shop';
import { OrderSagaStack } from './stack';

/** How long after its death an execution's step may still be working: the function's timeout and 30 seconds. */
const GRACE = 40_000;

/** A place to die: at the n-th call, before it is made, or when it has been made and its answer is lost. */
interface Point {
  readonly call: number;
  readonly stateName: string;
  readonly when: 'before' | 'after';
}

describe('an order saga that is killed', () => {
  const { assembly, remove } = synthesized(app => new OrderSagaStack(app, 'OrderSaga'));
  let shop: Shop;
  beforeAll(async () => {
    shop = await new Shop().open(assembly);
  });
  afterAll(async () => {
    await shop?.close();
    remove();
  });

  beforeEach(() => {
    shop.isRecovering = false;
  });

  test.each([
    { run: 'that succeeds', wish: {}, end: 'done' },
    { run: 'whose ship fails', wish: { country: 'FR' }, end: 'undone' },
  ])(
    'at any call of a run $run, without another delivery: recovery alone, and everything is $end',
    async ({ run, wish, end }) => {
      const named = (name: string) => ({ orderId: `${run}, recovered: ${name}`, ...wish });
      const points = await pointsOf(named('unharmed'));
      shop.isRecovering = true;

      for (const point of points) {
        const order = named(`${point.when} call ${point.call}`);
        await dieAt(point, order);
        const state = await shop.stateOf(order.orderId);
        expect({ ...point, end: wholeness(state), repeated: repeated(state) }).toEqual({
          ...point,
          end,
          repeated: cutOff(point, end),
        });
      }
    },
    60_000,
  );

  test.each([
    { run: 'that succeeds', wish: {}, laterBy: GRACE, end: 'done' },
    { run: 'whose ship fails', wish: { country: 'FR' }, laterBy: GRACE, end: 'undone' },
    { run: 'that succeeds', wish: {}, laterBy: 0, end: 'done' },
  ])(
    'at any call of a run $run, delivered again $laterBy ms later: everything is $end',
    async ({ run, wish, laterBy, end }) => {
      const named = (name: string) => ({ orderId: `${run}, ${laterBy}: ${name}`, ...wish });
      const points = await pointsOf(named('unharmed'));
      expect(points).toHaveLength(2 * (end === 'done' ? 10 : 19));

      for (const point of points) {
        const order = named(`${point.when} call ${point.call}`);
        expect(await dieAt(point, order)).toMatchObject({ status: 'ABORTED' });
        await shop.pass(laterBy);
        const deliveries = await deliverUntilDecided(order);
        const state = await shop.stateOf(order.orderId);
        expect({ ...point, deliveries, end: wholeness(state), repeated: repeated(state) }).toEqual({
          ...point,
          deliveries: 1,
          end,
          repeated: cutOff(point, end),
        });
      }
    },
    30_000,
  );

  /** The calls of an unharmed run, twice: to die before them, and after. */
  async function pointsOf(order: Wish): Promise<Point[]> {
    const stateNames: string[] = [];
    shop.faults = (call, next) => {
      stateNames.push(call.stateName);
      return next();
    };
    await shop.delivered(order);
    return stateNames.flatMap((stateName, index) =>
      (['before', 'after'] as const).map(when => ({ call: index + 1, stateName, when })),
    );
  }

  /** Delivers the order once; the execution is interrupted at the point. */
  async function dieAt({ call: last, when }: Point, order: Wish): Promise<ExecutionDescription> {
    let calls = 0;
    shop.faults = async (call, next) => {
      calls += 1;
      if (calls !== last) return next();
      if (when === 'after') await next();
      return shop.kill(call.executionArn);
    };
    const execution = await shop.delivered(order);
    expect(calls).toBeGreaterThanOrEqual(last);
    shop.faults = (_, next) => next();
    return execution;
  }

  /** Delivers the order until one of its executions knows how it ended; returns how often that was. */
  async function deliverUntilDecided(order: Wish): Promise<number> {
    for (let deliveries = 1; deliveries <= 10; deliveries += 1) {
      const { status, error } = await shop.delivered(order);
      if (status === 'SUCCEEDED' || error === 'OrderUndone') return deliveries;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** The bookings that were made more than once, or undone more than once. */
  function repeated({ stock, payment, shipping }: OrderState): string[] {
    return Object.entries({ stock, payment, shipping }).flatMap(([part, { done, undoRuns }]) => [
      ...(done > 1 ? [`${part} done ${done}`] : []),
      ...(undoRuns > 1 ? [`${part} undone ${undoRuns}`] : []),
    ]);
  }

  /** The calls that may be repeated: the step whose function was called, and whose end was unknown. */
  function cutOff({ stateName, when }: Point, end: string): string[] {
    if (when === 'before' || (end === 'undone' && stateName === 'Ship: Business step')) return [];
    return REPEATED[stateName] ?? [];
  }
});

const REPEATED: Readonly<Record<string, string[]>> = {
  'Reserve: Business step': ['stock done 2'],
  'Charge: Business step': ['payment done 2'],
  'Ship: Business step': ['shipping done 2'],
  'Undo ship: Business step': ['shipping undone 2'],
  'Undo charge: Business step': ['payment undone 2'],
  'Undo reserve: Business step': ['stock undone 2'],
};
