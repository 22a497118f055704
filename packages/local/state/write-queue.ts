import type { ClassicLevel } from 'classic-level';
import { keyOfNumber, numberIn, under } from './keys';
import type { WriteMark } from './write-mark';

/** What a write changes, all of it or nothing. */
export type Change =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string };

interface Waiting {
  readonly changes: readonly Change[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The disk is waited for, and the mark moved, once in so many milliseconds in which something is written. */
const MARK_MS = 1_000;

/**
 * Writes changes in the order they were given: a crash leaves the first so many of them.
 *
 * What is given while a write is under way goes into the next one together. Each write leaves its number behind, so
 * that one that the database has lost leaves a gap. The mark has the number of a write that the disk has, so that the
 * loss of the last ones is found, too, but for those of the last second before a crash.
 */
export class WriteQueue {
  readonly #db: ClassicLevel;
  readonly #mark: WriteMark | undefined;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #last = 0;
  #marked = 0;
  #markedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  /** A queue without a mark does not find the loss of its last writes. */
  constructor(db: ClassicLevel, mark?: WriteMark) {
    this.#db = db;
    this.#mark = mark;
  }

  /**
   * Reads which writes the database has, and counts how many are missing among them. Once, before the first write.
   *
   * @throws DamagedState for a mark that is not what was written
   */
  async missing(): Promise<number> {
    let found = 0;
    for await (const key of this.#db.keys(under('write'))) {
      found += 1;
      this.#last = Math.max(this.#last, numberIn(key));
    }
    this.#marked = this.#mark?.read() ?? 0;
    return Math.max(this.#last, this.#marked) - found;
  }

  /** Resolves when the operating system has the changes. Rejects where none of them was made. */
  write(changes: readonly Change[]): Promise<void> {
    const written = new Promise<void>((resolve, reject) => this.#waiting.push({ changes, resolve, reject }));
    this.#writing ??= this.#writeAll();
    return written;
  }

  /** Lets all that was given so far be written or refused, and moves the mark to the last write. */
  async close(): Promise<void> {
    await this.#writing;
    clearTimeout(this.#timer);
    this.#markedAt = 0;
    // Where it cannot be written, the mark stays where it was.
    if (this.#mark && this.#last > this.#marked) await this.write([]).catch(() => undefined);
    await this.#writing;
    clearTimeout(this.#timer);
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      const isMarked = this.#mark !== undefined && performance.now() - this.#markedAt >= MARK_MS;
      try {
        await this.#writeOne(
          group.flatMap(({ changes }) => changes),
          isMarked,
        );
        for (const { resolve } of group) resolve();
      } catch (error) {
        this.#hasFailed = true;
        for (const { reject } of group) reject(error);
        continue;
      }
      if (isMarked) await this.#moveMark();
    }
    this.#writing = undefined;
    if (this.#mark && this.#last > this.#marked) this.#markSoon();
  }

  async #writeOne(changes: readonly Change[], isSynced: boolean): Promise<void> {
    if (this.#hasFailed) {
      // What a write that failed has left in the file would spoil those behind it; opened again, it is cut off.
      await this.#db.close();
      await this.#db.open();
      this.#hasFailed = false;
    }
    const mark = { type: 'put', key: keyOfNumber('write', this.#last + 1), value: '' } as const;
    await this.#db.batch([mark, ...changes], { sync: isSynced });
    this.#last += 1;
  }

  /** After a write that has waited for the disk. A mark that cannot be written stays where it was. */
  async #moveMark(): Promise<void> {
    const number = this.#last;
    this.#markedAt = performance.now();
    await this.#mark?.write(number).then(
      () => {
        this.#marked = number;
      },
      () => undefined,
    );
  }

  /** Moves the mark behind the last writes when nothing else is written for a while. */
  #markSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.write([]).catch(() => undefined), MARK_MS).unref();
  }
}
