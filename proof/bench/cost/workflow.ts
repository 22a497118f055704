import { deliverEvent, type Interceptor, type LocalEvent, type LocalStack } from '@onceflow/local';
import type { Cost, CostRow } from './cost';

/** What the state machines of the reference app ask of other services. */
export interface Counter {
  readonly interceptor: Interceptor;
  /** What was counted since the last time. */
  take(): Omit<Cost, 'transitions' | 'awaitedInFunction'>;
}

/** Counts the calls of state machines. */
export function counter(): Counter {
  const nothing = () => ({ invocations: 0, writes: 0, reads: 0 });
  let counted = nothing();
  const express = new Set<string>();
  return {
    interceptor: (call, next) => {
      if (call.executionArn.includes(':express:')) express.add(call.executionArn);
      if (call.resource === 'dynamodb:getItem') counted.reads += 1;
      else if (call.resource.startsWith('dynamodb:')) counted.writes += 1;
      else if (call.resource === 'lambda:invoke') counted.invocations += 1;
      return next();
    },
    take() {
      const taken = { ...counted, expressExecutions: express.size };
      counted = nothing();
      express.clear();
      return taken;
    },
  };
}

const DETAIL = { orderId: 'order-1', amount: 12.5, currency: 'EUR' };
const EVENT: LocalEvent = { source: 'shop.orders', 'detail-type': 'OrderPlaced', detail: DETAIL };

/** The costs of the reference app's workflow, from an event bus and started directly. */
export async function costsOfWorkflow(stack: LocalStack, { take }: Counter): Promise<CostRow[]> {
  const rows: CostRow[] = [];
  const add = (what: string, delivery: CostRow['delivery'], arns: readonly string[]) => {
    const transitions = arns.reduce((sum, arn) => sum + stack.runtime.billedTransitions(arn), 0);
    rows.push({ what, delivery, transitions, ...take(), awaitedInFunction: 0 });
  };
  for (const delivery of ['fresh', 'duplicate of a finished one'] as const) {
    const executions = await deliverEvent(stack, EVENT, stack.output('EventBusName'));
    const arns = executions.map(({ executionArn }) => executionArn);
    add('onceflow, from an event bus', delivery, arns);
  }
  for (const delivery of ['fresh', 'duplicate of a finished one'] as const) {
    const executionArn = await startAndWait(stack, { detail: { ...DETAIL, orderId: 'order-2' } });
    add('onceflow, started directly', delivery, [executionArn]);
  }
  return rows;
}

async function startAndWait(stack: LocalStack, input: object): Promise<string> {
  const { executionArn } = await stack.runtime.startExecution({
    stateMachineArn: stack.output('StateMachineArn'),
    input: JSON.stringify(input),
  });
  await stack.runtime.whenEnded(executionArn);
  const { status } = await stack.runtime.describeExecution({ executionArn });
  if (status !== 'SUCCEEDED') throw new Error(`an execution ended as ${status}`);
  return executionArn;
}
