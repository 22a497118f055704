import type { Channel, ChannelContext } from './channel';

/** The event bus: its rule starts the dispatcher, and that the workflow, under the name of the key. */
export function eventsChannel({ stack }: ChannelContext): Channel {
  const { eventBuses, runtime } = stack;
  const bus = stack.output('EventBusName');
  return {
    async deliver(event) {
      const [delivery] = (await eventBuses.publish(event, bus)).deliveries;
      if (delivery === undefined) {
        const message = `no rule of the bus matches source ${event.source} and detail-type ${event['detail-type']}`;
        return { kind: 'unmatched', message };
      }
      if (delivery.kind === 'failed') return { kind: 'failed', message: delivery.reason };
      const { executionArn } = delivery.answer as { readonly executionArn: string };
      await runtime.whenEnded(executionArn);
      const outcome = runtime.expressOutcomes.find(executionArn);
      if (outcome?.status !== 'SUCCEEDED') {
        return { kind: 'failed', message: `the dispatcher failed: ${outcome?.error ?? 'unknown'}` };
      }
      await Promise.all(outcome.startedExecutionArns.map(arn => runtime.whenEnded(arn)));
      return { kind: 'taken' };
    },
  };
}
