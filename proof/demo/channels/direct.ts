import { StatesError } from '@onceflow/local';
import type { Channel, ChannelContext } from './channel';

/** StartExecution of the workflow itself, under a random name: every delivery reaches it. */
export function directChannel({ stack: { runtime, output } }: ChannelContext): Channel {
  const stateMachineArn = output('StateMachineArn');
  return {
    async deliver(event) {
      try {
        const { executionArn } = await runtime.startExecution({
          stateMachineArn,
          input: JSON.stringify(event),
        });
        await runtime.whenEnded(executionArn);
        return { kind: 'taken' };
      } catch (error) {
        if (!(error instanceof StatesError)) throw error;
        return { kind: 'failed', message: error.message };
      }
    },
  };
}
