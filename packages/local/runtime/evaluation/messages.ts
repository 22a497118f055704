import type { MessagePort } from 'node:worker_threads';
import type { ExpressionResult } from '../../language/index';
import type { MappingResult } from '../../vtl/mapping';

/** What an evaluation thread is started with, besides its port. */
export interface ThreadData {
  /** How many answers have been sent: one number, shared, so that a thread can stand still until there is one. */
  readonly answers: Int32Array;
}

/**
 * What a thread sends: first that it has started, then the result of each job. `late` stands for no answer in time, and
 * `outOfMemory` for a thread that has ended because its job made too much.
 */
export type Answer = 'ready' | 'late' | 'outOfMemory' | Evaluated;

/** What a job has come to in its thread. */
export type Evaluated = ExpressionResult | MappingResult;

/** Sends an answer, and wakes who stands still for it. */
export function answer(port: MessagePort, answers: Int32Array, message: Answer): void {
  port.postMessage(message);
  Atomics.add(answers, 0, 1);
  Atomics.notify(answers, 0);
}
