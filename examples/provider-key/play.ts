import type { Order, Shop } from './shop';

/** A moment at which the execution of an order is stopped. */
export interface Moment {
  readonly what: string;
  /** How often a provider charges then that does not know what a key is. */
  readonly chargesWithoutKeys: 1 | 2;
  arrange(shop: Shop): void;
}

/** A moment, and what has come of an order whose execution was stopped then. */
export interface Row {
  readonly what: string;
  /** Requests to a provider that honours keys, and charges of it; and the charges of one that does not. */
  readonly requests: number;
  readonly charges: number;
  readonly chargesWithoutKeys: number;
  readonly isRight: boolean;
}

/** Stops the execution at the call of a state, before it is made, or when it has been made and its answer is lost. */
const at =
  (state: string, when: 'before' | 'after') =>
  ({ stack }: Shop): void => {
    stack.faults.killIn(state, { when });
  };

/** Stops the execution while its step waits for the provider, which charges all the same; the answer is lost. */
const atProvider =
  (moment: 'arrived' | 'charged') =>
  (shop: Shop): void => {
    let executionArn = '';
    shop.faults = (call, next) => {
      executionArn = call.executionArn;
      return next();
    };
    shop.provider.watch = now => {
      if (now !== moment) return false;
      shop.provider.watch = () => false;
      void shop.stack.runtime.stopExecution({ executionArn });
      return true;
    };
  };

/** Every moment between the event and the end of its order at which an execution may be stopped. */
export const MOMENTS: readonly Moment[] = [
  { what: 'before the claim', chargesWithoutKeys: 1, arrange: at('Claim record', 'before') },
  { what: 'claimed, and not told', chargesWithoutKeys: 1, arrange: at('Claim record', 'after') },
  { what: 'before the step is called', chargesWithoutKeys: 1, arrange: at('Business step', 'before') },
  { what: 'the request is at the provider', chargesWithoutKeys: 2, arrange: atProvider('arrived') },
  { what: 'charged, and not answered', chargesWithoutKeys: 2, arrange: atProvider('charged') },
  { what: 'answered, and not told', chargesWithoutKeys: 2, arrange: at('Business step', 'after') },
  { what: 'told, and not recorded', chargesWithoutKeys: 1, arrange: at('Record the result', 'before') },
  { what: 'recorded, and not told', chargesWithoutKeys: 1, arrange: at('Record the result', 'after') },
];

/** Delivers an order whose execution is stopped at the moment: recovery, or another delivery, brings it to its end. */
export async function stopAt(shop: Shop, moment: Moment, order: Order): Promise<void> {
  moment.arrange(shop);
  await shop.deliver(order);
  shop.faults = (_, next) => next();
}

/** Stops an order at each moment, at a provider that honours keys and at one that does not. */
export async function play(shop: Shop): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const moment of MOMENTS) {
    const order = (name: string) => ({ orderId: `${moment.what}: ${name}`, card: '4711', amountCents: 4990 });
    const [keyed, keyless] = [order('keyed'), order('keyless')];
    shop.provider.honoursKeys = true;
    await stopAt(shop, moment, keyed);
    shop.provider.honoursKeys = false;
    await stopAt(shop, moment, keyless);
    const charges = shop.provider.chargesOf(keyed.orderId).length;
    const chargesWithoutKeys = shop.provider.chargesOf(keyless.orderId).length;
    const records = await Promise.all([keyed, keyless].map(({ orderId }) => shop.recordOf(orderId)));
    const isRight =
      charges === 1 &&
      chargesWithoutKeys === moment.chargesWithoutKeys &&
      records.every(record => record?.status === 'COMPLETED');
    const requests = shop.provider.requestsOf(keyed.orderId);
    rows.push({ what: moment.what, requests, charges, chargesWithoutKeys, isRight });
  }
  shop.provider.honoursKeys = true;
  return rows;
}
