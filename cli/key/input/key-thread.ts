import { createRequire } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

/** The key that a workflow takes of an input; `missing` if it takes none, `unclear` if it cannot be determined here. */
export type KeyTaken =
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'missing' }
  /** `why` continues a sentence after a colon. */
  | { readonly kind: 'unclear'; readonly why: string };

/** All that an evaluation depends on, in a form that can be sent to a thread. */
export interface KeyJob {
  /** What the state machine evaluates for the record's key, without `{% %}`. */
  readonly jsonata: string;
  /** What stands before the key in its result. */
  readonly scope: string;
  readonly input: unknown;
}

/** What an evaluation that was stopped gives: it does not show how the service would end it. */
export const TOO_MUCH = {
  kind: 'unclear',
  why: 'the evaluation takes too much time or memory',
} as const satisfies KeyTaken;

/** What a thread that evaluates keys sends: that it has started, then the result of each job. */
export type ThreadMessage = 'ready' | KeyTaken;

/** Milliseconds that one evaluation may take; the service gives it a second. */
const EVALUATION_MS_MAX = 5_000;
/** Megabytes of objects that its thread may hold. */
export const MEMORY_MB_MAX = 512;

/** Beside this file as it is run: TypeScript here, JavaScript in the package. */
const PROGRAM = path.join(__dirname, `key-worker${path.extname(__filename)}`);

/** Threads that have answered, and wait for the next jobs. They do not keep the process alive. */
const spare: Worker[] = [];
/** As many as evaluate at once when executions are read. */
const SPARE_MAX = 5;

/**
 * The key that an expression gives for an input, evaluated in a thread, so that the caller goes on whatever the
 * expression does. An evaluation that takes too much time or memory is stopped, and `unclear`, never `missing`.
 *
 * @throws the reason of the signal, at once when it aborts
 */
export async function evaluateInThread(job: KeyJob, signal?: AbortSignal): Promise<KeyTaken> {
  signal?.throwIfAborted();
  const known = spare.pop();
  const worker = known ?? startWorker();
  let isUsable = false;
  try {
    worker.ref();
    if (known === undefined) await nextMessage(worker, signal);
    const taken = send(worker, job) ? await nextMessage(worker, signal, EVALUATION_MS_MAX) : TOO_MUCH;
    if (taken === 'ready') return TOO_MUCH;
    // The expression that took too much may still run there. The answer is a copy of that constant.
    isUsable = !('why' in taken && taken.why === TOO_MUCH.why);
    return taken;
  } finally {
    if (isUsable && spare.length < SPARE_MAX) {
      worker.unref();
      spare.push(worker);
    } else void worker.terminate();
  }
}

/** False for an input that is nested too deeply to be sent. */
function send(worker: Worker, job: KeyJob): boolean {
  try {
    worker.postMessage(job);
    return true;
  } catch (error) {
    if ((error as Error).name === 'RangeError') return false;
    throw error;
  }
}

/** The next message of the thread; `TOO_MUCH` if none comes in time, or the thread ends without one. */
function nextMessage(worker: Worker, signal?: AbortSignal, msMax?: number): Promise<ThreadMessage> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: ThreadMessage) => {
      leave();
      resolve(message);
    };
    const onError = (error: unknown) => {
      leave();
      if (isTooMuch(error as Error)) resolve(TOO_MUCH);
      else reject(error);
    };
    const onAbort = () => onError(signal?.reason);
    const onEnd = () => onMessage(TOO_MUCH);
    const timer = msMax === undefined ? undefined : setTimeout(onEnd, msMax);
    const leave = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      worker.off('message', onMessage).off('error', onError).off('exit', onEnd);
    };
    signal?.addEventListener('abort', onAbort);
    worker.on('message', onMessage).on('error', onError).on('exit', onEnd);
  });
}

function isTooMuch({ name, code }: Error & { readonly code?: string }): boolean {
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || name === 'RangeError';
}

function startWorker(): Worker {
  // A thread has none of this one's loaders. Resolved so that no bundler looks for it: the package has no TypeScript.
  const loader = PROGRAM.endsWith('.ts') ? [createRequire(PROGRAM).resolve('tsx/cjs')] : [];
  const source = [...loader, PROGRAM].map(file => `require(${JSON.stringify(file)});`).join(' ');
  const worker = new Worker(source, {
    eval: true,
    execArgv: [],
    name: 'key',
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
  });
  // A spare thread that ends is replaced for the next job.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    const at = spare.indexOf(worker);
    if (at !== -1) spare.splice(at, 1);
  });
  return worker;
}
