import { createRequire } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Subject } from '../model/subject';
import type { Budget, Summary, Turn } from './expansion';
import type { MovedStates } from './moved-states';
import type { SeenMemory } from './seen';

/** What a thread is started with. */
export interface ThreadData {
  readonly subject: Subject;
  readonly budget: Budget;
  readonly memory: SeenMemory;
  /** Which expansion it is. */
  readonly index: number;
}

/** What a thread can be asked for; it answers with what is named beside each. */
export type Request =
  /** {@link Turn}. `memory`: where it has been made greater since the last turn. */
  | { readonly kind: 'turn'; readonly memory: SeenMemory | undefined; readonly most: number }
  /** Nothing. */
  | { readonly kind: 'goDeeper' }
  /** {@link MovedStates}, or undefined. */
  | { readonly kind: 'copy'; readonly which: 'level' | 'next'; readonly piece: number }
  /** {@link MovedStates} */
  | { readonly kind: 'give'; readonly count: number }
  /** Nothing. */
  | { readonly kind: 'take'; readonly states: MovedStates }
  /** {@link Summary} */
  | { readonly kind: 'summary' };

const PROGRAM = path.join(__dirname, 'thread.ts');

/** An expansion in a thread of its own. Each answer is waited for before the next request. */
export class ExpansionThread {
  readonly #worker: Worker;
  #memory: SeenMemory;
  #reject: (error: Error) => void = () => undefined;

  constructor(data: ThreadData) {
    this.#memory = data.memory;
    // A thread has none of this one's loaders.
    const loader = createRequire(PROGRAM).resolve('tsx/cjs');
    const source = [loader, PROGRAM].map(file => `require(${JSON.stringify(file)});`).join(' ');
    this.#worker = new Worker(source, { eval: true, execArgv: [], name: 'expansion', workerData: data });
    this.#worker.on('error', error => this.#reject(error));
  }

  /** One turn, which finds so many new states at most. Rejects where the thread breaks, which is a bug of ours. */
  turn(memory: SeenMemory, most: number): Promise<Turn> {
    const changed = memory === this.#memory ? undefined : memory;
    this.#memory = memory;
    return this.#ask({ kind: 'turn', memory: changed, most });
  }

  /** Begins the next level. */
  goDeeper(): Promise<void> {
    return this.#ask({ kind: 'goDeeper' });
  }

  /** A piece of what waits; undefined where there are no so many. */
  copy(which: 'level' | 'next', piece: number): Promise<MovedStates | undefined> {
    return this.#ask({ kind: 'copy', which, piece });
  }

  /** Takes states of the next level away from it, about so many. */
  give(count: number): Promise<MovedStates> {
    return this.#ask({ kind: 'give', count });
  }

  /** Adds states to its next level. */
  take(states: MovedStates): Promise<void> {
    return this.#ask({ kind: 'take', states });
  }

  /** What it knows in the end. */
  summary(): Promise<Summary> {
    return this.#ask({ kind: 'summary' });
  }

  /** Ends the thread, wherever it is. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask<Answer>(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#worker.once('message', resolve);
      this.#worker.postMessage(request);
    });
  }
}
