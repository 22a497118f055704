import type { Signal } from '../engine/signals';
import type { JobResult } from './service';

/** What the answer to a call tells its execution. */
export function signalFor(taskId: string, result: JobResult): Signal {
  switch (result.kind) {
    case 'succeeded':
      return { kind: 'taskSucceeded', taskId, output: result.output };
    case 'failed':
      return { kind: 'taskFailed', taskId, error: result.error, cause: result.cause };
    default: {
      const never: never = result;
      return never;
    }
  }
}

/** What the call of a callback brings is not the task's result: that comes with the token. */
export function callbackSignal(taskId: string, result: JobResult): Signal {
  if (result.kind === 'failed') return signalFor(taskId, result);
  return { kind: 'taskSubmitted', taskId, output: result.output };
}
