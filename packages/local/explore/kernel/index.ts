// What both explorations are made of: steps, the search, traces, coverage, and orphaned requests.
// Files outside of this folder import this one, except tests.
export { afterSignal, Coverage, enteredIn } from './executions';
export { atOnce, ExploreError } from './explore-error';
export {
  carriedOutOn,
  connectionLost,
  inFlightAt,
  OPERATIONS,
  type OrphanedRequest,
  operationOf,
} from './requests';
export {
  type Found,
  type Next,
  type ReachedStates,
  StatesInMemory,
  type Step,
  search,
  type TransitionSystem,
  type Waiting,
} from './search';
export { type Choice, ImpossibleStep, inOrder, numbered, traced } from './trace';
