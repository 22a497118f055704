import type { Environment, InvocationEvent } from './environment';
import { type InvokeOutcome, runtimeClosed } from './outcome';

/** The environments of one function, and the invocations that wait for one. */
export interface EnvironmentPool {
  /**
   * Runs the event in an idle environment, else in a new one, else after those that came before it. Never
   * rejects.
   */
  run(event: InvocationEvent): Promise<InvokeOutcome>;
  /** Ends what runs and what waits with a service error. Resolves when no process is left. */
  close(): Promise<void>;
}

/** The bounds of a pool, and how it gets an environment. */
export interface EnvironmentPoolOptions {
  readonly environmentsMax: number;
  readonly waitingMax: number;
  /** Starts an environment that calls `onIdleEnd` when it has become unusable while no event ran. */
  readonly start: (onIdleEnd: () => void) => Environment;
}

interface Waiting {
  readonly event: InvocationEvent;
  readonly settle: (result: InvokeOutcome) => void;
}

/** An empty pool; environments start as events come and stay for later ones. */
export function createEnvironmentPool(options: EnvironmentPoolOptions): EnvironmentPool {
  const environments = new Set<Environment>();
  const closing = new Set<Promise<void>>();
  const idle: Environment[] = [];
  const waiting: Waiting[] = [];
  let closed = false;

  async function run(event: InvocationEvent): Promise<InvokeOutcome> {
    if (closed) return runtimeClosed();
    // The latest idle one, as on Lambda: the others grow cold.
    const environment = idle.pop() ?? startIfAllowed();
    if (environment) return runIn(environment, event);
    if (waiting.length >= options.waitingMax) return tooManyWaiting(options.waitingMax);
    return new Promise(settle => waiting.push({ event, settle }));
  }

  function startIfAllowed(): Environment | undefined {
    if (environments.size >= options.environmentsMax) return undefined;
    const environment = options.start(() => remove(environment));
    environments.add(environment);
    return environment;
  }

  async function runIn(environment: Environment, event: InvocationEvent): Promise<InvokeOutcome> {
    const result = await environment.run(event);
    if (result === undefined) return runElsewhere(environment, event);
    passOn(environment);
    return result;
  }

  async function runElsewhere(lost: Environment, event: InvocationEvent): Promise<InvokeOutcome> {
    remove(lost);
    const environment = closed ? undefined : startIfAllowed();
    return environment ? runIn(environment, event) : runtimeClosed();
  }

  function passOn(environment: Environment): void {
    if (!environment.isUsable()) remove(environment);
    const next = closed ? undefined : waiting.shift();
    if (!next) {
      if (environment.isUsable()) idle.push(environment);
      return;
    }
    const taken = environment.isUsable() ? environment : startIfAllowed();
    if (taken) void runIn(taken, next.event).then(next.settle);
    else waiting.unshift(next);
  }

  function remove(environment: Environment): void {
    environments.delete(environment);
    const index = idle.indexOf(environment);
    if (index >= 0) idle.splice(index, 1);
    // There is room for another at once; the process may need a moment longer, and close() waits for it.
    const closure = environment.close().finally(() => closing.delete(closure));
    closing.add(closure);
  }

  async function close(): Promise<void> {
    closed = true;
    for (const { settle } of waiting.splice(0)) settle(runtimeClosed());
    for (const environment of [...environments]) remove(environment);
    await Promise.all(closing);
  }

  return { run, close };
}

function tooManyWaiting(waitingMax: number): InvokeOutcome {
  const message = `Rate Exceeded. ${waitingMax} invocations wait for an execution environment already.`;
  return { kind: 'serviceError', error: 'TooManyRequestsException', message };
}
