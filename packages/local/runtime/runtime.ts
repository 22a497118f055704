import { startEvent } from '../engine/index';
import type { ServiceTable } from './calls/service';
import { Activities } from './catalogue/activities';
import { DEFAULT_ENVIRONMENT } from './catalogue/environment';
import { type MachineIdentity, MachineRegistry } from './catalogue/machine-registry';
import { type MachineChoice, type RegisteredMachine, startSignal } from './catalogue/registered-machine';
import { SHARED_THREADS } from './evaluation/thread-pool';
import type { ExecutionDescription, ExecutionSummary } from './executions/descriptions';
import { type ApiHistoryEvent, type HistoryRequest, historyPage } from './executions/execution-history';
import { ExpressExecutions, type SyncExecution } from './executions/express-executions';
import type { ExpressOutcomes } from './executions/express-outcomes';
import { type ListExecutionsRequest, listExecutions } from './executions/list-executions';
import { Queries } from './executions/queries';
import { type RedriveRequest, Redrives } from './executions/redrive-execution';
import { requireRoom } from './executions/running-limit';
import { StandardStarts } from './executions/standard-starts';
import { type StatusChange, StatusChanges } from './executions/status-changes';
import { TaskResults } from './executions/task-results';
import { ActivityTasks } from './executor/activity-tasks';
import { Executor } from './executor/executor';
import { resumeLeft, runs } from './executor/pending-work';
import { type Ids, randomIds } from './ids';
import { MapRuns } from './map-runs/map-run-operations';
import { isExpressArn } from './requests/arns';
import { checkConstraints, type StartRequest } from './requests/start-request';
import type { RuntimeOptions } from './runtime-options';
import { MemoryStore } from './store/memory-store';
import type { Store } from './store/store';
import type { Clock } from './time/clock';
import { WorkTracker } from './time/work-tracker';

/**
 * Runs state machines: Step Functions' operations on top of the pure engine.
 *
 * Requests are rejected with the service's own errors (`StatesError`). Times are epoch milliseconds, data is
 * JSON text as on the wire.
 *
 * @example
 * await stack.runtime.stopExecution({ executionArn });
 */
export class Runtime {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #store: Store;
  /** The work in progress, and the work still to come. */
  readonly work: WorkTracker;
  /** Tasks of activities, for workers. Within a service's call they are waited for by `work.release`. */
  readonly activityTasks: ActivityTasks;
  /** Map Runs, with Step Functions' operations on them. */
  readonly mapRuns: MapRuns;
  readonly #services: ServiceTable;
  /** The registered machines, oldest first. */
  readonly machines: MachineRegistry;
  readonly #executor: Executor;
  readonly #starts: StandardStarts;
  readonly #queries: Queries;
  readonly #express: ExpressExecutions;
  readonly #redrives: Redrives;
  /** SendTaskSuccess, SendTaskFailure and SendTaskHeartbeat, for tasks that wait for their token. */
  readonly taskResults: TaskResults;
  /** How the last 1,000 Express executions have ended. On AWS only the logs have this. */
  readonly expressOutcomes: ExpressOutcomes;
  readonly #changes: StatusChanges;
  readonly #begin: (request: StartRequest) => StartRequest;

  constructor(options: RuntimeOptions) {
    this.#begin = options.begin ?? (request => request);
    this.#clock = options.clock;
    this.#ids = options.ids ?? randomIds();
    this.#store = options.store ?? new MemoryStore();
    this.work = options.work ?? new WorkTracker();
    this.#services = options.services;
    const report = options.report ?? ((problem: Error) => process.emitWarning(problem.message));
    this.machines =
      options.machines ??
      new MachineRegistry(options.services, { ...DEFAULT_ENVIRONMENT, ...options.environment });
    this.activityTasks = new ActivityTasks(this.#clock, (arn, signal) => this.#executor.signal(arn, signal));
    const shared = {
      clock: this.#clock,
      store: this.#store,
      services: options.services,
      ...(options.interceptor && { interceptor: options.interceptor }),
      work: this.work,
      report,
    };
    this.mapRuns = new MapRuns({
      ...shared,
      start: (choice, request) => this.#starts.start(choice, request),
      nextEnd: arn => this.#changes.nextEnd(arn),
      startExpress: (choice, request) => this.#express.startChild(choice, request),
      signal: (arn, signal) =>
        (isExpressArn(arn) ? this.#express.executor : this.#executor).signal(arn, signal),
    });
    const ports = {
      ...shared,
      ids: this.#ids,
      evaluator: options.evaluator ?? SHARED_THREADS,
      activities: options.activities ?? new Activities(),
      activityTasks: this.activityTasks,
      ...(options.mockedActivity && { mockedActivity: options.mockedActivity }),
      mapRuns: this.mapRuns,
      ...(options.recorded && { recorded: options.recorded }),
    };
    const size = () => this.#executor.size + this.#express.executor.size + this.#starts.size;
    const room = () => requireRoom(size(), options.maxRunningExecutions);
    this.#changes = new StatusChanges(arn => this.#queries.described(arn), report);
    this.#executor = new Executor({
      ...ports,
      redriven: executionArn => this.#changes.notify('redriven', executionArn),
      ended: executionArn => this.#changes.notify('ended', executionArn),
    });
    this.#starts = new StandardStarts({ ...ports, requireRoom: room }, (choice, execution) => {
      this.#changes.notify('started', execution.arn);
      this.#executor.start(choice, execution);
    });
    this.#queries = new Queries({ ...ports, starts: this.#starts });
    this.#express = new ExpressExecutions(ports, room);
    this.expressOutcomes = this.#express.outcomes;
    this.#redrives = new Redrives(this.#executor, {
      clock: this.#clock,
      find: arn => this.#queries.stored(arn),
      requireRoom: room,
    });
    this.taskResults = new TaskResults(
      (arn, signal) => this.#executor.signal(arn, signal),
      arn => this.#store.find(arn) !== undefined,
    );
  }

  /**
   * Registers a state machine and answers its ARN among other things. The same text again is harmless.
   *
   * @throws StatesError `InvalidDefinition` with all problems, `StateMachineAlreadyExists`, `InvalidName`.
   */
  register(definitionText: string, identity: MachineIdentity): RegisteredMachine {
    return this.machines.register(definitionText, identity, this.#clock.now());
  }

  /**
   * Starts an execution. The answer comes before its first state is entered.
   *
   * The same name and input while it runs is the same request and gets the same answer. An Express execution has no
   * such rule, and no operation of the service returns it afterwards.
   *
   * @throws StatesError `ExecutionAlreadyExists` for a name in use otherwise, and the service's other rejections
   */
  async startExecution(asked: StartRequest): Promise<{ executionArn: string; startDate: number }> {
    const request = this.#begin(asked);
    checkConstraints(request);
    const choice = this.machines.resolve(request.stateMachineArn, () => this.#ids.random());
    if (choice.machine.type === 'EXPRESS') return this.#express.start(choice, request);
    return this.#starts.start(choice, request);
  }

  /**
   * Starts an Express execution and answers when it has ended, in whichever way.
   *
   * @throws StatesError `StateMachineTypeNotSupported` for a Standard machine, and StartExecution's rejections.
   */
  async startSyncExecution(asked: StartRequest): Promise<SyncExecution> {
    const request = this.#begin(asked);
    checkConstraints(request);
    const choice = this.machines.resolve(request.stateMachineArn, () => this.#ids.random());
    return this.#express.startSync(choice, request);
  }

  /**
   * Lets an execution go on where it has failed, timed out or was stopped.
   *
   * @throws StatesError `ExecutionNotRedrivable`, with the reason that the description has, too.
   */
  async redriveExecution(request: RedriveRequest): Promise<{ redriveDate: number }> {
    await this.#starts.pending(request.executionArn);
    return { redriveDate: await this.#redrives.redrive(request) };
  }

  /** Stops an execution; one that has ended keeps its end. */
  async stopExecution(request: {
    readonly executionArn: string;
    readonly error?: string;
    readonly cause?: string;
  }): Promise<{ stopDate: number }> {
    const { executionArn, ...reason } = request;
    const stored = await this.#queries.settled(executionArn);
    const signal = { kind: 'stopped', ...reason } as const;
    const isIdle = stored.execution.status === 'RUNNING' && !runs(stored);
    if (isIdle) await this.#executor.stop(stored, signal);
    else await this.#executor.signal(executionArn, signal);
    return { stopDate: this.#queries.stored(executionArn).execution.end?.at ?? this.#clock.now() };
  }

  async describeExecution(request: { readonly executionArn: string }): Promise<ExecutionDescription> {
    await this.#starts.pending(request.executionArn);
    return this.#queries.described(request.executionArn);
  }

  async getExecutionHistory(
    request: HistoryRequest,
  ): Promise<{ events: readonly ApiHistoryEvent[]; nextToken?: string }> {
    const { choice, execution, history } = await this.#queries.settled(request.executionArn);
    // The start is saved with the first state, whose expressions can take their time.
    const begun = history.length > 0 ? history : [startEvent(choice.machine, execution, startSignal(choice))];
    return historyPage(begun, request);
  }

  /** Executions of a machine, newest first. */
  async listExecutions(
    request: ListExecutionsRequest,
  ): Promise<{ executions: readonly ExecutionSummary[]; nextToken?: string }> {
    return listExecutions(this.machines, this.#queries, request);
  }

  /** What an execution was started through. @throws StatesError `InvalidArn`, `ExecutionDoesNotExist`. */
  choiceOf(executionArn: string): MachineChoice {
    return this.#queries.stored(executionArn).choice;
  }

  /**
   * Resumes the executions that an earlier process left running in the store; returns how many.
   *
   * Timers are set again, overdue ones fire at once. Tasks that wait for a token go on waiting. An attempt whose
   * answer is lost fails (see `interruptedCallSignal`). An execution whose definition this version does not run stays
   * as it is, and can be stopped. Cancels jobs whose execution no longer waits for them, in case the earlier process
   * ended before it could.
   * `stop` are ARNs of executions that are stopped instead: nothing of them happens any more.
   */
  resume(stop: readonly string[] = []): number {
    return resumeLeft({ executor: this.#executor, store: this.#store, services: this.#services }, stop);
  }

  /** State transitions the service would bill for an execution. */
  billedTransitions(executionArn: string): number {
    return this.#queries.stored(executionArn).execution.transitions;
  }

  /** ARNs of the executions in progress. */
  running(): readonly string[] {
    return [...this.#executor.runningArns, ...this.#express.executor.runningArns];
  }

  /**
   * Resolves when an execution has ended, also an Express one, at once when it has.
   *
   * @throws StatesError as `describeExecution`; `ExecutionDoesNotExist` for an Express execution that is forgotten.
   */
  async whenEnded(executionArn: string): Promise<void> {
    if (isExpressArn(executionArn)) return this.#express.whenEnded(executionArn);
    if ((await this.#queries.settled(executionArn)).execution.status !== 'RUNNING') return;
    await this.#changes.nextEnd(executionArn);
  }

  /** Calls back on each start and end, until the returned function is called. */
  subscribe(listener: (change: StatusChange) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** Cancels timers and ignores the answers of calls. Executions stay in the store as they are. */
  close(): void {
    this.#executor.close();
    this.#express.executor.close();
    this.#changes.close();
  }
}
