import { availableParallelism } from 'node:os';
import {
  EVALUATION_MS_MAX,
  type ExpressionResult,
  MEMORY_PROBLEM,
  TIMEOUT_PROBLEM,
} from '../../language/index';
import type { MappingJob, MappingResult } from '../../vtl/mapping';
import { EvaluationThread, failed, type Outcome } from './evaluation-thread';
import type { Evaluator, MappingEvaluator } from './evaluator';
import type { EvaluationJob, ThreadJob } from './job';

/** Threads at the same time: two at least, so that one hopeless expression does not stop all others. */
const THREADS_MAX = Math.max(2, Math.min(4, availableParallelism()));

/** Milliseconds after which a thread that has nothing to do is ended. */
const IDLE_MS_MAX = 2000;

/** An evaluation that was starved of the processors' time so often counts as too slow. */
const TRIES_MAX = 5;

interface Waiting {
  readonly job: ThreadJob;
  readonly owner: object;
  /** How often it has been begun, this time included. */
  readonly tries: number;
  readonly resolve: (outcome: Outcome | Unmade) => void;
  readonly reject: (problem: unknown) => void;
  readonly isAborted: () => boolean;
}

/** Why an expression was not evaluated: the threads are closed, or the caller has aborted the evaluation. */
type Unmade = 'closed' | 'aborted';

/**
 * Evaluates expressions and mapping templates in threads, which start when they are needed, end when they are not, and
 * never keep the process alive by themselves.
 *
 * Among the waiting evaluations, the one whose owner has used the least time comes next. So an owner that returns again
 * and again with expressions of a full second delays no other owner.
 *
 * The second is one of a clock, and on a machine with other work a thread may stand still for longer, which says
 * nothing about the expression: then it is evaluated again.
 */
export class EvaluationThreads implements Evaluator, MappingEvaluator {
  readonly #idle = new Map<EvaluationThread, NodeJS.Timeout>();
  readonly #busy = new Set<EvaluationThread>();
  readonly #usedMs = new WeakMap<object, number>();
  #waiting: Waiting[] = [];
  readonly #processorMs: () => number;
  /** The thread that this one stands still for. */
  #awaited: EvaluationThread | undefined;
  #awaitedEnd: NodeJS.Timeout | undefined;

  /** `usedMs`: milliseconds for which the processors have worked for this process so far. */
  constructor(usedMs: () => number = processorMs) {
    this.#processorMs = usedMs;
  }

  async evaluate(job: EvaluationJob, owner: object, abort?: AbortSignal): Promise<ExpressionResult> {
    return expressionResult(await this.#outcomeOf(job, owner, abort));
  }

  async evaluateMapping(job: MappingJob, owner: object): Promise<MappingResult> {
    return mappingResult(await this.#outcomeOf(job, owner));
  }

  evaluateAndWait(job: EvaluationJob): ExpressionResult {
    clearTimeout(this.#awaitedEnd);
    let result: Outcome | 'starved' = 'starved';
    for (let tries = 0; tries < TRIES_MAX && result === 'starved'; tries += 1) {
      if (!this.#awaited?.isUsable) this.#awaited = takeSpare() ?? new EvaluationThread();
      result = this.#awaited.evaluateAndWait(job, this.#processorMs);
    }
    const thread = this.#awaited;
    this.#awaitedEnd = setTimeout(() => thread?.close(), IDLE_MS_MAX).unref();
    return expressionResult(result === 'starved' ? 'late' : result);
  }

  /**
   * Ends all threads. A running evaluation fails as too slow, and a waiting one as too late. The thread that this one
   * stood still for has nothing to do then: it stays a while, for the next who needs one.
   */
  close(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve('closed');
    for (const timer of [this.#awaitedEnd, ...this.#idle.values()]) clearTimeout(timer);
    for (const thread of [...this.#busy, ...this.#idle.keys()]) thread.close();
    if (this.#awaited) leaveSpare(this.#awaited);
    this.#awaited = undefined;
    this.#busy.clear();
    this.#idle.clear();
  }

  #outcomeOf(job: ThreadJob, owner: object, abort?: AbortSignal): Promise<Outcome | Unmade> {
    return new Promise((resolve, reject) => {
      const aborted = () => resolve('aborted');
      const settled = (outcome: Outcome | Unmade) => {
        abort?.removeEventListener('abort', aborted);
        resolve(outcome);
      };
      abort?.addEventListener('abort', aborted);
      const isAborted = () => abort?.aborted === true;
      this.#waiting.push({ job, owner, tries: 1, resolve: settled, reject, isAborted });
      this.#beginNext();
    });
  }

  #beginNext(): void {
    if (this.#waiting.length === 0 || this.#busy.size >= THREADS_MAX) return;
    const next = this.#takeNext();
    if (next) void this.#evaluate(next, this.#takeThread());
  }

  async #evaluate(waiting: Waiting, thread: EvaluationThread): Promise<void> {
    const { job, owner, tries, resolve, reject } = waiting;
    this.#busy.add(thread);
    const startedAt = performance.now();
    const result = await thread.evaluate(job, this.#processorMs).catch(reject);
    this.#usedMs.set(owner, this.#usedBy(owner) + performance.now() - startedAt);
    const isClosed = !this.#busy.delete(thread);
    if (result === 'starved' && tries < TRIES_MAX && !isClosed)
      this.#waiting.push({ ...waiting, tries: tries + 1 });
    else if (result) resolve(result === 'starved' ? 'late' : result);
    if (thread.isUsable) this.#rest(thread);
    this.#beginNext();
  }

  #takeThread(): EvaluationThread {
    for (const [thread, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(thread);
      if (thread.isUsable) return thread;
    }
    return new EvaluationThread();
  }

  #rest(thread: EvaluationThread): void {
    const end = () => {
      this.#idle.delete(thread);
      thread.close();
    };
    this.#idle.set(thread, setTimeout(end, IDLE_MS_MAX).unref());
  }

  /** The first of those whose owners have used the least. */
  #takeNext(): Waiting | undefined {
    this.#waiting = this.#waiting.filter(({ isAborted }) => !isAborted());
    if (this.#waiting.length === 0) return undefined;
    const used = this.#waiting.map(({ owner }) => this.#usedBy(owner));
    return this.#waiting.splice(used.indexOf(Math.min(...used)), 1)[0];
  }

  #usedBy(owner: object): number {
    return this.#usedMs.get(owner) ?? 0;
  }
}

const CLOSED_PROBLEM = 'was not evaluated: the local runtime was closed before its turn came';

function expressionResult(outcome: Outcome | Unmade): ExpressionResult {
  if (typeof outcome !== 'string') return outcome as ExpressionResult;
  if (outcome === 'aborted') return { kind: 'failed', problem: MAPPING_PROBLEMS.aborted };
  if (outcome === 'closed') return { kind: 'failed', problem: CLOSED_PROBLEM };
  return failed(outcome === 'late' ? TIMEOUT_PROBLEM : MEMORY_PROBLEM);
}

const MAPPING_PROBLEMS = {
  late: `it has not ended after ${EVALUATION_MS_MAX} ms`,
  outOfMemory: 'it makes more than there is memory for',
  closed: CLOSED_PROBLEM,
  aborted: 'was not evaluated: the caller has aborted the evaluation',
} as const;

function mappingResult(outcome: Outcome | Unmade): MappingResult {
  if (typeof outcome !== 'string') return outcome as MappingResult;
  return { kind: 'failed', problem: MAPPING_PROBLEMS[outcome] };
}

/**
 * A thread of a runtime that has been closed. Starting one takes longer than most tests, each of which opens a runtime
 * of its own.
 */
let spare: { readonly thread: EvaluationThread; readonly end: NodeJS.Timeout } | undefined;

function leaveSpare(thread: EvaluationThread): void {
  takeSpare()?.close();
  const close = () => takeSpare()?.close();
  if (thread.isUsable) spare = { thread, end: setTimeout(close, IDLE_MS_MAX).unref() };
}

function takeSpare(): EvaluationThread | undefined {
  const { thread, end } = spare ?? {};
  clearTimeout(end);
  spare = undefined;
  return thread?.isUsable ? thread : undefined;
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Those of all runtimes that have none of their own. */
export const SHARED_THREADS = new EvaluationThreads();
