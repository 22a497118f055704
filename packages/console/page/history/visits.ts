/** How a visit in a state stands. */
export type VisitStatus = 'running' | 'succeeded' | 'caught' | 'failed' | 'aborted' | 'timedOut';

/** What a visit in a state begins with, and keeps. */
export interface VisitStart {
  /** The id of the event that it began with. */
  readonly id: number;
  readonly name: string;
  readonly type: string;
  /** The Map or Parallel state that it is in; undefined at the top. */
  readonly parent: VisitStart | undefined;
  /** Of a Map iteration, counted from 0. */
  readonly iteration: number | undefined;
  /** The state that the execution came from, within the same flow. */
  readonly from: VisitStart | undefined;
  readonly enteredAt: number;
  readonly input: string | undefined;
}

/** One visit in one state, at some moment. Its texts are JSON as in the history; undefined where it leaves them out. */
export interface Visit extends VisitStart {
  readonly status: VisitStatus;
  readonly exitedAt: number | undefined;
  readonly output: string | undefined;
  /** What its task was called with, last. */
  readonly args: string | undefined;
  /** Calls that were begun, the first one and retries. */
  readonly calls: number;
  /** How often the execution was redriven in it. */
  readonly redrives: number;
  /** Variables that it assigned as it was left, each JSON text. */
  readonly assigned: Readonly<Record<string, string>>;
  readonly failures: readonly { readonly at: number; readonly error: string; readonly cause: string }[];
  /** Whether the last that it tried failed, with no other try or success behind it. */
  readonly hasFailed: boolean;
}

/** An execution at some point of its history. */
export interface ExecutionSnapshot {
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED' | 'TIMED_OUT';
  /** In the order of their beginnings. */
  readonly visits: readonly Visit[];
  /** Those at work, innermost last. */
  readonly running: readonly Visit[];
  /** Variables at the top of the machine, each JSON text. */
  readonly variables: Readonly<Record<string, string>>;
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly error: string | undefined;
  readonly cause: string | undefined;
  readonly redrives: number;
}
