import { type Booked, wholeness } from './order-state';
import type { Shop, Wish } from './shop';

const MINUTE = 60_000;

/** One order's part in the story. */
interface Part {
  readonly what: string;
  readonly wish: Wish;
  /** How often its event comes at first. A minute later every event comes once more. */
  readonly times: number;
  /** Where its first execution is killed: before this state makes its call. */
  readonly killedAt?: string;
  readonly end: 'done' | 'undone';
}

/** A part, and what came of it. */
export interface Row {
  readonly part: Part;
  /** What the last delivery answered. */
  readonly answer: string;
  /** Stock, payment, shipping. */
  readonly booked: readonly Booked[];
  /** True where everything was done once or undone once, and the last delivery said so. */
  readonly isRight: boolean;
}

const FAR = { country: 'FR' };

const PARTS: readonly Part[] = [
  { what: 'placed once', wish: { orderId: 'order-1' }, times: 1, end: 'done' },
  { what: 'placed three times at once', wish: { orderId: 'order-2' }, times: 3, end: 'done' },
  {
    what: 'killed when the card was charged',
    wish: { orderId: 'order-3' },
    times: 1,
    killedAt: 'Charge: Record the result',
    end: 'done',
  },
  { what: 'not on the shelf', wish: { orderId: 'order-4', quantity: 11 }, times: 1, end: 'undone' },
  { what: 'no carrier', wish: { orderId: 'order-5', ...FAR }, times: 3, end: 'undone' },
  {
    what: 'no carrier, killed when the card was refunded',
    wish: { orderId: 'order-6', ...FAR },
    times: 1,
    killedAt: 'Undo charge: Record the result',
    end: 'undone',
  },
];

/** Plays the orders: some come more than once, some executions are killed, and every event comes again later. */
export async function play(shop: Shop): Promise<readonly Row[]> {
  for (const { wish, times, killedAt } of PARTS) {
    let isKilled = false;
    shop.faults = async (call, next) => {
      if (isKilled || call.stateName !== killedAt) return next();
      isKilled = true;
      return shop.kill(call.executionArn);
    };
    await shop.place(...Array<Wish>(times).fill(wish));
  }
  await shop.pass(MINUTE);
  const last = await shop.place(...PARTS.map(({ wish }) => wish));
  return Promise.all(
    PARTS.map(async (part, index) => {
      const state = await shop.stateOf(part.wish.orderId);
      const booked = [state.stock, state.payment, state.shipping];
      const { status, error, cause } = last[index] ?? {};
      const isDone = part.end === 'done';
      const isRight =
        wholeness(state) === part.end &&
        (isDone ? status === 'SUCCEEDED' : error === 'OrderUndone') &&
        booked.every(({ done, undoRuns }) => done <= 1 && undoRuns === (isDone ? 0 : 1));
      return { part, answer: error ? `${error}: ${cause}` : `${status}`, booked, isRight };
    }),
  );
}
