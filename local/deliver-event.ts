import { LocalError } from './local-error';
import { isExpressArn } from './runtime/arns';
import type { ExecutionDescription } from './runtime/descriptions';
import type { EventEnvelope } from './services/events/event';
import type { LocalStack } from './start-local';

/** An event as a publisher knows it; what is absent is filled in as EventBridge does. */
export type LocalEvent = Pick<EventEnvelope, 'source' | 'detail-type' | 'detail'> & Partial<EventEnvelope>;

/**
 * Puts an event on a bus and waits until the executions that it started have ended, failed ones included.
 *
 * Empty where no rule matches. An Express execution is waited for, too, but there is nothing to tell of it; other
 * targets get the event and are not waited for. Waits for as long as the executions take: on a virtual clock somebody
 * else has to let time pass.
 *
 * @throws LocalError for a bus that the assembly does not have, or an event that a target did not take in the end
 */
export async function deliverEvent(
  stack: Pick<LocalStack, 'assembly' | 'eventBuses' | 'runtime' | 'region' | 'account'>,
  event: LocalEvent,
  eventBusName = 'default',
): Promise<ExecutionDescription[]> {
  const buses = ['default', ...stack.assembly.eventBuses.map(({ name }) => name)];
  if (!buses.includes(eventBusName)) {
    throw new LocalError('InvalidRequest', [`no event bus ${eventBusName}; there are: ${buses.join(', ')}`]);
  }
  const { deliveries } = await stack.eventBuses.publish(completed(stack, event), eventBusName);
  const executions = deliveries.map(async delivery => {
    if (delivery.kind === 'failed') {
      throw new LocalError('InvalidRequest', [
        `${delivery.targetArn} did not take the event: ${delivery.reason}`,
      ]);
    }
    const { executionArn } = delivery.answer as { readonly executionArn?: string };
    if (executionArn === undefined) return [];
    await stack.runtime.whenEnded(executionArn);
    return isExpressArn(executionArn) ? [] : [await stack.runtime.describeExecution({ executionArn })];
  });
  return (await Promise.all(executions)).flat();
}

function completed(
  { region, account }: Pick<LocalStack, 'region' | 'account'>,
  event: LocalEvent,
): EventEnvelope {
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  return { version: '0', id: crypto.randomUUID(), account, region, time, resources: [], ...event };
}
