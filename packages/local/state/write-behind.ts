import type { PersistentValues, ValueChange } from './persistent-values';

/** What is written of a kind of values, for data that is in memory first. */
export class WriteBehind {
  readonly #values: PersistentValues;
  /** The last write of each key that is not on disk. */
  readonly #unwritten = new Map<string, readonly ValueChange[]>();
  /** What could not be written, and is tried again with the next write. */
  readonly #failed = new Map<string, ValueChange>();
  #last: Promise<void> = Promise.resolve();

  constructor(values: PersistentValues) {
    this.#values = values;
  }

  /**
   * Begins to write, behind everything that was written before. What could not be written earlier, and has not changed
   * since, is written again with it.
   */
  write(changes: readonly ValueChange[]): void {
    const together = new Map([...this.#failed, ...changes.map(change => [change.key, change] as const)]);
    this.#failed.clear();
    const group = [...together.values()];
    for (const { key } of group) this.#unwritten.set(key, group);
    this.#last = this.#values.write(group).then(
      () => void this.#end(group),
      (error: unknown) => {
        for (const change of this.#end(group)) this.#failed.set(change.key, change);
        throw error;
      },
    );
    // Who waits for the write hears of its failure; the others go on in memory.
    this.#last.catch(() => undefined);
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
  #end(group: readonly ValueChange[]): readonly ValueChange[] {
    const current = group.filter(({ key }) => this.#unwritten.get(key) === group);
    for (const { key } of current) this.#unwritten.delete(key);
    return current;
  }
}
