import type { Data } from '../asl/data';
import type { State } from '../asl/definition';

/** Events an execution may have (service quota); the last possible one says that it was reached. */
export const HISTORY_EVENTS_MAX = 25_000;

type StateName = 'Task' | 'Choice' | 'Pass' | 'Wait' | 'Succeed' | 'Fail';

/** The event types of what the engine runs. */
export type HistoryEventType =
  | 'ExecutionStarted'
  | 'ExecutionSucceeded'
  | 'ExecutionFailed'
  | 'ExecutionTimedOut'
  | 'ExecutionAborted'
  | `${StateName}StateEntered`
  | `${Exclude<StateName, 'Fail'>}StateExited`
  | 'TaskScheduled'
  | 'TaskStarted'
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

/** The one details member of an event, named as on the wire. JSON inside is text. */
export interface EventDetails {
  readonly executionStartedEventDetails?: {
    readonly input: string;
    readonly inputDetails: Truncation;
    readonly roleArn: string;
  };
  readonly executionSucceededEventDetails?: { readonly output: string; readonly outputDetails: Truncation };
  readonly executionFailedEventDetails?: ErrorDetails;
  readonly executionTimedOutEventDetails?: ErrorDetails;
  readonly executionAbortedEventDetails?: ErrorDetails;
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
  readonly taskScheduledEventDetails?: ResourceDetails & {
    readonly region: string;
    readonly parameters: string;
    readonly timeoutInSeconds?: number;
  };
  readonly taskStartedEventDetails?: ResourceDetails;
  readonly taskSucceededEventDetails?: ResourceDetails & {
    readonly output: string;
    readonly outputDetails: Truncation;
  };
  readonly taskFailedEventDetails?: ResourceDetails & ErrorDetails;
  readonly taskTimedOutEventDetails?: ResourceDetails & ErrorDetails;
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

/** The `input` and `inputDetails` members of an event. */
export function inputDetails(input: Data) {
  return { input: input.text, inputDetails: { truncated: false } };
}

/** The `output` and `outputDetails` members of an event. */
export function outputDetails(output: Data) {
  return { output: output.text, outputDetails: { truncated: false } };
}

/** The word that the event types of a state begin with. */
export function stateName<Kind extends State['kind']>(kind: Kind): Capitalize<Kind> {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` as Capitalize<Kind>;
}
