import { type Signal, targetOf } from '../../engine/index';
import { parseJson } from '../../json/syntax';
import { DATA_BYTES_MAX, isTooLarge } from '../../language/index';
import { constraintError, StatesError } from '../requests/errors';

/** What SendTaskFailure takes. */
export interface TaskFailureRequest {
  readonly taskToken: string;
  readonly error?: string;
  readonly cause?: string;
}

/** Delivers SendTaskSuccess, SendTaskFailure and SendTaskHeartbeat to the executions that wait for them. */
export class TaskResults {
  readonly #send: (executionArn: string, signal: Signal) => Promise<boolean>;
  readonly #isKnown: (executionArn: string) => boolean;

  /**
   * `send` hands a signal to an execution and resolves to whether the execution waited for it; `isKnown` says whether
   * there is or was such an execution.
   */
  constructor(
    send: (executionArn: string, signal: Signal) => Promise<boolean>,
    isKnown: (executionArn: string) => boolean,
  ) {
    this.#send = send;
    this.#isKnown = isKnown;
  }

  /** @throws StatesError `InvalidOutput` for text that is not JSON, and the errors of every token. */
  async succeed({
    taskToken,
    output,
  }: {
    readonly taskToken: string;
    readonly output: string;
  }): Promise<void> {
    if (isTooLarge(output)) {
      const rule = `have size less than or equal to ${DATA_BYTES_MAX} bytes in UTF-8 encoding`;
      throw constraintError(undefined, 'output', rule);
    }
    const parsed = output.trim() === '' ? undefined : parseJson(output);
    if (parsed?.kind !== 'json') {
      throw new StatesError('InvalidOutput', `Invalid Output: '${parsed?.message ?? 'Invalid output.'}'`);
    }
    return this.#deliver(taskToken, taskId => ({
      kind: 'taskSucceeded',
      taskId,
      output: parsed.value,
      text: output,
    }));
  }

  /** @throws StatesError `InvalidToken`, `TaskDoesNotExist`, `TaskTimedOut` */
  fail(request: TaskFailureRequest): Promise<void> {
    const { taskToken, ...reason } = request;
    return this.#deliver(taskToken, taskId => ({ kind: 'taskFailed', taskId, ...reason }));
  }

  /** Keeps the task from missing its heartbeat. @throws StatesError as `fail` */
  heartbeat({ taskToken }: { readonly taskToken: string }): Promise<void> {
    return this.#deliver(taskToken, taskId => ({ kind: 'taskHeartbeat', taskId }));
  }

  /** @throws StatesError `InvalidToken`, `TaskDoesNotExist`, `TaskTimedOut` for an attempt that is not waited for. */
  async #deliver(taskToken: string, signalFor: (taskId: string) => Signal): Promise<void> {
    const target = targetOf(taskToken);
    if (!target) throw new StatesError('InvalidToken', "Invalid Token: 'Invalid token'");
    if (await this.#send(target.executionArn, signalFor(target.taskId))) return;
    if (!this.#isKnown(target.executionArn)) {
      throw new StatesError('TaskDoesNotExist', "Task Does Not Exist: 'Provided task does not exist'");
    }
    throw new StatesError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
  }
}
