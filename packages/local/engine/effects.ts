import type { Json } from '../json/json';
import type { ChildInput, ExecutionEnd, ExecutionStatus, ItemSource, MapRun, Thread } from './execution';
import { liveChildren } from './threads';

/** The work of the driver. The driver must perform effects in order, after it has saved the events before them. */
export type Effect =
  /**
   * Call an integration; answer with `taskSucceeded` or `taskFailed`, or with `taskSubmitted` when its result
   * comes later, as that of a callback always does.
   */
  | {
      readonly kind: 'call';
      readonly taskId: string;
      /** The integration as a service table names it. */
      readonly resource: string;
      readonly isCallback: boolean;
      readonly arguments: Json;
      readonly stateName: string;
      readonly retryCount: number;
    }
  /**
   * Offer a task to the workers of an activity; answer with `activityStarted` when one has it. Its result comes with
   * the task's token.
   */
  | {
      readonly kind: 'scheduleActivity';
      readonly taskId: string;
      readonly activityArn: string;
      readonly stateName: string;
      readonly retryCount: number;
      /** JSON text. */
      readonly input: string;
    }
  /** Read the items of a Map Run; answer with `itemsRead`, or with `mapRunEnded` where they cannot be read. */
  | {
      readonly kind: 'readItems';
      readonly taskId: string;
      readonly stateName: string;
      readonly run: MapRun;
      readonly source: ItemSource;
    }
  /** Run the executions of a Map Run, as far as they have not been started; answer with `mapRunEnded`. */
  | {
      readonly kind: 'runChildren';
      readonly taskId: string;
      readonly stateName: string;
      readonly run: MapRun;
      readonly inputs: readonly ChildInput[];
      readonly destination: Json | null;
    }
  /** From now on a Map Run has these limits. */
  | { readonly kind: 'limitMapRun'; readonly run: MapRun }
  /** The call's answer, or a worker of the activity, is not waited for any more. */
  | { readonly kind: 'abandon'; readonly taskId: string }
  /** Answer with `timerDue` at `due`, epoch milliseconds. */
  | { readonly kind: 'setTimer'; readonly timerId: string; readonly due: number }
  | { readonly kind: 'cancelTimer'; readonly timerId: string }
  /** Answer with `pauseEnded` once other executions have gone on. */
  | { readonly kind: 'pause'; readonly pauseId: string }
  /** The execution has ended; no effect follows, and whatever is still asked for is void. */
  | {
      readonly kind: 'ended';
      readonly status: Exclude<ExecutionStatus, 'RUNNING'>;
      readonly end: ExecutionEnd;
    };

/** The effects that free what a thread and those within it wait for, when they will not wait any longer. */
export function release(thread: Thread | null): Effect[] {
  if (!thread?.waits) return [];
  const { waits } = thread;
  switch (waits.kind) {
    case 'task': {
      const abandon: Effect = { kind: 'abandon', taskId: waits.taskId };
      if (!waits.timeout && !waits.heartbeat) return [abandon];
      const timers = [waits.timeout, waits.heartbeat];
      return [abandon, ...timers.flatMap(timer => (timer ? [cancel(timer.timerId)] : []))];
    }
    case 'mapRun':
      return [{ kind: 'abandon', taskId: waits.taskId }];
    case 'timer':
    case 'retry':
      return [cancel(waits.timer.timerId)];
    case 'pause':
      return [];
    case 'branches':
    case 'iterations':
      return liveChildren(thread).flatMap(child => release(child.thread));
    default:
      return waits satisfies never;
  }
}

function cancel(timerId: string): Effect {
  return { kind: 'cancelTimer', timerId };
}
