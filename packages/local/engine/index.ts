// The engine: what an execution does next, and what it asks for, as a pure function of its state and a signal.
// Files outside of this folder import this one, except tests.
export { enteredThread, movedThread } from './advance';
export { failByOwnField, failWithChild, succeedWith } from './children';
export { type Completion, errorDetails, type Failure, RUNTIME_ERROR, whereIn } from './completion';
export type { Effect } from './effects';
export type { EvaluationFailure } from './evaluation';
export {
  type Child,
  type ChildInput,
  type EndedMapRun,
  type Execution,
  type ExecutionEnd,
  type ExecutionKind,
  type ExecutionStatus,
  type ItemSource,
  type Machine,
  type MapItem,
  type MapRun,
  type MapRunCounts,
  newExecution,
  type Redrive,
  rootThread,
  type Thread,
  type Timer,
  type Waiting,
} from './execution';
export { fieldNumber, fieldValue } from './fields';
export { type EventDetails, HISTORY_EVENTS_MAX, type HistoryEvent, type HistoryEventType } from './history';
export { iterationAt } from './iterations';
export { type Counts, countsOf, waitedRuns } from './map-runs';
export { effectiveInput } from './paths';
export { beforeRedrive, pendingRedrive, reopened } from './redrive';
export { matches } from './retry';
export { enterState } from './run';
export type { MapRunLimits, Signal, Started } from './signals';
export { evaluateItems, evaluateNumbers, INTEGER_MAX, type Items, type MapNumbers } from './states/map-plan';
export { taskFailed, taskSucceeded, taskTimedOut } from './states/task-result';
export { resumeWait } from './states/wait';
export { type TokenTarget, targetOf, tokenFor } from './task-token';
export { isWaitingFor, liveChildren, threadWaitingFor, withChild } from './threads';
export { EXPIRY_TIMER, executionTimer, expiryOf, isExpired, TIMED_OUT } from './timeout';
export { startEvent, type Transition, transition } from './transition';
export { type Inspected, type RunThread, type TransitionContext, Turn } from './turn';
