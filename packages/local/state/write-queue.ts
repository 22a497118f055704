import type { ClassicLevel } from 'classic-level';
import { keyOfNumber, numberIn, under } from './keys';

/** What a write changes, all of it or nothing. */
export type Change =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string };

interface Waiting {
  readonly changes: readonly Change[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes changes in the order they were given: a crash leaves the first so many of them.
 *
 * What is given while a write is under way goes into the next one together. Each write leaves its number behind, so
 * that one that the database has lost leaves a gap, which `missing` finds. The last ones cannot be missed: they are
 * what a crash undoes.
 */
export class WriteQueue {
  readonly #db: ClassicLevel;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #last = 0;

  constructor(db: ClassicLevel) {
    this.#db = db;
  }

  /** Reads which writes the database has, and counts how many are missing among them. Once, before the first write. */
  async missing(): Promise<number> {
    let found = 0;
    for await (const key of this.#db.keys(under('write'))) {
      found += 1;
      this.#last = Math.max(this.#last, numberIn(key));
    }
    return this.#last - found;
  }

  /** Resolves when the operating system has the changes. Rejects where none of them was made. */
  write(changes: readonly Change[]): Promise<void> {
    const written = new Promise<void>((resolve, reject) => this.#waiting.push({ changes, resolve, reject }));
    this.#writing ??= this.#writeAll();
    return written;
  }

  /** Resolves when all that was given so far is written, or was refused. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      const mark = { type: 'put', key: keyOfNumber('write', this.#last + 1), value: '' } as const;
      try {
        await this.#db.batch([mark, ...group.flatMap(({ changes }) => changes)]);
        this.#last += 1;
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#writing = undefined;
  }
}
