import type { Data } from '../asl/data';
import type { State } from '../asl/definition';

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
  | `MapIteration${'Started' | 'Succeeded' | 'Failed' | 'Aborted'}`
  | `LambdaFunction${'Scheduled' | 'Started' | 'Succeeded' | 'Failed' | 'TimedOut'}`
  | 'TaskScheduled'
  | 'TaskStarted'
  | 'TaskSubmitted'
  | 'TaskSucceeded'
  | 'TaskFailed'
  | 'TaskTimedOut'
  | 'EvaluationFailed';

interface Truncation {
  readonly truncated: boolean;
}

interface ErrorDetails {
  readonly error?: string;
  readonly cause?: string;
}

interface ResourceDetails {
  readonly resourceType: string;
  readonly resource: string;
}

interface OutputDetails {
  readonly output: string;
  readonly outputDetails: Truncation;
}

interface IterationDetails {
  readonly name: string;
  readonly index: number;
}

/** What limits an attempt, and the role of the state's `Credentials`. */
interface AttemptDetails {
  readonly timeoutInSeconds?: number;
  readonly heartbeatInSeconds?: number;
  readonly taskCredentials?: { readonly roleArn: string };
}

/** The one details member of an event, named as on the wire. JSON inside is text. */
export interface EventDetails {
  readonly executionStartedEventDetails?: {
    readonly input: string;
    readonly inputDetails: Truncation;
    readonly roleArn: string;
  };
  readonly executionSucceededEventDetails?: OutputDetails;
  readonly executionFailedEventDetails?: ErrorDetails;
  readonly executionTimedOutEventDetails?: ErrorDetails;
  readonly executionAbortedEventDetails?: ErrorDetails;
  readonly executionRedrivenEventDetails?: { readonly redriveCount: number };
  readonly stateEnteredEventDetails?: {
    readonly name: string;
    readonly input: string;
    readonly inputDetails: Truncation;
  };
  readonly stateExitedEventDetails?: {
    readonly name: string;
    readonly output: string;
    readonly outputDetails: Truncation;
    readonly assignedVariables?: { readonly [name: string]: string };
    readonly assignedVariablesDetails?: Truncation;
  };
  readonly taskScheduledEventDetails?: ResourceDetails &
    AttemptDetails & {
      readonly region: string;
      readonly parameters: string;
    };
  readonly taskStartedEventDetails?: ResourceDetails;
  readonly taskSubmittedEventDetails?: ResourceDetails & OutputDetails;
  readonly taskSucceededEventDetails?: ResourceDetails & OutputDetails;
  readonly taskFailedEventDetails?: ResourceDetails & ErrorDetails;
  readonly taskTimedOutEventDetails?: ResourceDetails & ErrorDetails;
  readonly lambdaFunctionScheduledEventDetails?: AttemptDetails & {
    readonly resource: string;
    readonly input: string;
    readonly inputDetails: Truncation;
  };
  readonly lambdaFunctionSucceededEventDetails?: OutputDetails;
  readonly lambdaFunctionFailedEventDetails?: ErrorDetails;
  readonly lambdaFunctionTimedOutEventDetails?: ErrorDetails;
  readonly mapStateStartedEventDetails?: { readonly length: number };
  readonly mapIterationStartedEventDetails?: IterationDetails;
  readonly mapIterationSucceededEventDetails?: IterationDetails;
  readonly mapIterationFailedEventDetails?: IterationDetails;
  readonly mapIterationAbortedEventDetails?: IterationDetails;
  readonly evaluationFailedEventDetails?: ErrorDetails & {
    readonly location?: string;
    readonly state: string;
  };
}

/** One event of a history, as GetExecutionHistory tells it, except that `timestamp` is epoch milliseconds. */
export interface HistoryEvent extends EventDetails {
  readonly id: number;
  readonly previousEventId: number;
  readonly type: HistoryEventType;
  readonly timestamp: number;
}

/** Says that data is all there, as it always is here. One object for all events: there are very many of them. */
export const COMPLETE: Truncation = Object.freeze({ truncated: false });

/** The `input` and `inputDetails` members of an event. */
export function inputDetails(input: Data) {
  return { input: input.text, inputDetails: COMPLETE };
}

/** The `output` and `outputDetails` members of an event. */
export function outputDetails(output: Data) {
  return { output: output.text, outputDetails: COMPLETE };
}

/** The event of a state's entry. A table: a text made anew for each event would be kept with each event. */
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
