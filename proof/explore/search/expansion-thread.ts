import { createRequire } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Subject } from '../model/subject';
import type { Budget, Expansion } from './expansion';
import type { SeenMemory, SeenStates } from './seen';

/** What a thread is started with. */
export interface ThreadData {
  readonly subject: Subject;
  readonly budget: Budget;
  readonly memory: SeenMemory;
  /** Which expansion it is. */
  readonly index: number;
}

/** What an expansion can be asked for, also in another thread. */
export type Asked = 'turn' | 'goDeeper' | 'exportChunk' | 'exportStates' | 'importStates' | 'summary';

/** A method of an expansion that its thread calls. */
export interface Request {
  readonly name: Asked;
  readonly given: readonly unknown[];
  /** The observations; undefined if its memory is the one of the request before. */
  readonly memory: SeenMemory | undefined;
}

const PROGRAM = path.join(__dirname, 'thread-program.ts');

/** An expansion in a thread of its own. Each answer is waited for before the next request. */
export class ExpansionThread {
  readonly #worker: Worker;
  readonly #seen: SeenStates;
  #memory: SeenMemory;
  #reject: (error: Error) => void = () => undefined;

  constructor(data: Omit<ThreadData, 'memory'>, seen: SeenStates) {
    this.#seen = seen;
    this.#memory = seen.memory;
    // A thread has none of this one's loaders.
    const loader = createRequire(PROGRAM).resolve('tsx/cjs');
    const source = [loader, PROGRAM].map(file => `require(${JSON.stringify(file)});`).join(' ');
    const workerData: ThreadData = { ...data, memory: seen.memory };
    this.#worker = new Worker(source, { eval: true, execArgv: [], name: 'expansion', workerData });
    this.#worker.on('error', error => this.#reject(error));
  }

  /** What the expansion's method returns. Rejects if the thread breaks, which is a bug of ours. */
  ask<Name extends Asked>(
    name: Name,
    ...given: Parameters<Expansion[Name]>
  ): Promise<ReturnType<Expansion[Name]>> {
    const { memory } = this.#seen;
    const request: Request = { name, given, memory: memory === this.#memory ? undefined : memory };
    this.#memory = memory;
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#worker.once('message', resolve);
      this.#worker.postMessage(request);
    });
  }

  /** Ends the thread, wherever it is. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
