import { StatesError } from '../requests/errors';

/** Executions at the same time: far more than a machine on a desk has work for, and few enough for its memory. */
const RUNNING_MAX = 10_000;

/** @throws StatesError `ExecutionLimitExceeded` where as many executions are `running` as may */
export function requireRoom(running: number, max = RUNNING_MAX): void {
  if (running < max) return;
  const message =
    'The maximum number of running executions has been reached. Running executions must end or be stopped before a ' +
    'new execution can be started.';
  throw new StatesError('ExecutionLimitExceeded', message);
}
