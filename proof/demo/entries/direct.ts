import { StatesError } from '@onceflow/local';
import type { Entry, EntryContext } from './entry';

/** StartExecution of the workflow itself, under a random name: every delivery reaches it. */
export function directEntry({ stack: { runtime, output } }: EntryContext): Entry {
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
        return { kind: 'refused', message: error.message };
      }
    },
  };
}
