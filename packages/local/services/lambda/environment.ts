import type { EnvironmentProcess, ProcessEnd } from './environment-process';
import { type FunctionSpec, isPython, type LogLine } from './function-spec';
import { createLineSplitter, type LineSplitter } from './log-lines';
import type { ProcessMessage } from './messages';
import { startNodeProcess } from './node-process';
import type { InvokeOutcome } from './outcome';
import * as outcome from './outcome';
import { startPythonProcess } from './python-process';
import { traceHeader } from './trace';

/**
 * Lambda gives a module this long to load before its first event. The function's own timeout starts
 * afterwards.
 */
const LOAD_MS_MAX = 10_000;

/** An event on its way to the handler. */
export interface InvocationEvent {
  readonly requestId: string;
  readonly eventText: string;
}

/** One execution environment: a process that has loaded the handler and takes one event at a time. */
export interface Environment {
  /**
   * Runs one event. To be called while no other runs and `isUsable` is true; never rejects. Resolves to
   * undefined when work left over from an earlier event ended the process before it took this one: the handler
   * has not seen the event, and another environment may have it.
   */
  run(event: InvocationEvent): Promise<InvokeOutcome | undefined>;
  /** False from the moment something happened after which Lambda would not use the environment again. */
  isUsable(): boolean;
  /**
   * Stops the process, wherever it is. A running event ends as a service error. Resolves when the process is
   * gone.
   */
  close(): Promise<void>;
}

/** What an environment needs to know besides its function. */
export interface EnvironmentOptions {
  readonly extraEnvironment: Readonly<Record<string, string>>;
  readonly log: (line: LogLine) => void;
  /** Called once, when the environment has become unusable while no event ran. */
  readonly onIdleEnd: () => void;
}

interface Running {
  readonly event: InvocationEvent;
  readonly settle: (result: InvokeOutcome | undefined) => void;
  timer: NodeJS.Timeout;
  /** The process has taken the event: from here on the handler may have seen it. */
  started: boolean;
}

/** Starts an environment; the module loads while the first event waits. */
export function startEnvironment(spec: FunctionSpec, options: EnvironmentOptions): Environment {
  return new ProcessEnvironment(spec, options);
}

class ProcessEnvironment implements Environment {
  readonly #spec: FunctionSpec;
  readonly #options: EnvironmentOptions;
  readonly #process: EnvironmentProcess;
  readonly #lines: LineSplitter;
  #running: Running | undefined;
  #loaded = false;
  #hasServed = false;
  #usable = true;

  constructor(spec: FunctionSpec, options: EnvironmentOptions) {
    this.#spec = spec;
    this.#options = options;
    this.#lines = createLineSplitter(text => this.#log(text));
    const start = isPython(spec) ? startPythonProcess : startNodeProcess;
    this.#process = start(spec, options.extraEnvironment, {
      said: message => this.#receive(message),
      ended: end => this.#ended(end),
    });
  }

  run(event: InvocationEvent): Promise<InvokeOutcome | undefined> {
    return new Promise(settle => {
      const loadMs = this.#loaded ? 0 : LOAD_MS_MAX;
      this.#running = { event, settle, timer: this.#startTimer(loadMs), started: false };
      if (this.#loaded) this.#deliver(event);
    });
  }

  isUsable(): boolean {
    return this.#usable;
  }

  async close(): Promise<void> {
    this.#end(() => outcome.runtimeClosed());
    await this.#process.terminate();
  }

  #receive(message: ProcessMessage): void {
    switch (message.kind) {
      case 'loaded':
        this.#loaded = true;
        if (this.#running) this.#deliver(this.#running.event);
        break;
      case 'loadFailed':
        this.#end(() => outcome.functionError(message.payloadText));
        break;
      case 'started':
        if (this.#running?.event.requestId === message.requestId) this.#running.started = true;
        break;
      case 'answered':
        this.#settle(message.requestId, () => succeeded(message.payloadText));
        break;
      case 'failed':
        this.#settle(message.requestId, () => outcome.functionError(message.payloadText));
        break;
      case 'responseTooLarge':
        this.#settle(message.requestId, outcome.responseTooLarge);
        break;
      case 'crashed':
        this.#crash(message);
        break;
      case 'output':
        this.#lines.write(message.text);
        break;
      default:
        unreachable(message);
    }
  }

  #deliver(event: InvocationEvent): void {
    const running = this.#running;
    if (!running) return;
    clearTimeout(running.timer);
    running.timer = this.#startTimer(0);
    const timeoutMs = this.#spec.timeoutSeconds * 1000;
    this.#process.send({ ...event, timeoutMs, traceHeader: traceHeader(event.requestId) });
  }

  #startTimer(loadMs: number): NodeJS.Timeout {
    const { timeoutSeconds } = this.#spec;
    const expire = () => this.#end(id => outcome.timedOut(id, timeoutSeconds));
    return setTimeout(expire, loadMs > 0 ? loadMs : timeoutSeconds * 1000);
  }

  /**
   * An invocation pays for its own crash only: when another event runs by now, that one may finish before the
   * environment goes. A crash that no invocation can be named for counts for the one that runs.
   */
  #crash({ requestId, payloadText }: ProcessMessage & { kind: 'crashed' }): void {
    const running = this.#running;
    const isOfEarlier = requestId === undefined ? !running?.started : requestId !== running?.event.requestId;
    if (running && this.#hasServed && isOfEarlier) this.#usable = false;
    else this.#end(() => outcome.functionError(payloadText));
  }

  /**
   * The process is gone, and all it said has been heard: an event it never took has not been seen by the
   * handler. That one is not to blame, unless it is the first, for then loading was, and would be again.
   */
  #ended(end: ProcessEnd): void {
    const isUntouched = this.#hasServed && this.#running?.started === false;
    if (isUntouched) this.#end(() => undefined);
    else this.#end(id => (end === 'outOfMemory' ? outcome.outOfMemory(id) : outcome.exited(id, end)));
  }

  #settle(requestId: string, result: () => InvokeOutcome | undefined): void {
    const running = this.#running;
    if (!running || running.event.requestId !== requestId) return;
    clearTimeout(running.timer);
    this.#lines.flush();
    this.#running = undefined;
    this.#hasServed = true;
    if (!this.#usable) void this.#process.terminate();
    running.settle(result());
  }

  /** Ends the environment: the running event gets `result`, and the process is stopped. */
  #end(result: (requestId: string) => InvokeOutcome | undefined): void {
    const wasUsable = this.#usable;
    const running = this.#running;
    this.#usable = false;
    void this.#process.terminate();
    if (running) {
      const { requestId } = running.event;
      this.#settle(requestId, () => result(requestId));
    } else if (wasUsable) {
      this.#lines.flush();
      this.#options.onIdleEnd();
    }
  }

  #log(text: string): void {
    const requestId = this.#running?.event.requestId;
    const line = { functionName: this.#spec.name, text };
    this.#options.log(this.#loaded && requestId !== undefined ? { ...line, requestId } : line);
  }
}

function succeeded(payloadText: string): InvokeOutcome {
  return { kind: 'succeeded', payload: JSON.parse(payloadText) };
}

function unreachable(message: never): never {
  throw new Error(`the process said what no version of it posts: ${JSON.stringify(message)}`);
}
