import { createRequire } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Workflow } from '../../aws/workflow';
import type { Key } from './key';
import type { InputKeyProblem } from './key-problem';

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

/** A stopped evaluation does not show how it ends on the service. */
export const TOO_MUCH: KeyTaken = {
  kind: 'unclear',
  why: 'the evaluation takes too much time or memory',
};

/** What a thread that evaluates keys sends: that it has started, then the result of each job. */
export type Answer = 'ready' | KeyTaken;

/** What an expression reads that is the same for every execution with the same input. */
const OF_THE_INPUT = /\$states\s*\.\s*(?:input|context\s*\.\s*Execution\s*\.\s*Input)(?!\w)/g;

/**
 * The key that a workflow takes of an input: its own expression, evaluated as the state machine does, so that a list
 * has the key that JSONata makes of its items. One that takes seconds, or more memory than there is, is given up, and
 * `unclear`.
 *
 * @throws the reason of the signal, at once when it aborts
 */
export async function keyOfInput(
  input: unknown,
  { keyExpression }: Pick<Workflow, 'keyExpression'>,
  signal?: AbortSignal,
): Promise<KeyTaken> {
  if (keyExpression === undefined) {
    return {
      kind: 'unclear',
      why: 'other states run before the claim, or onceflow cannot read the definition',
    };
  }
  if (keyExpression.jsonata.replace(OF_THE_INPUT, '').includes('$states')) {
    return { kind: 'unclear', why: 'its key depends on more than the input' };
  }
  return evaluateInThread({ ...keyExpression, input }, signal);
}

/**
 * What is wrong with an input for a key: the workflow would take another key of it, or none; or nobody can say that
 * here. Undefined where it takes this very key.
 *
 * @throws the reason of the signal, at once when it aborts
 */
export async function problemOfInput(
  input: unknown,
  workflow: Pick<Workflow, 'name' | 'keyExpression' | 'keyPaths'>,
  { text }: Key,
  signal?: AbortSignal,
): Promise<InputKeyProblem | undefined> {
  const { name, keyPaths } = workflow;
  const taken = await keyOfInput(input, workflow, signal);
  switch (taken.kind) {
    case 'missing':
      return { kind: 'missing', name, keyPaths, input };
    case 'unclear':
      return { kind: 'unclear', name, why: taken.why };
    case 'key':
      return taken.text === text ? undefined : { kind: 'another', name, keyPaths, taken: taken.text, text };
  }
}

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
async function evaluateInThread(job: KeyJob, signal?: AbortSignal): Promise<KeyTaken> {
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
  // A spare thread that ends is replaced for the next job.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    if (spare === worker) spare = undefined;
  });
  return worker;
}
