import { deliverEvent, type Interceptor, type LocalEvent, type LocalStack } from '@onceflow/local';
import type { Cost, CostRow } from './cost';
import { loggedBytes } from './logged-bytes';

/** What the state machines of the reference app ask of other services. */
export interface Counter {
  readonly interceptor: Interceptor;
  /** The counts since the last call. */
  take(): Omit<Cost, 'transitions' | 'awaitedInFunction' | 'logBytes'>;
  /** Holds the next invocation of a function until `work`, which begins with it, has ended. */
  holdInvocationFor(work: () => Promise<void>): void;
}

/** Counts the calls of state machines. */
export function counter(): Counter {
  const nothing = () => ({ invocations: 0, writes: 0, reads: 0, describeExecutions: 0 });
  let holder: (() => Promise<void>) | undefined;
  let counted = nothing();
  const express = new Set<string>();
  return {
    interceptor: async (call, next) => {
      if (call.executionArn.includes(':express:')) express.add(call.executionArn);
      if (call.resource === 'dynamodb:getItem') counted.reads += 1;
      else if (call.resource.startsWith('dynamodb:')) counted.writes += 1;
      else if (call.resource === 'aws-sdk:sfn:describeExecution') counted.describeExecutions += 1;
      else if (call.resource === 'lambda:invoke') {
        counted.invocations += 1;
        const work = holder;
        holder = undefined;
        await work?.();
      }
      return next();
    },
    take() {
      const taken = { ...counted, expressExecutions: express.size };
      counted = nothing();
      express.clear();
      return taken;
    },
    holdInvocationFor(work) {
      holder = work;
    },
  };
}

const DETAIL = { orderId: 'order-1', amount: 12.5, currency: 'EUR' };
const EVENT: LocalEvent = { source: 'shop.orders', 'detail-type': 'OrderPlaced', detail: DETAIL };

/** The costs of the reference app's workflow, from an event bus and started directly. */
export async function costsOfWorkflow(stack: LocalStack, counting: Counter): Promise<CostRow[]> {
  const rows: CostRow[] = [];
  let logged = loggedBytes(stack);
  const add = (what: string, delivery: CostRow['delivery'], arns: readonly string[]) => {
    const transitions = arns.reduce((sum, arn) => sum + stack.runtime.billedTransitions(arn), 0);
    const before = logged;
    logged = loggedBytes(stack);
    const logBytes = logged - before;
    rows.push({ what, delivery, transitions, ...counting.take(), awaitedInFunction: 0, logBytes });
  };
  for (const delivery of ['fresh', 'duplicate of a finished one'] as const) {
    const executions = await deliverEvent(stack, EVENT, stack.output('EventBusName'));
    const arns = executions.map(({ executionArn }) => executionArn);
    add('onceflow, from an event bus', delivery, arns);
  }
  const directly = 'onceflow, started directly';
  for (const delivery of ['fresh', 'duplicate of a finished one'] as const) {
    const executionArn = await startAndWait(stack, 'order-2', 'SUCCEEDED');
    add(directly, delivery, [executionArn]);
  }
  counting.holdInvocationFor(async () => {
    counting.take();
    const executionArn = await startAndWait(stack, 'order-3', 'Idempotency.InProgress');
    add(directly, 'duplicate of a running key', [executionArn]);
  });
  await startAndWait(stack, 'order-3', 'SUCCEEDED');
  counting.take();
  return rows;
}

/** The ARN of an execution that has ended with this status or error. @throws Error where it ended otherwise */
async function startAndWait(
  stack: LocalStack,
  orderId: string,
  end: 'SUCCEEDED' | 'Idempotency.InProgress',
): Promise<string> {
  const { executionArn } = await stack.runtime.startExecution({
    stateMachineArn: stack.output('StateMachineArn'),
    input: JSON.stringify({ detail: { ...DETAIL, orderId } }),
  });
  await stack.runtime.whenEnded(executionArn);
  const { status, error } = await stack.runtime.describeExecution({ executionArn });
  if ((error ?? status) !== end) throw new Error(`an execution ended as ${error ?? status}, not as ${end}`);
  return executionArn;
}
