import { changeOf, type ValueChange } from './persistent-values';
import type { Change, WriteQueue } from './write-queue';

/**
 * Writes values that are in memory first, whatever they are of, in the order in which they have changed: what is on
 * disk is always what was in memory at some moment.
 */
export class WriteBehind {
  readonly #queue: WriteQueue;
  /** The last write of each key that is not on disk. */
  readonly #unwritten = new Map<string, readonly Change[]>();
  /** What could not be written, and is tried again with the next write. */
  readonly #failed = new Map<string, Change>();
  #last: Promise<void> = Promise.resolve();

  constructor(queue: WriteQueue) {
    this.#queue = queue;
  }

  /**
   * Begins to write, behind everything that was written before. What could not be written earlier, and has not changed
   * since, is written again with it, all of it or nothing.
   */
  write(changes: readonly ValueChange[]): void {
    const written = this.#write(changes, () => true);
    if (!written) return;
    this.#last = written;
    // Who waits for the write hears of its failure; the others go on in memory.
    this.#last.catch(() => undefined);
  }

  /**
   * Writes values that come into memory only when this has resolved, behind everything that was written before. Rejects
   * where they cannot be written: they are not written later then.
   */
  async writeThrough(changes: readonly ValueChange[]): Promise<void> {
    const keys = new Set(changes.map(change => changeOf(change).key));
    await this.#write(changes, key => !keys.has(key));
  }

  /** Undefined where there is nothing to write. A rejected value, and `isKept`, is tried again with the next write. */
  #write(changes: readonly ValueChange[], isKept: (key: string) => boolean): Promise<void> | undefined {
    const changed = changes.map(changeOf).map(change => [change.key, change] as const);
    const group = [...new Map([...this.#failed, ...changed]).values()];
    if (group.length === 0) return undefined;
    this.#failed.clear();
    for (const { key } of group) this.#unwritten.set(key, group);
    const rejected = () => {
      for (const change of this.#end(group)) if (isKept(change.key)) this.#failed.set(change.key, change);
    };
    return this.#queue.write(group, rejected).then(() => void this.#end(group));
  }

  /** Resolves when everything so far is written, what failed before included. Rejects where it cannot be. */
  async written(): Promise<void> {
    // One write may have failed while a later one went well.
    do {
      if (this.#failed.size > 0) this.write([]);
      await this.#last;
    } while (this.#failed.size > 0);
  }

  /** The changes of a write that has ended which no later one has replaced. */
  #end(group: readonly Change[]): readonly Change[] {
    const current = group.filter(({ key }) => this.#unwritten.get(key) === group);
    for (const { key } of current) this.#unwritten.delete(key);
    return current;
  }
}
