import type { Json } from '../asl/json';
import type { ExecutionEnd, ExecutionStatus, Thread } from './execution';

/**
 * What the engine wants done. Effects are to be performed in order, after the events before them are kept.
 */
export type Effect =
  /** Call an integration; answer with `taskSucceeded` or `taskFailed`. */
  | {
      readonly kind: 'call';
      readonly taskId: string;
      /** The integration as its ARN names it after `:::`. */
      readonly resource: string;
      readonly arguments: Json;
      readonly stateName: string;
      readonly retryCount: number;
    }
  /** Nobody waits for the call's answer any more. */
  | { readonly kind: 'abandon'; readonly taskId: string }
  /** Answer with `timerDue` at `due`, epoch milliseconds. */
  | { readonly kind: 'setTimer'; readonly timerId: string; readonly due: number }
  | { readonly kind: 'cancelTimer'; readonly timerId: string }
  /** The execution has ended; no effect follows. */
  | {
      readonly kind: 'ended';
      readonly status: Exclude<ExecutionStatus, 'RUNNING'>;
      readonly end: ExecutionEnd;
    };

/** The effects that free what a thread waits for, when it will not wait any longer. */
export function release(thread: Thread | null): Effect[] {
  const waits = thread?.waits;
  if (!waits) return [];
  switch (waits.kind) {
    case 'task': {
      const abandon: Effect = { kind: 'abandon', taskId: waits.taskId };
      return waits.timeout ? [abandon, { kind: 'cancelTimer', timerId: waits.timeout.timerId }] : [abandon];
    }
    case 'timer':
    case 'retry':
      return [{ kind: 'cancelTimer', timerId: waits.timer.timerId }];
    default: {
      const never: never = waits;
      return never;
    }
  }
}
