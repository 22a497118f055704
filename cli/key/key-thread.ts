import { createRequire } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Answer, type KeyJob, type KeyTaken, TOO_MUCH } from './key-taken';

/** Milliseconds that one evaluation may take; the service gives it a second. */
const EVALUATION_MS_MAX = 5_000;
/** Megabytes of objects that it may hold. */
const MEMORY_MB_MAX = 512;

/** Beside this file as it is run: TypeScript here, JavaScript in the package. */
const PROGRAM = path.join(__dirname, `key-worker${path.extname(__filename)}`);

/** A thread that has answered, and waits for the next job. It does not keep the process alive. */
let spare: Worker | undefined;

/**
 * Evaluates the key of an input in a thread, which is ended where it takes too long or too much: this one goes on
 * meanwhile, whatever the expression does. What was given up is `unclear`, never `missing`.
 *
 * @throws the reason of the signal, at once when it aborts
 */
export async function evaluateKeyInThread(job: KeyJob, signal?: AbortSignal): Promise<KeyTaken> {
  signal?.throwIfAborted();
  const isNew = spare === undefined;
  const worker = spare ?? startWorker();
  spare = undefined;
  let isUsable = false;
  try {
    worker.ref();
    if (isNew) await answerOf(worker, signal);
    const taken = send(worker, job) ? await answerOf(worker, signal, EVALUATION_MS_MAX) : TOO_MUCH;
    isUsable = taken !== TOO_MUCH;
    return taken === 'ready' ? TOO_MUCH : taken;
  } finally {
    if (isUsable && spare === undefined) {
      worker.unref();
      spare = worker;
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

/** The next answer; `TOO_MUCH` where there is none in time, or the thread has ended without. */
function answerOf(worker: Worker, signal?: AbortSignal, msMax?: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onAnswer = (answer: Answer) => {
      leave();
      resolve(answer);
    };
    const onError = (error: unknown) => {
      leave();
      if (isTooMuch(error as Error)) resolve(TOO_MUCH);
      else reject(error);
    };
    const onAbort = () => onError(signal?.reason);
    const onEnd = () => onAnswer(TOO_MUCH);
    const timer = msMax === undefined ? undefined : setTimeout(onEnd, msMax);
    const leave = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      worker.off('message', onAnswer).off('error', onError).off('exit', onEnd);
    };
    signal?.addEventListener('abort', onAbort);
    worker.on('message', onAnswer).on('error', onError).on('exit', onEnd);
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
  // One that ends while nobody waits for it is nobody's fault; the next job has a new one.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    if (spare === worker) spare = undefined;
  });
  return worker;
}
