import type { Effect } from '../engine/effects';
import type { Execution, Machine } from '../engine/execution';
import type { Signal } from '../engine/signals';
import { type Transition, transition } from '../engine/transition';
import type { Activity } from './activity';
import type { Clock } from './clock';
import type { Ids } from './ids';
import type { Interceptor, ServiceCall, ServiceResult, ServiceTable } from './service';
import type { Store } from './store';

/** What the executor works with. */
export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly store: Store;
  readonly services: ServiceTable;
  readonly interceptor?: Interceptor;
  readonly activity: Activity;
  /** Told of what is broken here or in a service; the runtime goes on. */
  readonly report: (problem: Error) => void;
  /** Told of each execution that has ended, after it is kept. */
  readonly ended: (executionArn: string) => void;
}

/** One execution in progress. */
interface Run {
  readonly machine: Machine;
  execution: Execution;
  readonly signals: { readonly signal: Signal; readonly applied: () => void }[];
  isApplying: boolean;
  readonly timers: Map<string, () => void>;
  readonly calls: Map<string, AbortController>;
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
    const run: Run = {
      machine,
      execution,
      signals: [],
      isApplying: false,
      timers: new Map(),
      calls: new Map(),
    };
    this.#runs.set(execution.arn, run);
    void this.#submit(run, { kind: 'started' });
  }

  /**
   * Hands a signal to an execution; resolves when it has been applied, at once when the execution has ended.
   */
  async signal(executionArn: string, signal: Signal): Promise<void> {
    const run = this.#runs.get(executionArn);
    if (run) await this.#submit(run, signal);
  }

  /** Lets everything go: no timer fires and no answer counts any more. Executions stay as they are. */
  close(): void {
    for (const run of this.#runs.values()) this.#release(run);
    this.#runs.clear();
  }

  #submit(run: Run, signal: Signal): Promise<void> {
    const applied = new Promise<void>(resolve => run.signals.push({ signal, applied: resolve }));
    if (!run.isApplying) void this.#applyAll(run);
    return applied;
  }

  /** One execution's signals, strictly one after another. */
  async #applyAll(run: Run): Promise<void> {
    const { activity, report } = this.#ports;
    run.isApplying = true;
    activity.begin();
    for (let next = run.signals.shift(); next; next = run.signals.shift()) {
      try {
        await this.#apply(run, next.signal);
      } catch (error) {
        report(new Error(`execution ${run.execution.arn} is stuck`, { cause: error }));
      }
      next.applied();
    }
    run.isApplying = false;
    activity.end();
  }

  async #apply(run: Run, signal: Signal): Promise<void> {
    const { execution, events, effects } = await this.#transition(run, signal);
    if (events.length === 0 || this.#runs.get(run.execution.arn) !== run) return;
    run.execution = execution;
    await this.#ports.store.save(execution, events);
    for (const effect of effects) this.#perform(run, effect);
  }

  /** A bug of ours ends the execution, visibly, and nothing else. */
  async #transition(run: Run, signal: Signal): Promise<Transition> {
    const { ids, clock, report } = this.#ports;
    const { machine, execution } = run;
    // A source for each transition, so that neither other executions nor a restart change what is drawn.
    let source: Ids | undefined;
    const drawn = () => {
      source ??= ids.fork(`${execution.arn}#${execution.lastEventId}`);
      return source;
    };
    const surroundings = { now: clock.now(), random: () => drawn().random(), uuid: () => drawn().uuid() };
    try {
      return await transition(machine, execution, signal, surroundings);
    } catch (error) {
      const message = `the engine broke on '${signal.kind}' of ${execution.arn}`;
      report(new Error(message, { cause: error }));
      const stop: Signal = { kind: 'stopped', error: 'States.Runtime', cause: `Internal error: ${message}` };
      return transition(machine, execution, stop, surroundings);
    }
  }

  #perform(run: Run, effect: Effect): void {
    switch (effect.kind) {
      case 'call':
        void this.#call(run, effect);
        return;
      case 'abandon':
        run.calls.get(effect.taskId)?.abort();
        run.calls.delete(effect.taskId);
        return;
      case 'setTimer': {
        const { timerId, due } = effect;
        const fire = () => {
          run.timers.delete(timerId);
          void this.#submit(run, { kind: 'timerDue', timerId });
        };
        run.timers.set(timerId, this.#ports.clock.at(due, fire));
        return;
      }
      case 'cancelTimer':
        run.timers.get(effect.timerId)?.();
        run.timers.delete(effect.timerId);
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

  async #call(run: Run, effect: Effect & { kind: 'call' }): Promise<void> {
    const { taskId, resource, retryCount, stateName } = effect;
    const abort = new AbortController();
    run.calls.set(taskId, abort);
    const executionArn = run.execution.arn;
    const call: ServiceCall = { resource, arguments: effect.arguments, executionArn, stateName, retryCount };
    this.#ports.activity.begin();
    const result = await this.#answer(call, abort.signal);
    if (run.calls.delete(taskId)) {
      void this.#submit(run, signalFor(taskId, result));
    }
    this.#ports.activity.end();
  }

  /**
   * A service that throws is broken; its task fails with an error that nothing catches, so that it is seen.
   */
  async #answer(call: ServiceCall, abort: AbortSignal): Promise<ServiceResult> {
    const { services, interceptor, report } = this.#ports;
    const next = async (): Promise<ServiceResult> => {
      const service = services.get(call.resource);
      if (!service) throw new Error(`no service for '${call.resource}'`);
      return service.call(call, abort);
    };
    try {
      return interceptor ? await interceptor(call, next) : await next();
    } catch (error) {
      const message = `the local service '${call.resource}' broke in state '${call.stateName}'`;
      report(new Error(message, { cause: error }));
      const reason = error instanceof Error ? error.message : String(error);
      return { kind: 'failed', error: 'States.Runtime', cause: `Internal error: ${message}: ${reason}` };
    }
  }

  #end(run: Run): void {
    this.#release(run);
    this.#runs.delete(run.execution.arn);
    this.#ports.ended(run.execution.arn);
  }

  #release(run: Run): void {
    for (const cancel of run.timers.values()) cancel();
    for (const abort of run.calls.values()) abort.abort();
    run.timers.clear();
    run.calls.clear();
  }
}

function signalFor(taskId: string, result: ServiceResult): Signal {
  switch (result.kind) {
    case 'succeeded':
      return { kind: 'taskSucceeded', taskId, output: result.output };
    case 'failed':
      return { kind: 'taskFailed', taskId, error: result.error, cause: result.cause };
    default: {
      const never: never = result;
      return never;
    }
  }
}
