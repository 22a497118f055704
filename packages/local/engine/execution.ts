import type { Json, JsonObject } from '../json/json';
import type { Data, Definition, ItemFormat } from '../language/index';

/** A registered state machine, as far as its executions know it. */
export interface Machine {
  readonly definition: Definition;
  readonly arn: string;
  readonly name: string;
  readonly roleArn: string;
  /** The context object of a state that is tested alone, without its item. @default - that of the execution */
  readonly contextObject?: (thread: Thread) => JsonObject;
}

/** The service's own statuses; each except RUNNING is final until a redrive. */
export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

/** Under which rules an execution runs: an Express one is short, and may have been started by who waits for it. */
export type ExecutionKind = 'STANDARD' | 'EXPRESS' | 'EXPRESS_SYNC';

/**
 * The whole state of one execution: plain JSON that never changes, so it can be stored, copied, compared and
 * hashed.
 *
 * The history is not part of it; `lastEventId` is what continuing it takes.
 */
export interface Execution {
  readonly arn: string;
  readonly name: string;
  readonly kind: ExecutionKind;
  readonly status: ExecutionStatus;
  readonly input: Data;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly redriveCount: number;
  /** Epoch milliseconds of the last redrive. */
  readonly redrivenAt: number | null;
  /** The last redrives, as far as a request may be made again. */
  readonly redrives: readonly Redrive[];
  /** Its Map Runs that have ended, first one first. */
  readonly mapRuns?: readonly EndedMapRun[];
  readonly lastEventId: number;
  /** What the service bills: states entered, retries and redrives. */
  readonly transitions: number;
  /** When its last transition took place, epoch milliseconds, and its last event before that moment. */
  readonly lastAdvancedAt: number;
  readonly eventIdBeforeAdvance: number;
  /** Its root thread. Null before the start and after success; after any other end the thread as it was then. */
  readonly root: Thread | null;
  readonly end: ExecutionEnd | null;
}

/** One redrive, with the token its request was known by. */
export interface Redrive {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly clientToken?: string;
}

/** How an execution ended, in the terms of DescribeExecution: what the service does not return is absent. */
export interface ExecutionEnd {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly output?: Data;
  readonly error?: string;
  readonly cause?: string;
}

/** One line of control with its own variables: the execution itself, a branch, or an iteration. */
export interface Thread {
  /** Which thread of the execution this is: empty for the root, `/P[1]` for the second branch of state P. */
  readonly path: string;
  /** Empty until the first state is entered. */
  readonly state: string;
  /** Epoch milliseconds of the entry into the state. */
  readonly enteredAt: number;
  readonly enteredEventId: number;
  /** The event that led into the state. */
  readonly enteredFrom: number;
  /** The last event of this line of control. */
  readonly previousEventId: number;
  readonly input: Data;
  /** As they were at the entry into the state, those of the threads around included. */
  readonly variables: JsonObject;
  /** No fewer than the characters that the variables take as JSON. */
  readonly variableCharacters: number;
  /** The item that the innermost Map around is at. */
  readonly item: MapItem | null;
  /** The attempt that a task's token stands for, in states that have one. */
  readonly taskId: string | null;
  /** Retries of this visit so far, for each retrier of the state. */
  readonly retries: readonly number[];
  readonly retryCount: number;
  readonly waits: Waiting | null;
}

/** `Map.Item` of the context object. */
export interface MapItem {
  readonly index: number;
  readonly value: Json;
  /** Where the items are the members of an object. */
  readonly key?: string;
}

/** What a thread waits for. Times are epoch milliseconds. */
export type Waiting =
  | TaskWaiting
  | { readonly kind: 'timer'; readonly timer: Timer }
  | { readonly kind: 'retry'; readonly timer: Timer }
  /** A pause between two states, in which other executions go on. */
  | { readonly kind: 'pause'; readonly pauseId: string; readonly next: string }
  /** The branches of a Parallel. */
  | { readonly kind: 'branches'; readonly branches: readonly Child[] }
  | IterationsWaiting
  | MapRunWaiting;

/** An attempt that has been made and has no result yet. */
export interface TaskWaiting {
  readonly kind: 'task';
  readonly taskId: string;
  /** True when the call has been answered, or a worker has the task, and its result comes later. */
  readonly isSubmitted: boolean;
  readonly timeout: Timer | null;
  readonly heartbeat: Heartbeat | null;
  /** What a worker of the activity is offered, until one has it. */
  readonly offer?: ActivityOffer;
}

/** The task of an activity that no worker has yet: its limits begin when one has it. */
export interface ActivityOffer {
  readonly activityArn: string;
  /** JSON text. */
  readonly input: string;
  readonly timeoutSeconds?: number;
  readonly heartbeatSeconds?: number;
}

/** Due unless a heartbeat arrives within `seconds`. */
export interface Heartbeat extends Timer {
  readonly seconds: number;
}

/** The iterations of a Map: `children` as far as they were started, in the order of the items. */
export interface IterationsWaiting {
  readonly kind: 'iterations';
  readonly items: readonly MapItem[];
  /** Iterations at the same time. */
  readonly limit: number;
  readonly children: Iterations;
}

/** A Map Run: `inputs` are those of its executions, once the items are known. */
export interface MapRunWaiting {
  readonly kind: 'mapRun';
  readonly taskId: string;
  readonly run: MapRun;
  /** The source of the items, until they have been read. */
  readonly source: ItemSource | null;
  readonly inputs: readonly ChildInput[];
  /** The target of the results' export: the evaluated arguments of the ResultWriter. */
  readonly destination: Json | null;
}

/** The service's data of a Map Run, except the ends of its executions. Times are epoch milliseconds. */
export interface MapRun {
  readonly arn: string;
  readonly startedAt: number;
  /** 0 stands for the service's own limit. */
  readonly maxConcurrency: number;
  readonly toleratedFailureCount: number;
  readonly toleratedFailurePercentage: number;
  /** Which of the two failures are measured by: those that the definition has, or both. */
  readonly tolerates: { readonly count: boolean; readonly percentage: boolean };
}

export interface EndedMapRun extends MapRun {
  readonly endedAt: number;
  readonly status: 'SUCCEEDED' | 'FAILED' | 'ABORTED';
  readonly executions: MapRunCounts;
  readonly items: MapRunCounts;
}

/** How many executions, or items in them, of a Map Run are how far. */
export interface MapRunCounts {
  readonly pending: number;
  readonly running: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly timedOut: number;
  readonly aborted: number;
  readonly total: number;
}

/** The input of an execution of a Map Run, as JSON text, and how many items are in it. */
export interface ChildInput {
  readonly text: string;
  readonly items: number;
}

/** What the items of a Map Run are read from: the evaluated arguments, and how they are written there. */
export interface ItemSource {
  readonly source: 'object' | 'listing';
  readonly arguments: Json;
  readonly format: ItemFormat;
  /** What is not positive reads nothing, and fails the run. @default - all there are */
  readonly maxItems?: number;
}

/** Iterations in chunks of one size, except the last chunk: see `iterations.ts`. */
export type Iterations = readonly {
  readonly children: readonly Child[];
  /** How many of them have not ended. */
  readonly live: number;
}[];

/** A thread within a state, or its output once it has ended. */
export type Child =
  | { readonly kind: 'live'; readonly thread: Thread }
  | { readonly kind: 'done'; readonly output: Data };

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
  /** @default STANDARD */
  readonly kind?: ExecutionKind;
}): Execution {
  return {
    arn: start.arn,
    name: start.name,
    kind: start.kind ?? 'STANDARD',
    status: 'RUNNING',
    input: start.input,
    startedAt: start.startedAt,
    redriveCount: 0,
    redrivenAt: null,
    redrives: [],
    mapRuns: NO_MAP_RUNS,
    lastEventId: 0,
    transitions: 0,
    lastAdvancedAt: start.startedAt,
    eventIdBeforeAdvance: 0,
    root: null,
    end: null,
  };
}

const NO_MAP_RUNS: readonly EndedMapRun[] = Object.freeze([]);

/** The retries of a state that has not been tried again. */
export const NO_RETRIES: readonly number[] = Object.freeze([]);

/** The thread of an execution that is about to enter its first state. */
export function rootThread(input: Data): Thread {
  return {
    path: '',
    state: '',
    enteredAt: 0,
    enteredEventId: 0,
    enteredFrom: 0,
    previousEventId: 0,
    input,
    variables: {},
    variableCharacters: 0,
    item: null,
    taskId: null,
    retries: NO_RETRIES,
    retryCount: 0,
    waits: null,
  };
}
