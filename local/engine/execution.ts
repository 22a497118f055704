import type { Data } from '../asl/data';
import type { Definition } from '../asl/definition';
import type { JsonObject } from '../asl/json';

/** A definition as it was registered: what every execution of it knows of its surroundings. */
export interface Machine {
  readonly definition: Definition;
  readonly arn: string;
  readonly name: string;
  readonly roleArn: string;
}

/** The service's own statuses; all but RUNNING are final. */
export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

/**
 * All that is known of one execution: plain JSON that never changes, so it can be kept, copied, compared and
 * hashed.
 *
 * The history is not part of it; `lastEventId` is what continuing it takes.
 */
export interface Execution {
  readonly arn: string;
  readonly name: string;
  readonly status: ExecutionStatus;
  readonly input: Data;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly redriveCount: number;
  readonly lastEventId: number;
  /** What the service bills: states entered and retries. */
  readonly transitions: number;
  /** Where it is. Null before the start and after success; kept after any other end, where it stood then. */
  readonly root: Thread | null;
  readonly end: ExecutionEnd | null;
}

/** How an execution ended, in the terms of DescribeExecution: what the service does not tell is absent. */
export interface ExecutionEnd {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly output?: Data;
  readonly error?: string;
  readonly cause?: string;
}

/** One line of control with its own variables: the execution itself, later also a branch or an iteration. */
export interface Thread {
  /** The thread's place in the execution: empty for the root. */
  readonly path: string;
  readonly state: string;
  /** Epoch milliseconds of the entry into the state. */
  readonly enteredAt: number;
  readonly enteredEventId: number;
  /** The event that led into the state. */
  readonly enteredFrom: number;
  /** The last event of this line of control. */
  readonly previousEventId: number;
  readonly input: Data;
  /** As they were at the entry into the state. */
  readonly variables: JsonObject;
  /** Retries of this visit so far, for each retrier of the state. */
  readonly retries: readonly number[];
  readonly retryCount: number;
  readonly waits: Waiting | null;
}

/** The signal a thread waits for. Times are epoch milliseconds. */
export type Waiting =
  | { readonly kind: 'task'; readonly taskId: string; readonly timeout: Timer | null }
  | { readonly kind: 'timer'; readonly timer: Timer }
  | { readonly kind: 'retry'; readonly timer: Timer };

/** A signal asked for at a time, epoch milliseconds. */
export interface Timer {
  readonly timerId: string;
  readonly due: number;
}

/** An execution that waits for its `started` signal. */
export function newExecution(start: {
  readonly arn: string;
  readonly name: string;
  readonly input: Data;
  readonly startedAt: number;
}): Execution {
  return {
    ...start,
    status: 'RUNNING',
    redriveCount: 0,
    lastEventId: 0,
    transitions: 0,
    root: null,
    end: null,
  };
}

/** A thread that is about to enter its first state. */
export function newThread(path: string, input: Data, variables: JsonObject): Thread {
  return {
    path,
    state: '',
    enteredAt: 0,
    enteredEventId: 0,
    enteredFrom: 0,
    previousEventId: 0,
    input,
    variables,
    retries: [],
    retryCount: 0,
    waits: null,
  };
}

/** The thread that waits for a task or timer, or undefined when nobody does any more. */
export function threadWaitingFor(root: Thread | null, id: string): Thread | undefined {
  return root?.waits && idsOf(root.waits).includes(id) ? root : undefined;
}

/** A name for what a thread begins to wait for: the same in every run, used once in an execution. */
export function waitId(kind: 'task' | 'timeout' | 'wait' | 'retry', thread: Thread, eventId: number): string {
  return `${kind}:${thread.path}@${eventId}`;
}

function idsOf(waits: Waiting): string[] {
  switch (waits.kind) {
    case 'task':
      return waits.timeout ? [waits.taskId, waits.timeout.timerId] : [waits.taskId];
    case 'timer':
    case 'retry':
      return [waits.timer.timerId];
    default: {
      const never: never = waits;
      return never;
    }
  }
}
