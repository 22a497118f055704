import { isJsonObject, type JsonObject } from '../../../packages/local/json/json';

/** Errors that `States.TaskFailed` does not match. */
const NOT_TASK_FAILED = ['States.Timeout'];
/** The attempts of a retrier that says nothing of them: States Language, "Retrying after error". */
const ATTEMPTS = 3;

/** How often a state, as it is written, makes a request again that has ended with this error. */
export function retriesOf(state: JsonObject | undefined, error: string): number {
  const retriers = Array.isArray(state?.['Retry']) ? state['Retry'].filter(isJsonObject) : [];
  const retrier = retriers.find(
    ({ ErrorEquals }) => Array.isArray(ErrorEquals) && stands(ErrorEquals, error),
  );
  return retrier ? Number(retrier['MaxAttempts'] ?? ATTEMPTS) : 0;
}

/** Whether a state, as it is written, catches this error of its request. */
export function catches(state: JsonObject | undefined, error: string): boolean {
  const catchers = Array.isArray(state?.['Catch']) ? state['Catch'].filter(isJsonObject) : [];
  return catchers.some(({ ErrorEquals }) => Array.isArray(ErrorEquals) && stands(ErrorEquals, error));
}

function stands(names: readonly unknown[], error: string): boolean {
  const isOfAll = names.includes('States.ALL') && error !== 'States.DataLimitExceeded';
  return (
    names.includes(error) ||
    isOfAll ||
    (names.includes('States.TaskFailed') && !NOT_TASK_FAILED.includes(error))
  );
}
