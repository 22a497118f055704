import type { Thread } from './execution';

/** An error of the workflow. It is data: an exception means a bug of ours. */
export interface Failure {
  readonly kind: 'failed';
  readonly error?: string;
  readonly cause?: string;
  /** A name under which the error can be matched, too, though events do not show it. */
  readonly alias?: string;
}

/** The outcome of entering or resuming a state. */
export type Completion =
  /** The thread waits for a signal. */
  | { readonly kind: 'waiting'; readonly thread: Thread }
  /**
   * The state was left: the thread holds its output as input and the new variables. No `next` ends the scope.
   */
  | { readonly kind: 'left'; readonly thread: Thread; readonly next?: string }
  /** The failure ends the scope; the thread's last event is the one that failed. */
  | { readonly kind: 'failed'; readonly thread: Thread; readonly failure: Failure }
  /** The history has no room for the next event: the execution ends, with everything that is still running in it. */
  | { readonly kind: 'full'; readonly thread: Thread };

/** The error of an execution that cannot go on and cannot catch it. */
export const RUNTIME_ERROR = 'States.Runtime';

/** The error of an expression that gives no usable value. */
export const QUERY_ERROR = 'States.QueryEvaluationError';

/** The error of data beyond the quota. */
const DATA_LIMIT_ERROR = 'States.DataLimitExceeded';

/** The error of a task or an execution that takes too long. */
export const TIMEOUT_ERROR = 'States.Timeout';

/** A failure for a problem inside a state, with the cause in the service's wording. */
export function failureIn(thread: Thread, error: string, reason: string): Failure {
  return { kind: 'failed', error, cause: `${whereIn(thread)}${reason}` };
}

/** The place of a problem inside a state, as a cause begins. */
export function whereIn({ state, enteredEventId }: Thread): string {
  return `An error occurred while executing the state '${state}' (entered at the event id #${enteredEventId}). `;
}

/** The failure of a state or task (named as the service names it) whose output is beyond the quota. */
export function tooLarge(name: string): Failure {
  const cause =
    `The state/task '${name}' returned a result with a size exceeding ` +
    'the maximum number of bytes service limit.';
  return { kind: 'failed', error: DATA_LIMIT_ERROR, cause };
}

/** Characters of a cause that events and descriptions have room for (service model). */
const CAUSE_CHARACTERS_MAX = 32_768;

/** The members `error` and `cause` of an event: what a failure does not have is absent. */
export function errorDetails(failure: Failure | { readonly error?: string; readonly cause?: string }) {
  return {
    ...(failure.error === undefined ? {} : { error: failure.error }),
    ...(failure.cause === undefined ? {} : { cause: failure.cause.slice(0, CAUSE_CHARACTERS_MAX) }),
  };
}
