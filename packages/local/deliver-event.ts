import { LocalError } from './local-error';
import type { ExecutionDescription } from './runtime/executions/descriptions';
import type { Runtime } from './runtime/runtime';
import type { EventEnvelope } from './services/events/event';
import type { LocalStack } from './start-local';

/**
 * An event as a publisher knows it; what is absent is filled in as EventBridge does.
 *
 * @example
 * const event: LocalEvent = { source: 'shop.orders', 'detail-type': 'OrderPlaced', detail: { orderId: 'order-7' } };
 */
export type LocalEvent = Pick<EventEnvelope, 'source' | 'detail-type' | 'detail'> & Partial<EventEnvelope>;

/**
 * Puts an event on a bus and waits until the Standard executions that it led to have ended, failed ones included.
 *
 * If a rule's target is an Express state machine, these are the executions that it started, or that answered it. A
 * duplicate during the first delivery leads to the first delivery's execution. A dropped duplicate leads to none. Other
 * targets get the event and are not waited for. Empty also where no rule matches. Waits for as long as the executions
 * take: on a virtual clock, time has to pass meanwhile.
 *
 * @throws LocalError for a bus that the assembly does not have, an event that a target did not take in the end, or an
 * Express execution that failed
 *
 * @example
 * const executions = await deliverEvent(stack, { source: 'shop.orders', detail: { orderId: 'order-1' } });
 */
export async function deliverEvent(
  stack: Pick<LocalStack, 'assembly' | 'eventBuses' | 'runtime' | 'region' | 'account' | 'now'>,
  event: LocalEvent,
  eventBusName = 'default',
): Promise<ExecutionDescription[]> {
  const { eventBuses, rules } = stack.assembly;
  const named = [...eventBuses.map(({ name }) => name), ...rules.map(rule => rule.eventBusName)];
  const buses = [...new Set(['default', ...named])];
  if (!buses.includes(eventBusName)) {
    throw new LocalError('InvalidRequest', [`no event bus ${eventBusName}; there are: ${buses.join(', ')}`]);
  }
  const { deliveries } = await stack.eventBuses.publish(completedEvent(stack, event), eventBusName);
  const executions = deliveries.map(async delivery => {
    if (delivery.kind === 'failed') {
      throw new LocalError('InvalidRequest', [
        `${delivery.targetArn} did not take the event: ${delivery.reason}`,
      ]);
    }
    const { executionArn } = delivery.answer as { readonly executionArn?: string };
    return executionArn === undefined ? [] : ended(stack.runtime, executionArn);
  });
  return (await Promise.all(executions)).flat();
}

/** The execution itself, or what an Express one led to, ended. */
async function ended(runtime: Runtime, executionArn: string): Promise<ExecutionDescription[]> {
  await runtime.whenEnded(executionArn);
  const outcome = runtime.expressOutcomes.find(executionArn);
  if (!outcome) return [await runtime.describeExecution({ executionArn })];
  if (outcome.status !== 'SUCCEEDED') {
    const reason = [outcome.error, outcome.cause].filter(text => text !== undefined).join(': ');
    throw new LocalError('InvalidRequest', [`${executionArn} ended as ${outcome.status}: ${reason}`]);
  }
  const started = outcome.startedExecutionArns.map(arn => ended(runtime, arn));
  return (await Promise.all(started)).flat();
}

/** An event as EventBridge forms it, with what the publisher left out. */
export function completedEvent(
  { region, account, now }: Pick<LocalStack, 'region' | 'account' | 'now'>,
  event: LocalEvent,
): EventEnvelope {
  const time = `${new Date(now()).toISOString().slice(0, 19)}Z`;
  return { version: '0', id: crypto.randomUUID(), account, region, time, resources: [], ...event };
}
