import type { ExecutionDescription } from '@onceflow/local';
import { LocalApp } from '../fixture';
import { type OrderState, stateOf } from './order-state';

/** An order as a customer places it; what is absent is something that can be had. */
export interface Wish {
  readonly orderId: string;
  readonly quantity?: number;
  readonly amount?: number;
  readonly country?: string;
}

/** The saga on the local stack. */
export class Shop extends LocalApp {
  /** Puts orders on the event bus at the same time, and lets time pass until all executions have ended. */
  place(...wishes: readonly Wish[]): Promise<ExecutionDescription[]> {
    const events = wishes.map(wish => ({
      source: 'shop.orders',
      'detail-type': 'OrderPlaced',
      detail: orderOf(wish),
    }));
    return this.publish(...events);
  }

  /** Starts an execution for an order, and lets time pass until every execution has ended. */
  async delivered(wish: Wish): Promise<ExecutionDescription> {
    const { answer } = await this.stack.act(() => this.begin(orderOf(wish)));
    return this.execution(answer);
  }

  /** Lets clock time pass within a call. */
  pause(ms: number): Promise<void> {
    return this.stack.work.pause(this.stack.clock, ms);
  }

  /** The bookings of an order. */
  stateOf(orderId: string): Promise<OrderState> {
    return stateOf(this.stack, orderId);
  }
}

function orderOf({ orderId, quantity = 1, amount = 40, country = 'CH' }: Wish) {
  return { orderId, quantity, amount, country };
}
