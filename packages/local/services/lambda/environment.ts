import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { environmentVariables } from './environment-variables';
import type { FunctionSpec, LogLine } from './function-spec';
import { createLineSplitter, type LineSplitter } from './log-lines';
import type { InvokeOutcome } from './outcome';
import * as outcome from './outcome';
import { traceHeader } from './trace';
import { WORKER_SOURCE } from './worker/invocation';
import type { InvokeMessage, Posted, WorkerData, WorkerMessage } from './worker/messages';

/**
 * Lambda gives a module this long to load before its first event. The function's own timeout starts
 * afterwards.
 */
const LOAD_MS_MAX = 10_000;

/** Output captured per invocation, in characters: plenty to read, and a bound for a loop that prints. */
const OUTPUT_CHARACTERS_MAX = 1_048_576;

/** An event on its way to the handler. */
export interface InvocationEvent {
  readonly requestId: string;
  readonly eventText: string;
}

/** One execution environment: a worker thread that has loaded the handler and takes one event at a time. */
export interface Environment {
  /**
   * Runs one event. To be called while no other runs and `isUsable` is true; never rejects. Resolves to
   * undefined when work left over from an earlier event ended the thread before it took this one: the handler
   * has not seen the event, and another environment may have it.
   */
  run(event: InvocationEvent): Promise<InvokeOutcome | undefined>;
  /** False from the moment something happened after which Lambda would not use the environment again. */
  isUsable(): boolean;
  /**
   * Stops the thread, wherever it is. A running event ends as a service error. Resolves when the thread is
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
  /** The worker has taken the event: from here on the handler may have seen it. */
  started: boolean;
}

/** Starts an environment; the module loads while the first event waits. */
export function startEnvironment(spec: FunctionSpec, options: EnvironmentOptions): Environment {
  return new WorkerEnvironment(spec, options);
}

class WorkerEnvironment implements Environment {
  private readonly worker: Worker;
  private readonly lines: LineSplitter;
  private running: Running | undefined;
  private loaded = false;
  private hasServed = false;
  private usable = true;
  private ranOutOfMemory = false;

  constructor(
    private readonly spec: FunctionSpec,
    private readonly options: EnvironmentOptions,
  ) {
    this.lines = createLineSplitter(text => this.log(text));
    const key = randomUUID();
    this.worker = startWorker(spec, options.extraEnvironment, key);
    // The handler shares the port and may post what it likes; only ours carries the key.
    this.worker.on('message', (posted: Partial<Posted> | null | undefined) => {
      if (posted?.key === key && posted.message) this.receive(posted.message);
    });
    this.worker.on('error', error => {
      this.ranOutOfMemory ||= 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    });
    this.worker.on('exit', exitCode => this.exited(exitCode));
    // An environment that is not closed must not keep the process alive; while an event runs, its timer does.
    // Comes last, because a new listener would keep the process alive again.
    this.worker.unref();
  }

  run(event: InvocationEvent): Promise<InvokeOutcome | undefined> {
    return new Promise(settle => {
      const loadMs = this.loaded ? 0 : LOAD_MS_MAX;
      this.running = { event, settle, timer: this.startTimer(loadMs), started: false };
      if (this.loaded) this.deliver(event);
    });
  }

  isUsable(): boolean {
    return this.usable;
  }

  async close(): Promise<void> {
    this.end(() => outcome.runtimeClosed());
    await this.worker.terminate();
  }

  private receive(message: WorkerMessage): void {
    switch (message.kind) {
      case 'loaded':
        this.loaded = true;
        if (this.running) this.deliver(this.running.event);
        break;
      case 'loadFailed':
        this.end(() => outcome.functionError(message.payloadText));
        break;
      case 'started':
        if (this.running?.event.requestId === message.requestId) this.running.started = true;
        break;
      case 'answered':
        this.settle(message.requestId, () => succeeded(message.payloadText));
        break;
      case 'failed':
        this.settle(message.requestId, () => outcome.functionError(message.payloadText));
        break;
      case 'responseTooLarge':
        this.settle(message.requestId, outcome.responseTooLarge);
        break;
      case 'crashed':
        this.crash(message);
        break;
      case 'output':
        this.lines.write(message.text);
        break;
      default:
        unreachable(message);
    }
  }

  private deliver(event: InvocationEvent): void {
    const { running } = this;
    if (!running) return;
    clearTimeout(running.timer);
    running.timer = this.startTimer(0);
    const deadlineMs = Date.now() + this.spec.timeoutSeconds * 1000;
    const message: InvokeMessage = { ...event, deadlineMs, traceHeader: traceHeader(event.requestId) };
    this.worker.postMessage(message);
  }

  private startTimer(loadMs: number): NodeJS.Timeout {
    const { timeoutSeconds } = this.spec;
    const expire = () => this.end(id => outcome.timedOut(id, timeoutSeconds));
    return setTimeout(expire, loadMs > 0 ? loadMs : timeoutSeconds * 1000);
  }

  /**
   * An invocation pays for its own crash only: when another event runs by now, that one may finish before the
   * environment goes. A crash that no invocation can be named for counts for the one that runs.
   */
  private crash({ requestId, payloadText }: WorkerMessage & { kind: 'crashed' }): void {
    const { running } = this;
    const isOfEarlier = requestId === undefined ? !running?.started : requestId !== running?.event.requestId;
    if (running && this.hasServed && isOfEarlier) this.usable = false;
    else this.end(() => outcome.functionError(payloadText));
  }

  /**
   * The thread is gone, and all it said has been heard: an event it never took has not been seen by the
   * handler. That one is not to blame, unless it is the first, for then loading was, and would be again.
   */
  private exited(exitCode: number): void {
    const isUntouched = this.hasServed && this.running?.started === false;
    if (isUntouched) this.end(() => undefined);
    else this.end(id => (this.ranOutOfMemory ? outcome.outOfMemory(id) : outcome.exited(id, exitCode)));
  }

  private settle(requestId: string, result: () => InvokeOutcome | undefined): void {
    const { running } = this;
    if (!running || running.event.requestId !== requestId) return;
    clearTimeout(running.timer);
    this.lines.flush();
    this.running = undefined;
    this.hasServed = true;
    if (!this.usable) void this.worker.terminate();
    running.settle(result());
  }

  /** Gives up the environment: the event that runs ends with `result`, and the thread is stopped. */
  private end(result: (requestId: string) => InvokeOutcome | undefined): void {
    const wasUsable = this.usable;
    const { running } = this;
    this.usable = false;
    void this.worker.terminate();
    if (running) {
      const { requestId } = running.event;
      this.settle(requestId, () => result(requestId));
    } else if (wasUsable) {
      this.lines.flush();
      this.options.onIdleEnd();
    }
  }

  private log(text: string): void {
    const requestId = this.running?.event.requestId;
    const line = { functionName: this.spec.name, text };
    this.options.log(this.loaded && requestId !== undefined ? { ...line, requestId } : line);
  }
}

function startWorker(spec: FunctionSpec, extra: Readonly<Record<string, string>>, key: string): Worker {
  const { NODE_OPTIONS: nodeOptions, ...env } = environmentVariables(spec, extra);
  const workerData: WorkerData = {
    key,
    taskRoot: spec.directory,
    handler: spec.handler,
    functionArn: spec.arn,
    nodeOptions,
    responseBytesMax: outcome.RESPONSE_BYTES_MAX,
    outputCharactersMax: OUTPUT_CHARACTERS_MAX,
  };
  return new Worker(WORKER_SOURCE, {
    eval: true,
    env,
    // Not the host's own options: its loaders are no part of the function's world.
    execArgv: [],
    name: spec.name,
    resourceLimits: { maxOldGenerationSizeMb: spec.memoryMb },
    // Keeps Node from copying the worker's streams to the host's. They carry nothing once the capture stands,
    // and are not read, for a reader would keep the process alive.
    stderr: true,
    stdout: true,
    workerData,
  });
}

function succeeded(payloadText: string): InvokeOutcome {
  return { kind: 'succeeded', payload: JSON.parse(payloadText) };
}

function unreachable(message: never): never {
  throw new Error(`the worker posted what no version of it posts: ${JSON.stringify(message)}`);
}
