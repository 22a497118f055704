import {
  advanceBy,
  deliverEvent,
  type ExecutionDescription,
  type Interceptor,
  type LocalStack,
  runToEnd,
  startLocal,
  VirtualClock,
  WorkTracker,
} from '@onceflow/local';
import { type OrderState, stateOf } from './order-state';

/** An order as a customer places it; what is absent is something that can be had. */
export interface Wish {
  readonly orderId: string;
  readonly quantity?: number;
  readonly amount?: number;
  readonly country?: string;
}

/** The saga on the local stack: virtual clock, functions and tables for real. */
export interface Shop {
  readonly stack: LocalStack;
  /** What happens to the machine's calls from now on, before they reach a service. */
  faults: Interceptor;
  /** Whether recovery hears of executions that died. @default true */
  isRecovering: boolean;
  /** Starts an execution for an order without waiting; resolves to its ARN. */
  deliver(wish: Wish): Promise<string>;
  /** The same, and lets time pass until every execution has ended. */
  delivered(wish: Wish): Promise<ExecutionDescription>;
  /** Puts orders on the event bus at the same time, and lets time pass until all executions have ended. */
  publish(...wishes: readonly Wish[]): Promise<ExecutionDescription[]>;
  /** Lets time pass until every execution has ended. */
  settle(): Promise<void>;
  /** Lets so many milliseconds pass. */
  pass(ms: number): Promise<void>;
  /** Lets clock time pass within a call. */
  pause(ms: number): Promise<void>;
  /** Ends an execution in the middle of a call, of which it never gets the answer. */
  kill(executionArn: string): Promise<never>;
  execution(executionArn: string): Promise<ExecutionDescription>;
  stateOf(orderId: string): Promise<OrderState>;
  close(): Promise<void>;
}

/** Opens a shop on what `cdk synth` has written to the directory. */
export async function openShop(assembly: string): Promise<Shop> {
  const clock = new VirtualClock(Date.parse('2026-11-20T09:00:00Z'));
  const work = new WorkTracker();
  const stack = await startLocal({
    assembly,
    clock,
    work,
    seed: '1',
    interceptor: (call, next) => shop.faults(call, next),
    deliveryInterceptor: async ({ ruleArn }, next) =>
      ruleArn.includes('Recovery') && !shop.isRecovering ? { executionArn: 'lost' } : next(),
  });
  const { runtime } = stack;
  const stateMachineArn = stack.output('StateMachineArn');
  const shop: Shop = {
    stack,
    faults: (_, next) => next(),
    isRecovering: true,
    async deliver(wish) {
      const input = JSON.stringify(orderOf(wish));
      return (await runtime.startExecution({ stateMachineArn, input })).executionArn;
    },
    async delivered(wish) {
      const executionArn = await shop.deliver(wish);
      await shop.settle();
      return shop.execution(executionArn);
    },
    async publish(...wishes) {
      const delivered = wishes.map(wish => {
        const event = { source: 'shop.orders', 'detail-type': 'OrderPlaced', detail: orderOf(wish) };
        return deliverEvent(stack, event, stack.output('EventBusName'));
      });
      await shop.settle();
      return (await Promise.all(delivered)).flat();
    },
    async settle() {
      await runToEnd(runtime, clock);
    },
    pass: ms => advanceBy(runtime, clock, ms),
    pause: ms => work.pause(clock, ms),
    kill(executionArn) {
      void runtime.stopExecution({ executionArn });
      return work.lose();
    },
    execution: executionArn => runtime.describeExecution({ executionArn }),
    stateOf: orderId => stateOf(stack, orderId),
    close: () => stack.close(),
  };
  return shop;
}

function orderOf({
  orderId,
  quantity = 1,
  amount = 40,
  country = 'CH',
}: Wish): Record<string, string | number> {
  return { orderId, quantity, amount, country };
}
