import { type ExecutionStatus, newExecution } from '../engine/execution';
import type { HistoryEvent } from '../engine/history';
import { Activity } from './activity';
import { requireExecutionArn } from './arns';
import type { Clock } from './clock';
import {
  describe,
  type ExecutionDescription,
  type ExecutionSummary,
  summarize,
  withoutData,
} from './descriptions';
import { StatesError } from './errors';
import { Executor } from './executor';
import { type Ids, randomIds } from './ids';
import { type Home, type MachineIdentity, Machines, type RegisteredMachine } from './machines';
import { type PageRequest, pageOf } from './pages';
import type { Interceptor, ServiceTable } from './service';
import {
  checkConstraints,
  nameExecution,
  readInput,
  type StartRequest,
  startedBefore,
} from './start-execution';
import { MemoryStore, type Store, type Stored } from './store';

/** What a runtime works with. */
export interface RuntimeOptions {
  readonly clock: Clock;
  readonly services: ServiceTable;
  /** @default - ids that differ in every run */
  readonly ids?: Ids;
  /** @default - memory */
  readonly store?: Store;
  /** @default - calls go straight to the services */
  readonly interceptor?: Interceptor;
  /** Shared with whoever lets clock time pass within calls. @default - the runtime's own */
  readonly activity?: Activity;
  /** Where machines registered by name live. @default - aws, us-east-1, 000000000000 */
  readonly home?: Partial<Home>;
  /** Told of what is broken in the engine or in a service. @default - a process warning */
  readonly report?: (problem: Error) => void;
}

/** An execution has started or ended. Told in the order of each execution's life, after its state is kept. */
export interface StatusChange {
  readonly kind: 'started' | 'ended';
  readonly execution: ExecutionDescription;
}

/**
 * Runs Standard state machines: Step Functions' operations on top of the pure engine.
 *
 * Requests are refused with the service's own errors (`StatesError`). Times are epoch milliseconds, data is
 * JSON text as on the wire.
 */
export class Runtime {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #store: Store;
  readonly #activity: Activity;
  readonly #machines: Machines;
  readonly #executor: Executor;
  readonly #listeners = new Set<(change: StatusChange) => void>();
  readonly #report: (problem: Error) => void;

  constructor(options: RuntimeOptions) {
    this.#clock = options.clock;
    this.#ids = options.ids ?? randomIds();
    this.#store = options.store ?? new MemoryStore();
    this.#activity = options.activity ?? new Activity();
    this.#report = options.report ?? (problem => process.emitWarning(problem.message));
    this.#machines = new Machines(options.services, { ...HOME, ...options.home });
    this.#executor = new Executor({
      clock: this.#clock,
      ids: this.#ids,
      store: this.#store,
      services: options.services,
      ...(options.interceptor && { interceptor: options.interceptor }),
      activity: this.#activity,
      report: this.#report,
      ended: executionArn => this.#tell('ended', executionArn),
    });
  }

  /**
   * Registers a state machine and answers its ARN among other things. Registering the same text again is
   * harmless.
   *
   * @throws StatesError `InvalidDefinition` with all problems of the text, `StateMachineAlreadyExists`,
   * `InvalidName`.
   */
  register(definitionText: string, identity: MachineIdentity): RegisteredMachine {
    return this.#machines.register(definitionText, identity, this.#clock.now());
  }

  /** @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`. */
  machine(stateMachineArn: string): RegisteredMachine {
    return this.#machines.get(stateMachineArn);
  }

  /** The registered machines, oldest first. */
  machines(): readonly RegisteredMachine[] {
    return this.#machines.list();
  }

  /**
   * Starts an execution. The answer comes before its first state is entered.
   *
   * The same name and input while it runs is the same request and gets the same answer.
   *
   * @throws StatesError `ExecutionAlreadyExists` for a name in use otherwise, and the service's other
   * refusals, in the order in which the service checks.
   */
  async startExecution(request: StartRequest): Promise<{ executionArn: string; startDate: number }> {
    checkConstraints(request);
    const machine = this.#machines.get(request.stateMachineArn);
    const name = request.name ?? this.#ids.uuid();
    const arn = nameExecution(machine, name);
    const input = readInput(request.input ?? '{}');
    const now = this.#clock.now();
    const before = startedBefore(this.#store, arn, input.text, now);
    if (before) return { executionArn: arn, startDate: before.startedAt };

    const execution = newExecution({ arn, name, input, startedAt: now });
    await this.#store.create(machine.arn, execution);
    this.#tell('started', arn);
    this.#executor.start(machine, execution);
    return { executionArn: arn, startDate: now };
  }

  /** Stops an execution; one that has ended keeps its end. */
  async stopExecution(request: {
    readonly executionArn: string;
    readonly error?: string;
    readonly cause?: string;
  }): Promise<{ stopDate: number }> {
    const { executionArn, ...reason } = request;
    this.#stored(executionArn);
    await this.#executor.signal(executionArn, { kind: 'stopped', ...reason });
    return { stopDate: this.#stored(executionArn).execution.end?.at ?? this.#clock.now() };
  }

  async describeExecution(request: { readonly executionArn: string }): Promise<ExecutionDescription> {
    return describe(this.#stored(request.executionArn));
  }

  async getExecutionHistory(
    request: PageRequest & {
      readonly executionArn: string;
      readonly reverseOrder?: boolean;
      /** @default true */
      readonly includeExecutionData?: boolean;
    },
  ): Promise<{ events: readonly HistoryEvent[]; nextToken?: string }> {
    const { history } = this.#stored(request.executionArn);
    const { items, ...more } = pageOf(request.reverseOrder ? history.toReversed() : history, request);
    return { events: request.includeExecutionData === false ? items.map(withoutData) : items, ...more };
  }

  /** Executions of a machine, newest first. */
  async listExecutions(
    request: PageRequest & { readonly stateMachineArn: string; readonly statusFilter?: ExecutionStatus },
  ): Promise<{ executions: readonly ExecutionSummary[]; nextToken?: string }> {
    const { arn } = this.#machines.get(request.stateMachineArn);
    const { statusFilter } = request;
    const all = this.#store.list(arn).toReversed();
    const wanted = statusFilter ? all.filter(({ execution }) => execution.status === statusFilter) : all;
    const { items, ...more } = pageOf(wanted, request);
    return { executions: items.map(summarize), ...more };
  }

  /** State transitions the service would bill for an execution: states entered and retries. */
  billedTransitions(executionArn: string): number {
    return this.#stored(executionArn).execution.transitions;
  }

  /** ARNs of the executions in progress. */
  running(): readonly string[] {
    return this.#executor.runningArns;
  }

  /** Calls back on each start and end, until the returned function is called. */
  subscribe(listener: (change: StatusChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when no signal is being applied and no call is in flight. */
  idle(): Promise<void> {
    return this.#activity.idle();
  }

  /** Lets go of timers and calls. Executions stay in the store as they are. */
  close(): void {
    this.#executor.close();
    this.#listeners.clear();
  }

  #stored(executionArn: string): Stored {
    requireExecutionArn(executionArn);
    const stored = this.#store.find(executionArn);
    if (stored) return stored;
    throw new StatesError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
  }

  #tell(kind: StatusChange['kind'], executionArn: string): void {
    if (this.#listeners.size === 0) return;
    const change: StatusChange = { kind, execution: describe(this.#stored(executionArn)) };
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#report(new Error(`a listener broke on '${kind}'`, { cause: error }));
      }
    }
  }
}

const HOME: Home = { partition: 'aws', region: 'us-east-1', account: '000000000000' };
