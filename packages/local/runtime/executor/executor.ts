import {
  beforeRedrive,
  EXPIRY_TIMER,
  type Execution,
  pendingRedrive,
  type Redrive,
  reopened,
  type Signal,
  type Transition,
  transition,
} from '../../engine/index';
import type { ExpressionResult } from '../../language/index';
import { interruptedCallSignal } from '../calls/call-signals';
import { type MachineChoice, type RegisteredMachine, startSignal } from '../catalogue/registered-machine';
import type { EvaluationJob } from '../evaluation/job';
import type { StoredExecution } from '../store/store';
import { Effects } from './effects';
import { ExecutionExpiry } from './execution-expiry';
import { pendingWork } from './pending-work';
import type { Ports } from './ports';
import {
  type Delivery,
  isStop,
  newRunningExecution,
  type RunningExecution,
  untilStopped,
} from './running-execution';
import { NotEvaluated, RuntimeTransitionContext, type TransitionServices } from './transition-context';

/**
 * Signals that are applied before timers and requests have their turn. Executions that call each other, and are
 * answered within this process, would leave no time to others.
 */
const SIGNALS_IN_A_ROW = 500;

/** Applies signals to executions and performs the effects. */
export class Executor {
  readonly #ports: Ports;
  readonly #effects: Effects;
  readonly #sources: TransitionServices;
  readonly #runs = new Map<string, RunningExecution>();
  readonly #expiry: ExecutionExpiry;
  /** Signals that were applied since anything else had its turn. */
  #applied = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
    const { activities, ...others } = ports;
    // A mock can answer for an activity that is not there.
    this.#sources = ports.mockedActivity ? others : { ...others, activities };
    this.#effects = new Effects(
      ports,
      (run, signal) => this.#submit(run, { signal }),
      run => this.#end(run),
    );
    this.#expiry = new ExecutionExpiry(
      ports.clock,
      () => [...this.#runs.values()].map(run => run.execution),
      arn => void this.signal(arn, { kind: 'timerDue', timerId: EXPIRY_TIMER }).catch(() => undefined),
    );
  }

  /** Executions in progress. */
  get runningArns(): readonly string[] {
    return [...this.#runs.keys()];
  }

  /** How many executions are in progress. */
  get size(): number {
    return this.#runs.size;
  }

  /** Starts an execution that was just created. */
  start(choice: MachineChoice, execution: Execution): void {
    const run = this.#take(choice.machine, execution);
    // Any other signal for it comes after the start.
    run.isApplying = true;
    this.#ports.work.begin();
    // StartExecution is answered before the first state is entered.
    void RESOLVED.then(() => this.#applyAll(run, { signal: startSignal(choice) }));
  }

  /** Resumes an execution that has ended; resolves when that is saved, before it goes on, and rejects if not. */
  async redrive(machine: RegisteredMachine, execution: Execution, redrive: Redrive): Promise<void> {
    const run = this.#take(machine, execution);
    // Any other signal for it comes after the redrive.
    run.deliveries.push({ signal: { kind: 'redriven', ...redrive } });
    run.isApplying = true;
    this.#ports.work.begin();
    const release = this.#ports.store.hold?.(execution.arn);
    try {
      await this.#ports.store.save(reopened(execution, redrive), []);
    } catch (error) {
      run.deliveries.shift();
      const reason = this.#stuck(run, error);
      this.#runs.delete(execution.arn);
      this.#applyAll(run);
      throw reason;
    } finally {
      release?.();
    }
    this.#ports.redriven?.(execution.arn);
    void RESOLVED.then(() => this.#applyAll(run));
  }

  /**
   * Resumes executions that another process left running: their timers are set again, overdue ones fire at once, the
   * first one due first, and the results of jobs are waited for again. Each other attempt whose call was not answered
   * fails (see `interruptedCallSignal`); no call is made again.
   */
  resume(left: readonly StoredExecution[]): void {
    const resumed = left
      .filter(({ execution, history }) => !pendingRedrive(execution, history))
      .map(({ choice, execution }) => {
        const { machine } = choice;
        return { choice, run: this.#take(machine, execution), pending: pendingWork(machine, execution) };
      });
    const timers = resumed.flatMap(({ run, pending }) => pending.timers.map(timer => ({ run, timer })));
    for (const { run, timer } of timers.sort((a, b) => a.timer.due - b.timer.due)) {
      this.#effects.perform(run, { kind: 'setTimer', ...timer });
    }
    for (const { choice, run, pending } of resumed) {
      if (run.execution.lastEventId === 0) this.#submit(run, { signal: startSignal(choice) });
      for (const effect of pending.effects) this.#effects.perform(run, effect);
      for (const call of pending.calls) {
        if (this.#effects.rejoin(run, call)) continue;
        this.#submit(run, { signal: interruptedCallSignal(run.machine, call.taskId, call.stateName) });
      }
    }
    for (const { choice, execution, history } of left) {
      const redrive = pendingRedrive(execution, history);
      if (!redrive) continue;
      const run = this.#take(choice.machine, beforeRedrive(execution));
      this.#submit(run, { signal: { kind: 'redriven', ...redrive } });
    }
  }

  /**
   * Hands a signal to an execution; resolves when it has been applied, at once when the execution has ended. True when
   * the execution waited for it. Rejects when this transition, or one before it, could not be saved.
   */
  async signal(executionArn: string, signal: Signal): Promise<boolean> {
    const run = this.#runs.get(executionArn);
    return run ? this.#submitted(run, signal) : false;
  }

  /** Ends an execution that is not in progress, because its definition does not run any more. */
  async stop(stored: StoredExecution, signal: Signal & { kind: 'stopped' }): Promise<void> {
    const { choice, execution, history } = stored;
    const running = this.#runs.get(execution.arn);
    if (running) {
      await this.#submitted(running, signal);
      return;
    }
    // An earlier process may have accepted a start or redrive without recording it.
    const redrive = pendingRedrive(execution, history);
    const begun = redrive ? ({ kind: 'redriven', ...redrive } as const) : startSignal(choice);
    const isRecorded = redrive === undefined && execution.lastEventId > 0;
    const run = this.#take(choice.machine, redrive ? beforeRedrive(execution) : execution);
    await this.#submitted(run, isRecorded ? signal : { ...signal, begun });
  }

  /** Cancels all timers and ignores all answers. Executions stay in the store as they are. */
  close(): void {
    this.#expiry.close();
    for (const run of this.#runs.values()) {
      // Not abandoned: a job would stop the execution it has started.
      run.inFlight.detach();
    }
    this.#runs.clear();
  }

  #take(machine: RegisteredMachine, execution: Execution): RunningExecution {
    const run = newRunningExecution(machine, execution);
    this.#runs.set(execution.arn, run);
    this.#expiry.watch(execution);
    return run;
  }

  /** Submits a signal; resolves when it has been applied. */
  #submitted(run: RunningExecution, signal: Signal): Promise<boolean> {
    return new Promise<boolean>((applied, failed) => this.#submit(run, { signal, applied, failed }));
  }

  #submit(run: RunningExecution, delivery: Delivery): void {
    if (run.isApplying) {
      if (run.interrupt && isStop(delivery)) run.interrupt(delivery);
      else run.deliveries.push(delivery);
      return;
    }
    run.isApplying = true;
    this.#ports.work.begin();
    this.#applyAll(run, delivery);
  }

  /** One execution's signals, strictly one after another: now, until one of them takes time, or others have to. */
  #applyAll(run: RunningExecution, first = run.deliveries.shift()): void {
    if (this.#applied >= SIGNALS_IN_A_ROW) {
      setImmediate(() => this.#applyAll(run, first));
      return;
    }
    for (let next = first; next; next = run.deliveries.shift()) {
      if (this.#applied === 0) setImmediate(() => (this.#applied = 0));
      this.#applied += 1;
      const applying = this.#apply(run, next);
      if (!applying) continue;
      void applying.then(() => this.#applyAll(run));
      return;
    }
    run.isApplying = false;
    this.#ports.work.end();
  }

  /** Applies a signal and informs the sender; a promise, which never rejects, if that takes time. */
  #apply(run: RunningExecution, delivery: Delivery): Promise<void> | undefined {
    if (run.stuck) return this.#fail(run, delivery, run.stuck);
    try {
      const { execution } = run;
      const context = new RuntimeTransitionContext(
        this.#sources,
        () => `${execution.arn}#${execution.lastEventId}`,
      );
      const made = this.#transition(run, delivery.signal, context);
      const taking =
        made instanceof NotEvaluated
          ? this.#transitionLater(run, delivery, context, made)
          : this.#save(run, delivery, made);
      return taking?.catch(error => this.#fail(run, delivery, error));
    } catch (error) {
      return this.#fail(run, delivery, error);
    }
  }

  #fail(run: RunningExecution, delivery: Delivery, error: unknown): undefined {
    const reason = this.#stuck(run, error);
    delivery.failed?.(reason);
  }

  /** A transition that cannot be saved is reported, once, and no other follows it. */
  #stuck(run: RunningExecution, error: unknown): Error {
    if (run.stuck) return run.stuck;
    const { arn } = run.execution;
    run.stuck = new Error(`execution ${arn} is stuck`, { cause: error });
    this.#ports.report(run.stuck);
    run.inFlight.detach();
    return run.stuck;
  }

  /**
   * Makes a transition again and again, each time with one more of the values that it needs. If the execution is
   * stopped in the meantime, the stop is applied first: each expression can take a second, and has to wait its turn.
   */
  async #transitionLater(
    run: RunningExecution,
    delivery: Delivery,
    context: RuntimeTransitionContext,
    first: NotEvaluated,
  ): Promise<void> {
    const stopped = untilStopped(run, delivery);
    let made: Transition | NotEvaluated = first;
    while (made instanceof NotEvaluated && !stopped.aborted) {
      context.answer(await this.#evaluated(made.job, run, stopped));
      made = this.#transition(run, delivery.signal, context);
    }
    if (stopped.aborted) return;
    run.interrupt = undefined;
    await this.#save(run, delivery, made as Transition);
  }

  /** A bug of ours fails the evaluation, visibly. */
  #evaluated(job: EvaluationJob, run: RunningExecution, abort: AbortSignal): Promise<ExpressionResult> {
    return this.#ports.evaluator.evaluate(job, run, abort).catch(error => {
      this.#ports.report(new Error(`an evaluation of ${run.execution.arn} broke`, { cause: error }));
      return { kind: 'failed', problem: 'could not be evaluated: Internal error' };
    });
  }

  /** Saves a transition, and tells the sender whether the signal changed anything. */
  #save(run: RunningExecution, delivery: Delivery, made: Transition): Promise<void> | undefined {
    const { execution, events } = made;
    if (execution === run.execution || this.#runs.get(run.execution.arn) !== run) {
      delivery.applied?.(false);
      return undefined;
    }
    const saving = this.#ports.store.save(execution, events);
    if (saving instanceof Promise) return saving.then(() => this.#saved(run, delivery, made));
    this.#saved(run, delivery, made);
    return undefined;
  }

  #saved(run: RunningExecution, delivery: Delivery, { execution, events, effects }: Transition): void {
    run.execution = execution;
    this.#ports.recorded?.({ machine: run.machine, execution, events });
    // Closed meanwhile: the effects are performed by the process that resumes the execution.
    if (this.#runs.get(execution.arn) === run) {
      for (const effect of effects) this.#effects.perform(run, effect);
    }
    delivery.applied?.(true);
  }

  /** A bug of ours ends the execution, visibly, and nothing else. */
  #transition(
    run: RunningExecution,
    signal: Signal,
    context: RuntimeTransitionContext,
  ): Transition | NotEvaluated {
    const { machine, execution } = run;
    try {
      return transition(machine, execution, signal, context);
    } catch (error) {
      if (error instanceof NotEvaluated) return error;
      const message = `the engine broke on '${signal.kind}' of ${execution.arn}`;
      this.#ports.report(new Error(message, { cause: error }));
      const stop: Signal = { kind: 'stopped', error: 'States.Runtime', cause: `Internal error: ${message}` };
      return transition(machine, execution, stop, context);
    }
  }

  #end(run: RunningExecution): void {
    run.inFlight.abandon();
    this.#runs.delete(run.execution.arn);
    this.#ports.ended(run.execution.arn);
  }
}

/** What follows it is as soon as that of a microtask, which costs several times as much to ask for. */
const RESOLVED = Promise.resolve();
