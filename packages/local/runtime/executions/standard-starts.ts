import { type Execution, newExecution } from '../../engine/index';
import type { Data } from '../../language/index';
import type { MachineChoice } from '../catalogue/registered-machine';
import type { Ids } from '../ids';
import { executionArnOf } from '../requests/arns';
import { StatesError } from '../requests/errors';
import { nameExecution, readInput, type StartRequest } from '../requests/start-request';
import type { Store } from '../store/store';
import type { Clock } from '../time/clock';

/** What `StandardStarts` works with. */
export interface StartPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly store: Store;
  /** Called before an execution is created. @throws StatesError `ExecutionLimitExceeded` where there are too many */
  readonly requireRoom: () => void;
}

/** What StartExecution answers. */
export interface Started {
  readonly executionArn: string;
  /** Epoch milliseconds. */
  readonly startDate: number;
}

/** A request that has been read. */
interface Named {
  readonly arn: string;
  readonly name: string;
  readonly input: Data;
}

/** Starts Standard executions. One that is still being created is not visible to any operation until it is saved. */
export class StandardStarts {
  readonly #ports: StartPorts;
  readonly #begin: (choice: MachineChoice, execution: Execution) => void;
  readonly #creating = new Map<string, Promise<void>>();

  /** `begin` is called with each execution that has just been created. */
  constructor(ports: StartPorts, begin: (choice: MachineChoice, execution: Execution) => void) {
    this.#ports = ports;
    this.#begin = begin;
  }

  /** How many executions are being created. */
  get size(): number {
    return this.#creating.size;
  }

  /** Resolves when the execution has begun, or when it could not be created; undefined when it is not being created. */
  pending(executionArn: string): Promise<void> | undefined {
    return this.#creating.get(executionArn);
  }

  /**
   * Begins an execution, at once if there is nothing to wait for.
   *
   * @throws StatesError `ExecutionAlreadyExists`, `InvalidName`, `InvalidExecutionInput`, `ExecutionLimitExceeded`; a
   * promise rejects with them.
   */
  start(choice: MachineChoice, request: StartRequest): Started | Promise<Started> {
    if (request.name === undefined) return this.#startUnnamed(choice, request.input);
    const { name } = request;
    const arn = nameExecution(choice.machine.arn, name);
    const input = readInput(request.input ?? '{}');
    return this.#creating.has(arn)
      ? this.#startLater(choice, { arn, name, input })
      : this.#startNow(choice, { arn, name, input });
  }

  /** A name that is generated here is not in use yet. */
  #startUnnamed(choice: MachineChoice, text = '{}'): Started | Promise<Started> {
    const name = this.#ports.ids.uuid();
    const arn = executionArnOf(choice.machine.arn, name);
    return this.#create(choice, { arn, name, input: readInput(text) }, this.#ports.clock.now());
  }

  async #startLater(choice: MachineChoice, named: Named): Promise<Started> {
    for (let other = this.pending(named.arn); other; other = this.pending(named.arn)) await other;
    return this.#startNow(choice, named);
  }

  #startNow(choice: MachineChoice, named: Named): Started | Promise<Started> {
    const { clock, store } = this.#ports;
    const now = clock.now();
    const before = startedBefore(store, named.arn, named.input.text, now);
    if (before) return { executionArn: named.arn, startDate: before.startedAt };
    return this.#create(choice, named, now);
  }

  #create(choice: MachineChoice, { arn, name, input }: Named, now: number): Started | Promise<Started> {
    this.#ports.requireRoom();
    const execution = newExecution({ arn, name, input, startedAt: now });
    const started = { executionArn: arn, startDate: now };
    const creating = this.#ports.store.create(choice, execution);
    if (creating === undefined) {
      this.#begin(choice, execution);
      return started;
    }
    const begun = creating.then(() => this.#begin(choice, execution));
    return this.#created(arn, begun).then(() => started);
  }

  async #created(arn: string, begun: Promise<void>): Promise<void> {
    this.#creating.set(
      arn,
      begun.catch(() => undefined),
    );
    await begun.finally(() => this.#creating.delete(arn));
  }
}

/** How long the service keeps the name of a closed execution taken, in milliseconds (90 days). */
export const NAME_TAKEN_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * The execution that the request has started before, or undefined when its name is free.
 *
 * The same name and input while the execution runs is the same request; texts are compared, not values.
 *
 * @throws StatesError `ExecutionAlreadyExists` for a name that another request has taken.
 */
function startedBefore(store: Store, arn: string, inputText: string, now: number): Execution | undefined {
  const existing = store.find(arn)?.execution;
  if (!existing || (existing.end && existing.end.at + NAME_TAKEN_MS <= now)) return undefined;
  if (existing.status === 'RUNNING' && existing.input.text === inputText) return existing;
  throw new StatesError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
}
