import type { Effect, Execution, MapRun, Signal } from '../../engine/index';
import type { MachineChoice, RegisteredMachine } from '../catalogue/registered-machine';
import { executionArnOf } from '../requests/arns';
import type { StartRequest } from '../requests/start-request';
import type { Store } from '../store/store';
import type { Clock } from '../time/clock';
import type { WorkTracker } from '../time/work-tracker';
import { childMachine, childName } from './child-machine';
import { RunCounts } from './run-counts';

/** What starts and stops the executions of Map Runs. */
export interface ChildPorts {
  readonly clock: Clock;
  readonly store: Store;
  readonly work: WorkTracker;
  /** Starts a Standard execution. @throws StatesError `ExecutionLimitExceeded`; a promise rejects with it */
  readonly start: (choice: MachineChoice, request: StartRequest) => unknown;
  /** Resolves when a Standard execution ends, which it must not have yet. */
  readonly nextEnd: (executionArn: string) => Promise<void>;
  /** Starts an Express execution. @throws StatesError `ExecutionLimitExceeded` */
  readonly startExpress: (
    choice: MachineChoice,
    request: StartRequest,
  ) => { readonly arn: string; readonly ended: Promise<Execution> };
  /** Hands a signal to an execution of either kind; true when it waited for it. */
  readonly signal: (executionArn: string, signal: Signal) => Promise<boolean>;
}

/** How the executions of a run have ended: those that have ended in an order of their own, by their index. */
export interface EndedChildren {
  readonly machine: RegisteredMachine;
  readonly executions: ReadonlyMap<number, Execution>;
  readonly counts: RunCounts;
  /** Whether more have failed than are tolerated. */
  readonly isExceeded: boolean;
}

/** Executions of one run at the same time, whatever its definition says (the service has 10,000). */
const CHILDREN_AT_ONCE = 1_000;

/** How long a start is put off where there are too many executions, in milliseconds. */
const NO_ROOM_MS = 1_000;

/**
 * The executions of one Map Run: starts them in the order of the items, as many at a time as it may, and none of them
 * twice, also where an earlier process had started some. Of an Express execution nothing outlives a process: it is run
 * again.
 */
export class ActiveRun {
  readonly counts: RunCounts;
  readonly #effect: Effect & { readonly kind: 'runChildren' };
  readonly #machine: RegisteredMachine;
  readonly #ports: ChildPorts;
  readonly #ended: (children: EndedChildren) => void;
  readonly #executions = new Map<number, Execution>();
  readonly #arns = new Map<number, string>();
  readonly #releases: (() => void)[] = [];
  #run: MapRun;
  #next = 0;
  /** Those that there was no room for. */
  readonly #putOff: number[] = [];
  #isOver = false;
  #isStarting = false;

  /** `ended` is called once, unless the run is stopped before. */
  constructor(
    effect: Effect & { readonly kind: 'runChildren' },
    parent: RegisteredMachine,
    ports: ChildPorts,
    ended: (children: EndedChildren) => void,
  ) {
    this.#effect = effect;
    this.#run = effect.run;
    this.#machine = childMachine(parent, effect.stateName, effect.run.arn);
    this.#ports = ports;
    this.#ended = ended;
    this.counts = new RunCounts(effect.inputs);
  }

  /** Starts as many as may run. */
  start(): void {
    // One that has ended before is settled while it is started, which must not begin this within itself.
    if (this.#isStarting) return;
    this.#isStarting = true;
    const { inputs } = this.#effect;
    while (!this.#isOver && this.counts.executions.running < this.#most) {
      const index = this.#putOff.shift() ?? this.#next;
      if (index === inputs.length) break;
      if (index === this.#next) this.#next += 1;
      this.#startChild(index);
    }
    this.#isStarting = false;
    if (!this.#isOver && this.#executions.size === inputs.length) this.#end();
  }

  /** How many may run at the same time. */
  get #most(): number {
    return Math.min(this.#run.maxConcurrency || CHILDREN_AT_ONCE, CHILDREN_AT_ONCE);
  }

  /** Gives the run other limits. */
  limit(run: MapRun): void {
    this.#run = run;
    this.#check();
    this.start();
  }

  /** Stops what runs, and starts nothing any more. */
  stop(): void {
    this.#isOver = true;
    for (const index of this.counts.running) {
      const arn = this.#arns.get(index);
      if (arn !== undefined) this.#stopChild(arn);
    }
    for (const release of this.#releases) release();
  }

  #stopChild(arn: string): void {
    void this.#ports.signal(arn, STOPPED).catch(() => undefined);
  }

  #startChild(index: number): void {
    const { run, inputs } = this.#effect;
    const { text: input = '', items = 0 } = inputs[index] ?? {};
    const choice: MachineChoice = { machine: this.#machine, mapRun: { arn: run.arn, items } };
    const request = { stateMachineArn: this.#machine.arn, name: childName(run.arn, index), input };
    this.counts.set(index, 'RUNNING');
    const started =
      this.#machine.type === 'EXPRESS'
        ? this.#express(choice, request, index)
        : this.#standard(choice, request, index);
    // It counts as work until the execution is there, so that no time passes before.
    this.#ports.work.begin();
    started
      // Too many executions: it is tried again when some may have ended.
      .catch(() => {
        this.counts.set(index, 'PENDING');
        this.#putOff.push(index);
        this.#ports.clock.at(this.#ports.clock.now() + NO_ROOM_MS, () => this.start());
      })
      .finally(() => this.#ports.work.end());
  }

  async #express(choice: MachineChoice, request: StartRequest, index: number): Promise<void> {
    const { arn, ended } = this.#ports.startExpress(choice, request);
    this.#arns.set(index, arn);
    void ended.then(execution => this.#settle(index, execution));
  }

  async #standard(choice: MachineChoice, request: StartRequest, index: number): Promise<void> {
    const { store, start, nextEnd } = this.#ports;
    const arn = executionArnOf(choice.machine.arn, request.name ?? '');
    this.#arns.set(index, arn);
    // Until the run has ended, however many executions are kept otherwise.
    const release = store.hold?.(arn);
    if (release) this.#releases.push(release);
    const known = store.find(arn)?.execution;
    if (known && known.status !== 'RUNNING') {
      this.#settle(index, known);
      return;
    }
    const ended = nextEnd(arn);
    if (!known) await start(choice, request);
    // While it was being created no signal reached it.
    if (this.#isOver) this.#stopChild(arn);
    void ended.then(() => {
      const execution = store.find(arn)?.execution;
      if (execution) this.#settle(index, execution);
    });
  }

  #settle(index: number, execution: Execution): void {
    if (this.#isOver) return;
    this.#executions.set(index, execution);
    this.counts.set(index, execution.status);
    this.#check();
    this.start();
  }

  #check(): void {
    if (this.#isOver || !this.counts.exceeds(this.#run)) return;
    this.stop();
    for (const index of this.counts.running) this.counts.set(index, 'ABORTED');
    this.#finish(true);
  }

  #end(): void {
    this.stop();
    this.#finish(false);
  }

  #finish(isExceeded: boolean): void {
    const { counts } = this;
    this.#ended({ machine: this.#machine, executions: this.#executions, counts, isExceeded });
  }
}

const STOPPED: Signal = { kind: 'stopped' };
