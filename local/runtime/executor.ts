import type { Json } from '../asl/json';
import { type Soon, whenThere } from '../asl/soon';
import type { Effect } from '../engine/effects';
import type { Execution, Machine } from '../engine/execution';
import type { Signal } from '../engine/signals';
import { type Transition, transition } from '../engine/transition';
import type { Activity } from './activity';
import { type Answering, answerTo } from './answer';
import { callbackSignal, signalFor } from './answer-signals';
import type { Clock } from './clock';
import { Draws } from './draws';
import type { Ids } from './ids';
import { type OpenCall, openEnds } from './open-ends';
import { OpenWork } from './open-work';
import type { JobResult, ServiceCall, ServiceResult } from './service';
import type { Store } from './store';

/** What the executor works with. */
export interface Ports extends Answering {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly store: Store;
  readonly activity: Activity;
  /** Told of each execution that goes on by a redrive, after that is kept. */
  readonly redriven?: (executionArn: string) => void;
  /** Told of each execution that has ended, after it is kept. */
  readonly ended: (executionArn: string) => void;
}

/** One execution in progress. */
interface Run {
  readonly machine: Machine;
  execution: Execution;
  readonly signals: { readonly signal: Signal; readonly applied?: (isChanged: boolean) => void }[];
  isApplying: boolean;
  readonly open: OpenWork;
}

/** Applies signals to executions and performs the effects. */
export class Executor {
  readonly #ports: Ports;
  readonly #runs = new Map<string, Run>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Executions in progress. */
  get runningArns(): readonly string[] {
    return [...this.#runs.keys()];
  }

  /** Takes an execution up that was just created. */
  start(machine: Machine, execution: Execution): void {
    const { activity } = this.#ports;
    const run = this.#take(machine, execution);
    // Whoever asked has the answer before the first state is entered.
    activity.begin();
    queueMicrotask(() => {
      this.#submit(run, { kind: 'started' });
      activity.end();
    });
  }

  /** Takes an execution up again that has ended, and resolves when it goes on. */
  async redrive(machine: Machine, execution: Execution, clientToken?: string): Promise<void> {
    const token = clientToken === undefined ? {} : { clientToken };
    await this.#submitted(this.#take(machine, execution), { kind: 'redriven', ...token });
  }

  /**
   * Takes an execution up that another process left behind: its timers are set again, those that are overdue fire at
   * once, and the results of jobs are waited for again. For each other attempt whose call was not answered `lost` says
   * what to tell the execution; nothing is called again.
   */
  resume(machine: Machine, execution: Execution, lost: (taskId: string, stateName: string) => Signal): void {
    const run = this.#take(machine, execution);
    const { timers, calls } = openEnds(machine, execution);
    for (const timer of timers) this.#perform(run, { kind: 'setTimer', ...timer });
    if (execution.lastEventId === 0) this.#submit(run, { kind: 'started' });
    for (const call of calls) {
      if (!this.#rejoin(run, call)) this.#submit(run, lost(call.taskId, call.stateName));
    }
  }

  /**
   * Hands a signal to an execution; resolves when it has been applied, at once when the execution has ended. True when
   * the signal found somebody waiting for it.
   */
  async signal(executionArn: string, signal: Signal): Promise<boolean> {
    const run = this.#runs.get(executionArn);
    return run ? this.#submitted(run, signal) : false;
  }

  /** Lets everything go: no timer fires and no answer counts any more. Executions stay as they are. */
  close(): void {
    for (const run of this.#runs.values()) {
      // Not abandoned: a job would stop the execution it has started.
      run.open.letGo();
    }
    this.#runs.clear();
  }

  #take(machine: Machine, execution: Execution): Run {
    const run: Run = { machine, execution, signals: [], isApplying: false, open: new OpenWork() };
    this.#runs.set(execution.arn, run);
    return run;
  }

  /** Hands a signal on; resolves when it has been applied. */
  #submitted(run: Run, signal: Signal): Promise<boolean> {
    return new Promise<boolean>(applied => this.#submit(run, signal, applied));
  }

  #submit(run: Run, signal: Signal, applied?: (isChanged: boolean) => void): void {
    run.signals.push(applied ? { signal, applied } : { signal });
    if (run.isApplying) return;
    run.isApplying = true;
    this.#ports.activity.begin();
    this.#applyAll(run);
  }

  /** One execution's signals, strictly one after another: now, until one of them takes time. */
  #applyAll(run: Run): void {
    for (let next = run.signals.shift(); next; next = run.signals.shift()) {
      const { signal, applied } = next;
      const isChanged = this.#apply(run, signal);
      if (isChanged instanceof Promise) {
        void isChanged.then(later => {
          applied?.(later);
          this.#applyAll(run);
        });
        return;
      }
      applied?.(isChanged);
    }
    run.isApplying = false;
    this.#ports.activity.end();
  }

  /** Whether the signal changed anything. Never fails: what cannot be kept is reported. */
  #apply(run: Run, signal: Signal): Soon<boolean> {
    const stuck = (error: unknown) => {
      this.#ports.report(new Error(`execution ${run.execution.arn} is stuck`, { cause: error }));
      return false;
    };
    try {
      const kept = whenThere(this.#transition(run, signal), after => this.#keep(run, signal, after));
      return kept instanceof Promise ? kept.catch(stuck) : kept;
    } catch (error) {
      return stuck(error);
    }
  }

  #keep(run: Run, signal: Signal, { execution, events, effects }: Transition): Soon<boolean> {
    if (execution === run.execution || this.#runs.get(run.execution.arn) !== run) return false;
    run.execution = execution;
    const saving = this.#ports.store.save(execution, events);
    const goOn = () => {
      // Closed meanwhile: what is to be done is done by whoever takes the execution up again.
      if (this.#runs.get(execution.arn) !== run) return true;
      if (signal.kind === 'redriven') this.#ports.redriven?.(execution.arn);
      for (const effect of effects) this.#perform(run, effect);
      return true;
    };
    return saving === undefined ? goOn() : saving.then(goOn);
  }

  /** A bug of ours ends the execution, visibly, and nothing else. */
  #transition(run: Run, signal: Signal): Soon<Transition> {
    const { ids, clock, report } = this.#ports;
    const { machine, execution } = run;
    const draws = new Draws(clock.now(), ids, () => `${execution.arn}#${execution.lastEventId}`);
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

  #perform(run: Run, effect: Effect): void {
    switch (effect.kind) {
      case 'call':
        this.#call(run, effect);
        return;
      case 'abandon':
        run.open.abandonCall(effect.taskId);
        return;
      case 'setTimer': {
        const { timerId, due } = effect;
        const fire = () => {
          run.open.fired(timerId);
          this.#submit(run, { kind: 'timerDue', timerId });
        };
        run.open.addTimer(timerId, this.#ports.clock.at(due, fire));
        return;
      }
      case 'cancelTimer':
        run.open.cancelTimer(effect.timerId);
        return;
      case 'ended':
        this.#end(run);
        return;
      default: {
        const never: never = effect;
        throw new Error(`an unknown effect: ${JSON.stringify(never)}`);
      }
    }
  }

  #call(run: Run, effect: Effect & { kind: 'call' }): void {
    const { taskId, resource, retryCount, stateName } = effect;
    const { activity } = this.#ports;
    const inFlight = run.open.beginCall(taskId);
    const executionArn = run.execution.arn;
    const call: ServiceCall = { resource, arguments: effect.arguments, executionArn, stateName, retryCount };
    activity.begin();
    void answerTo(call, inFlight, this.#ports).then(result => {
      if (run.open.isWaitedFor(taskId, inFlight)) this.#accept(run, effect, result);
      activity.end();
    });
  }

  /** Hands an answer on. A job's call stays open until the job has ended; a callback's is over with the answer. */
  #accept(run: Run, { taskId, isCallback }: Effect & { kind: 'call' }, result: ServiceResult): void {
    if (result.kind !== 'submitted') {
      run.open.endCall(taskId);
      this.#submit(run, isCallback ? callbackSignal(taskId, result) : signalFor(taskId, result));
      return;
    }
    this.#submit(run, { kind: 'taskSubmitted', taskId, output: result.output });
    this.#finish(run, taskId, result.result);
  }

  #finish(run: Run, taskId: string, result: Promise<JobResult>): void {
    void result.then(job => {
      if (run.open.endCall(taskId)) this.#submit(run, signalFor(taskId, job));
    });
  }

  /** Waits again for the result of a job that was accepted. False where there is no such job, or no way to find it. */
  #rejoin(run: Run, { taskId, resource, submittedEventId = 0 }: OpenCall): boolean {
    const service = this.#ports.services.get(resource);
    const submitted = this.#ports.store.find(run.execution.arn)?.history[submittedEventId - 1];
    const output = submitted?.output;
    if (!service?.rejoin || output === undefined) return false;
    const inFlight = run.open.beginCall(taskId);
    this.#finish(run, taskId, service.rejoin(JSON.parse(output) as Json, inFlight.signal));
    return true;
  }

  #end(run: Run): void {
    run.open.abandon();
    this.#runs.delete(run.execution.arn);
    this.#ports.ended(run.execution.arn);
  }
}
