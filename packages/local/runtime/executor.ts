import type { Execution, Machine } from '../engine/execution';
import type { Signal } from '../engine/signals';
import { LIFE_TIMER } from '../engine/timeout';
import { type Transition, transition } from '../engine/transition';
import { type Soon, whenThere } from '../jsonata/soon';
import type { MachineChoice } from './catalogue/machine';
import { Draws } from './draws';
import { Effects } from './effects';
import { LifeWatch } from './life-watch';
import { lostCall } from './lost-calls';
import { openEnds } from './open-ends';
import { OpenWork } from './open-work';
import type { Ports } from './ports';
import type { Delivery, Run } from './run';
import type { Stored } from './store';

/** Applies signals to executions and performs the effects. */
export class Executor {
  readonly #ports: Ports;
  readonly #effects: Effects;
  readonly #runs = new Map<string, Run>();
  readonly #lives: LifeWatch;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#effects = new Effects(
      ports,
      (run, signal) => this.#submit(run, { signal }),
      run => this.#end(run),
    );
    this.#lives = new LifeWatch(
      ports.clock,
      () => [...this.#runs.values()].map(run => run.execution),
      arn => void this.signal(arn, { kind: 'timerDue', timerId: LIFE_TIMER }).catch(() => undefined),
    );
  }

  /** Executions in progress. */
  get runningArns(): readonly string[] {
    return [...this.#runs.keys()];
  }

  /** Takes an execution up that was just created. */
  start(choice: MachineChoice, execution: Execution): void {
    const run = this.#take(choice.machine, execution);
    // Whatever else comes for it comes after the start.
    run.deliveries.push({ signal: startOf(choice) });
    run.isApplying = true;
    this.#ports.activity.begin();
    // Whoever asked has the answer before the first state is entered.
    queueMicrotask(() => this.#applyAll(run));
  }

  /** Takes an execution up again that has ended, and resolves when it goes on. Rejects when that cannot be kept. */
  async redrive(machine: Machine, execution: Execution, clientToken?: string): Promise<void> {
    const token = clientToken === undefined ? {} : { clientToken };
    await this.#submitted(this.#take(machine, execution), { kind: 'redriven', ...token });
  }

  /**
   * Takes executions up that another process left behind: their timers are set again, those that are overdue fire at
   * once, the first one due first, and the results of jobs are waited for again. Each other attempt whose call was not
   * answered fails (see `lostCall`); nothing is called again.
   */
  resume(left: readonly Stored[]): void {
    const resumed = left.map(({ choice, execution }) => {
      const { machine } = choice;
      return { choice, run: this.#take(machine, execution), ends: openEnds(machine, execution) };
    });
    const timers = resumed.flatMap(({ run, ends }) => ends.timers.map(timer => ({ run, timer })));
    for (const { run, timer } of timers.sort((a, b) => a.timer.due - b.timer.due)) {
      this.#effects.perform(run, { kind: 'setTimer', ...timer });
    }
    for (const { choice, run, ends } of resumed) {
      if (run.execution.lastEventId === 0) this.#submit(run, { signal: startOf(choice) });
      for (const pauseId of ends.pauseIds) this.#effects.perform(run, { kind: 'goOn', pauseId });
      for (const call of ends.calls) {
        if (this.#effects.rejoin(run, call)) continue;
        this.#submit(run, { signal: lostCall(run.machine, call.taskId, call.stateName) });
      }
    }
  }

  /**
   * Hands a signal to an execution; resolves when it has been applied, at once when the execution has ended. True when
   * the signal found somebody waiting for it. Rejects when what it came to could not be kept, also before.
   */
  async signal(executionArn: string, signal: Signal): Promise<boolean> {
    const run = this.#runs.get(executionArn);
    return run ? this.#submitted(run, signal) : false;
  }

  /** Ends an execution that nobody has in progress, because its definition does not run any more. */
  async stop({ choice, execution }: Stored, signal: Signal & { kind: 'stopped' }): Promise<void> {
    await this.#submitted(this.#runs.get(execution.arn) ?? this.#take(choice.machine, execution), signal);
  }

  /** Lets everything go: no timer fires and no answer counts any more. Executions stay as they are. */
  close(): void {
    this.#lives.close();
    for (const run of this.#runs.values()) {
      // Not abandoned: a job would stop the execution it has started.
      run.open.letGo();
    }
    this.#runs.clear();
  }

  #take(machine: Machine, execution: Execution): Run {
    const run: Run = {
      machine,
      execution,
      deliveries: [],
      isApplying: false,
      stuck: undefined,
      open: new OpenWork(),
    };
    this.#runs.set(execution.arn, run);
    this.#lives.watch(execution);
    return run;
  }

  /** Hands a signal on; resolves when it has been applied. */
  #submitted(run: Run, signal: Signal): Promise<boolean> {
    return new Promise<boolean>((applied, failed) => this.#submit(run, { signal, applied, failed }));
  }

  #submit(run: Run, delivery: Delivery): void {
    run.deliveries.push(delivery);
    if (run.isApplying) return;
    run.isApplying = true;
    this.#ports.activity.begin();
    this.#applyAll(run);
  }

  /** One execution's signals, strictly one after another: now, until one of them takes time. */
  #applyAll(run: Run): void {
    for (let next = run.deliveries.shift(); next; next = run.deliveries.shift()) {
      const delivery = next;
      const isChanged = this.#apply(run, delivery);
      if (isChanged instanceof Promise) {
        void isChanged.then(later => {
          if (later !== undefined) delivery.applied?.(later);
          this.#applyAll(run);
        });
        return;
      }
      if (isChanged !== undefined) delivery.applied?.(isChanged);
    }
    run.isApplying = false;
    this.#ports.activity.end();
  }

  /** Whether the signal changed anything; undefined when it could not be applied, of which the sender knows then. */
  #apply(run: Run, delivery: Delivery): Soon<boolean | undefined> {
    const { signal } = delivery;
    const failed = (error: unknown) => {
      const reason = this.#stuck(run, error);
      delivery.failed?.(reason);
      return undefined;
    };
    if (run.stuck) return failed(run.stuck);
    try {
      const kept = whenThere(this.#transition(run, signal), after => this.#keep(run, signal, after));
      return kept instanceof Promise ? kept.catch(failed) : kept;
    } catch (error) {
      return failed(error);
    }
  }

  /** What cannot be kept is reported, once, and nothing follows it. */
  #stuck(run: Run, error: unknown): Error {
    if (run.stuck) return run.stuck;
    const { arn, status } = run.execution;
    run.stuck = new Error(`execution ${arn} is stuck`, { cause: error });
    this.#ports.report(run.stuck);
    run.open.letGo();
    // A redrive that did not come about: the execution has ended as before.
    if (status !== 'RUNNING' && this.#runs.get(arn) === run) this.#runs.delete(arn);
    return run.stuck;
  }

  #keep(run: Run, signal: Signal, { execution, events, effects }: Transition): Soon<boolean> {
    if (execution === run.execution || this.#runs.get(run.execution.arn) !== run) return false;
    const saving = this.#ports.store.save(execution, events);
    const goOn = () => {
      run.execution = execution;
      // Closed meanwhile: what is to be done is done by whoever takes the execution up again.
      if (this.#runs.get(execution.arn) !== run) return true;
      if (signal.kind === 'redriven') this.#ports.redriven?.(execution.arn);
      for (const effect of effects) this.#effects.perform(run, effect);
      return true;
    };
    return saving === undefined ? goOn() : saving.then(goOn);
  }

  /** A bug of ours ends the execution, visibly, and nothing else. */
  #transition(run: Run, signal: Signal): Soon<Transition> {
    const { ids, clock, report } = this.#ports;
    const { machine, execution } = run;
    const draws = new Draws(clock, ids, () => `${execution.arn}#${execution.lastEventId}`);
    const broke = (error: unknown) => {
      const message = `the engine broke on '${signal.kind}' of ${execution.arn}`;
      report(new Error(message, { cause: error }));
      const stop: Signal = { kind: 'stopped', error: 'States.Runtime', cause: `Internal error: ${message}` };
      return transition(machine, execution, stop, draws);
    };
    try {
      const after = transition(machine, execution, signal, draws);
      return after instanceof Promise ? after.catch(broke) : after;
    } catch (error) {
      return broke(error);
    }
  }

  #end(run: Run): void {
    run.open.abandon();
    this.#runs.delete(run.execution.arn);
    this.#ports.ended(run.execution.arn);
  }
}

function startOf({ versionArn, aliasArn }: MachineChoice): Signal {
  if (versionArn === undefined) return STARTED;
  return { kind: 'started', versionArn, ...(aliasArn !== undefined && { aliasArn }) };
}

const STARTED: Signal = { kind: 'started' };
