import type { Redrive } from '../../engine/index';
import type { Executor } from '../executor/executor';
import { StatesError } from '../requests/errors';
import type { StoredExecution } from '../store/store';
import type { Clock } from '../time/clock';
import { storedRedriveProblem } from './redrivability';

/** What RedriveExecution takes. */
export interface RedriveRequest {
  readonly executionArn: string;
  /** The same token again within 15 minutes is the same redrive. @default - each request is one of its own */
  readonly clientToken?: string;
}

/** Milliseconds for which a client token stands for its redrive (service rule: 15 minutes). */
const TOKEN_MS = 15 * 60 * 1000;

export interface RedrivePorts {
  readonly clock: Clock;
  /** @throws StatesError `ExecutionDoesNotExist`, `InvalidArn` */
  readonly find: (executionArn: string) => StoredExecution;
  /** @throws StatesError `ExecutionLimitExceeded` where too many executions run */
  readonly requireRoom: () => void;
}

/** Redrives executions, one redrive of an execution after another. */
export class Redrives {
  readonly #executor: Executor;
  readonly #ports: RedrivePorts;
  readonly #beginning = new Map<string, Promise<unknown>>();

  constructor(executor: Executor, ports: RedrivePorts) {
    this.#executor = executor;
    this.#ports = ports;
  }

  /**
   * Resumes an execution that has failed, timed out or was stopped. Answers the time of the redrive, epoch
   * milliseconds, after it is saved and before the execution continues. A known client token gets the time of its
   * redrive.
   *
   * @throws StatesError `ExecutionNotRedrivable`, `ExecutionLimitExceeded`, `ExecutionDoesNotExist`, `InvalidArn`,
   * `ValidationException`.
   */
  async redrive(request: RedriveRequest): Promise<number> {
    checkToken(request);
    const { executionArn } = request;
    // Whether another redrive fails does not matter here.
    const before = () => this.#beginning.get(executionArn)?.catch(() => undefined);
    for (let other = before(); other; other = before()) await other;
    const same = this.#sameRedrive(request);
    if (same) return same.at;
    const { choice, execution } = this.#ports.find(executionArn);
    const at = this.#ports.clock.now();
    const isUsable = choice.machine.definition.states.size > 0;
    const problem = isUsable ? storedRedriveProblem({ choice, execution }, at) : DEFINITION_PROBLEM;
    if (problem !== undefined) throw new StatesError('ExecutionNotRedrivable', problem);
    this.#ports.requireRoom();

    const { clientToken } = request;
    const redrive = clientToken === undefined ? { at } : { at, clientToken };
    const beginning = this.#executor.redrive(choice.machine, execution, redrive);
    this.#beginning.set(executionArn, beginning);
    await beginning.finally(() => this.#beginning.delete(executionArn));
    return at;
  }

  #sameRedrive({ executionArn, clientToken }: RedriveRequest): Redrive | undefined {
    const since = this.#ports.clock.now() - TOKEN_MS;
    return this.#ports
      .find(executionArn)
      .execution.redrives.find(
        redrive => clientToken !== undefined && redrive.clientToken === clientToken && redrive.at > since,
      );
  }
}

const DEFINITION_PROBLEM =
  'The definition of the execution does not run in this version of the local runtime';

function checkToken({ clientToken }: RedriveRequest): void {
  if (clientToken === undefined || /^[!-~]{1,64}$/.test(clientToken)) return;
  const rule = 'clientToken must contain between 1 and 64 printable ASCII characters.';
  throw new StatesError('ValidationException', rule);
}
