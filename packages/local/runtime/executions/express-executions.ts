import {
  type Execution,
  type ExecutionKind,
  type ExecutionStatus,
  type HistoryEvent,
  newExecution,
} from '../../engine/index';
import type { MachineChoice } from '../catalogue/registered-machine';
import { Executor } from '../executor/executor';
import type { Ports } from '../executor/ports';
import { expressArnOf } from '../requests/arns';
import { StatesError } from '../requests/errors';
import { requireNameCharacters } from '../requests/names';
import { readInput, type StartRequest } from '../requests/start-request';
import type { Store, StoredExecution } from '../store/store';
import { ExpressOutcomes, isOfStart } from './express-outcomes';

/** The answer of StartSyncExecution, with times in epoch milliseconds. What the service does not return is absent. */
export interface SyncExecution {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  readonly startDate: number;
  readonly stopDate: number;
  readonly status: Exclude<ExecutionStatus, 'RUNNING' | 'ABORTED'>;
  readonly error?: string;
  readonly cause?: string;
  readonly input: string;
  readonly inputDetails: { readonly included: boolean };
  readonly output?: string;
  readonly outputDetails: { readonly included: boolean };
  readonly billingDetails: {
    readonly billedDurationInMilliseconds: number;
    readonly billedMemoryUsedInMB: number;
  };
}

/** Calls of StartExecution, and their answers, that are remembered of one execution. */
const STARTS_MAX = 2000;

/** Executions while they run. Of their histories, which have no bound, only the starts of executions are held. */
class ExpressStore implements Store {
  readonly #running = new Map<string, StoredExecution>();

  find(executionArn: string): StoredExecution | undefined {
    return this.#running.get(executionArn);
  }

  list(): readonly StoredExecution[] {
    return [];
  }

  all(): Iterable<StoredExecution> {
    return this.#running.values();
  }

  running(): readonly StoredExecution[] {
    return [...this.all()];
  }

  create(choice: MachineChoice, execution: Execution): void {
    this.#running.set(execution.arn, { choice, execution, history: [] });
  }

  save(execution: Execution, events: readonly HistoryEvent[]): void {
    const stored = this.#running.get(execution.arn);
    if (!stored) return;
    const starts = events.filter(isOfStart);
    const history = starts.length > 0 ? [...stored.history, ...starts].slice(-STARTS_MAX) : stored.history;
    this.#running.set(execution.arn, { ...stored, execution, history });
  }

  forget(executionArn: string): void {
    this.#running.delete(executionArn);
  }
}

/** Duration and memory are billed in steps of these. */
const BILLED_MS = 100;
const BILLED_MB = 64;

/**
 * Runs Express executions: short, never described, forgotten at their end except the outcomes of the last. A name may
 * be used again at any time; the ARN has a part of its own for each execution.
 */
export class ExpressExecutions {
  readonly #ports: Omit<Ports, 'store' | 'ended'>;
  readonly #store = new ExpressStore();
  /** Where signals for Express executions go. */
  readonly executor: Executor;
  readonly #requireRoom: () => void;
  readonly outcomes = new ExpressOutcomes();
  readonly #waiting = new Map<string, ((execution: Execution) => void)[]>();

  /** `requireRoom` is called before an execution begins, and throws where there are too many. */
  constructor(ports: Omit<Ports, 'store' | 'ended'>, requireRoom: () => void) {
    this.#ports = ports;
    this.#requireRoom = requireRoom;
    const ended = (executionArn: string) => this.#ended(executionArn);
    this.executor = new Executor({ ...ports, store: this.#store, ended });
  }

  /** Starts an execution, without waiting for its end. @throws StatesError `InvalidName`, `InvalidExecutionInput`. */
  start(choice: MachineChoice, request: StartRequest): { executionArn: string; startDate: number } {
    const { arn, startedAt } = this.#begin(choice, request, 'EXPRESS');
    return { executionArn: arn, startDate: startedAt };
  }

  /** Starts an execution of a Map Run. @throws StatesError `ExecutionLimitExceeded` */
  startChild(
    choice: MachineChoice,
    request: StartRequest,
  ): { readonly arn: string; readonly ended: Promise<Execution> } {
    const { arn } = this.#begin(choice, request, 'EXPRESS');
    return { arn, ended: this.#nextEnd(arn) };
  }

  /**
   * Starts an execution and answers when it has ended, also when it has failed.
   *
   * @throws StatesError `InvalidName`, `InvalidExecutionInput`, `StateMachineTypeNotSupported` for a Standard machine.
   */
  async startSync(choice: MachineChoice, request: StartRequest): Promise<SyncExecution> {
    if (choice.machine.type !== 'EXPRESS') {
      const message = 'This operation is not supported by this type of state machine';
      throw new StatesError('StateMachineTypeNotSupported', message);
    }
    const { arn } = this.#begin(choice, request, 'EXPRESS_SYNC');
    return answerFor(choice.machine.arn, await this.#nextEnd(arn));
  }

  /** Resolves when an execution has ended, at once when it has. @throws StatesError `ExecutionDoesNotExist`. */
  async whenEnded(executionArn: string): Promise<void> {
    if (this.outcomes.find(executionArn)) return;
    if (!this.#store.find(executionArn)) {
      throw new StatesError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
    }
    await this.#nextEnd(executionArn);
  }

  #nextEnd(executionArn: string): Promise<Execution> {
    return new Promise(resolve => {
      this.#waiting.set(executionArn, [...(this.#waiting.get(executionArn) ?? []), resolve]);
    });
  }

  #begin(choice: MachineChoice, request: StartRequest, kind: ExecutionKind): Execution {
    const { ids, clock } = this.#ports;
    const name = request.name ?? ids.uuid();
    requireNameCharacters(name);
    const input = readInput(request.input ?? '{}');
    this.#requireRoom();
    const arn = expressArnOf(choice.machine.arn, name, ids.uuid());
    const execution = newExecution({ arn, name, input, startedAt: clock.now(), kind });
    this.#store.create(choice, execution);
    this.executor.start(choice, execution);
    return execution;
  }

  #ended(executionArn: string): void {
    const stored = this.#store.find(executionArn);
    const waiting = this.#waiting.get(executionArn) ?? [];
    this.#store.forget(executionArn);
    this.#waiting.delete(executionArn);
    if (!stored) return;
    this.outcomes.add(stored);
    for (const resolve of waiting) resolve(stored.execution);
  }
}

function answerFor(stateMachineArn: string, execution: Execution): SyncExecution {
  const { arn, name, startedAt, status, input, end } = execution;
  if (!end || status === 'RUNNING') throw new Error(`an execution that has not ended: ${arn}`);
  const billed = Math.max(1, Math.ceil((end.at - startedAt) / BILLED_MS)) * BILLED_MS;
  return {
    executionArn: arn,
    stateMachineArn,
    name,
    startDate: startedAt,
    stopDate: end.at,
    // Only a bug of ours stops an Express execution.
    status: status === 'ABORTED' ? 'FAILED' : status,
    ...(end.error === undefined ? {} : { error: end.error }),
    ...(end.cause === undefined ? {} : { cause: end.cause }),
    input: input.text,
    inputDetails: { included: true },
    ...(end.output && { output: end.output.text }),
    outputDetails: { included: true },
    billingDetails: { billedDurationInMilliseconds: billed, billedMemoryUsedInMB: BILLED_MB },
  };
}
