import type { State } from '../language/index';

/** Events an execution may have (service quota); the last possible one says that it was reached. */
export const HISTORY_EVENTS_MAX = 25_000;

type StateName = Capitalize<State['kind']>;

/** The event types of what the engine runs. */
export type HistoryEventType =
  | 'ExecutionStarted'
  | 'ExecutionSucceeded'
  | 'ExecutionFailed'
  | 'ExecutionTimedOut'
  | 'ExecutionAborted'
  | 'ExecutionRedriven'
  | `${StateName}StateEntered`
  | `${Exclude<StateName, 'Fail'>}StateExited`
  | `${'Task' | 'Wait' | 'Parallel' | 'Map'}StateAborted`
  | `${'Parallel' | 'Map'}State${'Started' | 'Succeeded' | 'Failed'}`
  | `MapRun${'Started' | 'Succeeded' | 'Failed' | 'Aborted'}`
  | `MapIteration${'Started' | 'Succeeded' | 'Failed' | 'Aborted'}`
  | `LambdaFunction${'Scheduled' | 'Started' | 'Succeeded' | 'Failed' | 'TimedOut'}`
  | `Activity${'Scheduled' | 'Started' | 'Succeeded' | 'Failed' | 'TimedOut'}`
  | 'TaskScheduled'
  | 'TaskStarted'
  | 'TaskSubmitted'
  | 'TaskSucceeded'
  | 'TaskFailed'
  | 'TaskTimedOut'
  | 'EvaluationFailed';

/** What limits an attempt, and the role of the state's `Credentials`. */
interface AttemptDetails {
  readonly timeoutInSeconds?: number;
  readonly heartbeatInSeconds?: number;
  readonly taskCredentials?: { readonly roleArn: string };
}

/** What an event says besides when and after which: named as on the wire, JSON inside as text. */
export interface EventDetails extends AttemptDetails {
  /** Of a state or, with `index`, of a Map's iteration. */
  readonly name?: string;
  readonly index?: number;
  /** Items of a Map. */
  readonly length?: number;
  readonly input?: string;
  readonly output?: string;
  readonly assignedVariables?: { readonly [name: string]: string };
  readonly error?: string;
  readonly cause?: string;
  readonly roleArn?: string;
  readonly stateMachineVersionArn?: string;
  readonly stateMachineAliasArn?: string;
  readonly redriveCount?: number;
  readonly resourceType?: string;
  readonly resource?: string;
  readonly region?: string;
  readonly mapRunArn?: string;
  /** Of the worker that has the task of an activity. */
  readonly workerName?: string;
  readonly parameters?: string;
  /** The state and field of an evaluation that failed. */
  readonly state?: string;
  readonly location?: string;
}

/**
 * One event of a history. `timestamp` is epoch milliseconds.
 *
 * The API returns the details in a member of their own. Here they are part of the event, because histories take most of
 * the memory of a process. One object for each event is half the work for the garbage collector.
 */
export interface HistoryEvent extends EventDetails {
  readonly id: number;
  readonly previousEventId: number;
  readonly type: HistoryEventType;
  readonly timestamp: number;
}

/** The event of a state's entry. A table: a text made anew for each event would stay in memory with each event. */
export const ENTERED = {
  task: 'TaskStateEntered',
  choice: 'ChoiceStateEntered',
  pass: 'PassStateEntered',
  wait: 'WaitStateEntered',
  succeed: 'SucceedStateEntered',
  fail: 'FailStateEntered',
  parallel: 'ParallelStateEntered',
  map: 'MapStateEntered',
} as const satisfies Record<State['kind'], HistoryEventType>;

/** The event of a state's exit. */
export const EXITED = {
  task: 'TaskStateExited',
  choice: 'ChoiceStateExited',
  pass: 'PassStateExited',
  wait: 'WaitStateExited',
  succeed: 'SucceedStateExited',
  parallel: 'ParallelStateExited',
  map: 'MapStateExited',
} as const satisfies Record<Exclude<State['kind'], 'fail'>, HistoryEventType>;

/** The word that the event types of a state begin with. */
export function stateName<Kind extends State['kind']>(kind: Kind): Capitalize<Kind> {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` as Capitalize<Kind>;
}
