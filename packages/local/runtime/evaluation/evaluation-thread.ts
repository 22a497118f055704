import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { EVALUATION_MS_MAX, TIMEOUT_PROBLEM } from '../../language/index';
import type { ThreadJob } from './job';
import type { Answer, Evaluated, ThreadData } from './messages';

/**
 * Milliseconds after which a thread is ended that has not answered. An expression that can still be interrupted has
 * ended on its own a little before, which leaves the thread for the next one.
 */
const DEADLINE_MS = EVALUATION_MS_MAX + 100;

/** The part of its time that a thread must have spent on an expression before the expression counts as too slow. */
const WORKED_SHARE_MIN = 0.8;

/** Milliseconds that a thread may take to start, on a machine that is busy with many other things. */
const START_MS_MAX = 60_000;

/** Megabytes of objects that one evaluation may hold; lists and texts have smaller limits of their own. */
const MEMORY_MB_MAX = 512;

/** Beside this file as it is run: TypeScript here, JavaScript in the package. */
const PROGRAM = path.join(__dirname, `evaluation-worker${path.extname(__filename)}`);

const NOT_STARTED = new Error('an evaluation thread has not started');

/** The end of a job: its result, or why the thread has none. */
export type Outcome = Evaluated | 'late' | 'outOfMemory';

/**
 * A thread that evaluates expressions and mapping templates, one at a time. An evaluation that takes longer than it may
 * ends with the thread.
 *
 * The thread never keeps the process alive; an evaluation under way does, until its deadline. Use either `evaluate` or
 * `evaluateAndWait` of one thread.
 */
export class EvaluationThread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #answers = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #received = 0;
  #isUsable = true;
  #settle: (answer: Answer | Error) => void = () => undefined;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = startWorker(port2, { answers: this.#answers });
    this.#worker.on('error', error => this.#settle(this.#brokenBy(error)));
    this.#worker.unref();
  }

  /** False once the thread has ended, or is about to. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /**
   * Evaluates while this thread goes on. `usedMs` says for how many milliseconds the processors have worked for
   * this process; `starved` where the time was over and they had not worked for as long. Rejects where the
   * evaluation thread breaks, which is a bug of ours.
   */
  async evaluate(job: ThreadJob, usedMs: () => number): Promise<Outcome | 'starved'> {
    if (this.#received === 0) await this.#answer(START_MS_MAX, NOT_STARTED);
    const usedBefore = usedMs();
    this.#port.postMessage(job);
    const result = outcomeOf(await this.#answer(DEADLINE_MS, 'late'));
    return isLate(result) && isStarved(usedMs() - usedBefore) ? 'starved' : result;
  }

  /** Evaluates while this thread stands still, so that nothing else happens meanwhile. @throws Error as `evaluate` */
  evaluateAndWait(job: ThreadJob, usedMs: () => number): Outcome | 'starved' {
    if (this.#received === 0 && this.#answerNow(START_MS_MAX) === 'late') throw NOT_STARTED;
    const usedBefore = usedMs();
    this.#port.postMessage(job);
    const result = outcomeOf(this.#answerNow(DEADLINE_MS));
    return isLate(result) && isStarved(usedMs() - usedBefore) ? 'starved' : result;
  }

  /** Ends the thread, wherever it is. An evaluation under way fails as one that has taken too long. */
  close(): void {
    this.#end('late');
  }

  #end(answer: Answer | Error): void {
    this.#isUsable = false;
    this.#port.close();
    void this.#worker.terminate();
    this.#settle(answer);
  }

  /** The next answer; without one in time it is `late`, and the thread is ended. */
  #answer(ms: number, late: Answer | Error): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!this.#isUsable) return resolve('late');
      const timer = setTimeout(() => this.#end(late), ms);
      this.#settle = answer => {
        clearTimeout(timer);
        this.#settle = () => undefined;
        this.#received += 1;
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      };
      this.#port.once('message', (answer: Answer) => this.#settle(answer));
      // A listener keeps the process alive, which is for the timer to do.
      this.#port.unref();
    });
  }

  #answerNow(ms: number): Answer {
    Atomics.wait(this.#answers, 0, this.#received, ms);
    const received = receiveMessageOnPort(this.#port) as { readonly message: Answer } | undefined;
    if (!received) this.close();
    this.#received += 1;
    return received?.message ?? 'late';
  }

  #brokenBy(error: Error & { readonly code?: string }): Answer | Error {
    this.#isUsable = false;
    const isOutOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    return isOutOfMemory ? 'outOfMemory' : new Error('an evaluation thread broke', { cause: error });
  }
}

/** An expression that can still be interrupted says itself that it is late. */
function isLate(outcome: Outcome): boolean {
  if (typeof outcome === 'string') return outcome === 'late';
  return outcome.kind === 'failed' && outcome.problem === failed(TIMEOUT_PROBLEM).problem;
}

/** The use by the other threads of the process counts, too: it distinguishes a busy machine from busy threads. */
function isStarved(workedMs: number): boolean {
  return workedMs < EVALUATION_MS_MAX * WORKED_SHARE_MIN;
}

function startWorker(port: MessagePort, data: ThreadData): Worker {
  if (!existsSync(PROGRAM)) throw new Error(`the program of evaluation threads is missing: ${PROGRAM}`);
  // A thread has none of this one's loaders. Resolved so that no bundler looks for it: the package has no TypeScript.
  const loader = PROGRAM.endsWith('.ts') ? [createRequire(PROGRAM).resolve('tsx/cjs')] : [];
  const source = [...loader, PROGRAM].map(file => `require(${JSON.stringify(file)});`).join(' ');
  return new Worker(source, {
    eval: true,
    execArgv: [],
    name: 'evaluation',
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
    workerData: { ...data, port },
    transferList: [port],
  });
}

/** The result of an expression that was ended for this. */
export function failed(problem: string) {
  return { kind: 'failed', problem: `threw an error during evaluation: ${problem}` } as const;
}

function outcomeOf(answer: Answer): Outcome {
  if (answer === 'ready') throw new Error('an evaluation thread has started twice');
  return answer;
}
