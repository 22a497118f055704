import type { ClassicLevel } from 'classic-level';
import { StateNotWritten } from '../runtime/requests/errors';
import { DamagedState } from './damage';
import { keyOfNumber, numberIn, under } from './keys';
import { sealed, unsealed } from './sealed';
import type { WriteMark } from './write-mark';

/** What a write changes, all of it or nothing. */
export type Change =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string };

class StateDirectoryClosed extends Error {
  override readonly name = 'StateDirectoryClosed';

  constructor() {
    super('the state directory is closed: nothing is written to it any more');
  }
}

/** The key of the number up to which writes have been counted, and left no keys. */
const COUNTED = 'write!counted';

interface PendingWrite {
  readonly changes: readonly Change[];
  readonly takeBack: (() => void) | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A write that the database has rejected. */
interface RejectedWrite {
  readonly changes: readonly Change[];
  /** What leads back to what was there before it; undefined until that has been read. */
  undoing: readonly Change[] | undefined;
}

/** The disk is waited for, and the mark moved, once in so many milliseconds in which something is written. */
const MARK_MS = 1_000;

/**
 * Writes changes to a database, with four guarantees:
 *
 * 1. **Order.** Changes are written in the order in which they were given. A crash keeps a prefix of them.
 * 2. **Groups.** Changes that are given during a write are written together by the next write.
 * 3. **Failures.** If a write fails, it is rejected with all writes behind it, because those can depend on it.
 * 4. **Losses.** Each write stores its number, so a lost write leaves a gap. The mark stores the number of a write
 *    that is on disk, so the loss of the last writes is found too, except those of the last second before a crash.
 */
export class WriteQueue {
  readonly #db: ClassicLevel;
  readonly #mark: WriteMark | undefined;
  readonly #outage: (rejected: StateNotWritten) => void;
  #isRejecting = false;
  #waiting: PendingWrite[] = [];
  #writing: Promise<void> | undefined;
  #last = 0;
  #marked = 0;
  #markedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #rejected: RejectedWrite | undefined;
  /**
   * What puts one number in the place of those that were there at the start, with the first write. By then the database
   * has moved them out of its log, which can lose its end, and into tables, whose checksums a start verifies.
   */
  #counting: readonly Change[] = [];
  #isClosed = false;

  /**
   * A queue without a mark does not find the loss of its last writes.
   *
   * @param outage - hears of the first write that is rejected after one that was not
   */
  constructor(
    db: ClassicLevel,
    mark?: WriteMark,
    outage: (rejected: StateNotWritten) => void = () => undefined,
  ) {
    this.#db = db;
    this.#mark = mark;
    this.#outage = outage;
  }

  /**
   * Reads which writes the database has, and counts how many are missing among them. Once, before the first write.
   *
   * @throws DamagedState for a mark or a count that is not what was written
   */
  async missing(): Promise<number> {
    const counted = await this.#counted();
    const keys = (await this.#db.keys(under('write')).all()).filter(key => key !== COUNTED);
    const numbers = keys.map(numberIn).filter(number => number > counted);
    this.#last = Math.max(counted, numbers.at(-1) ?? 0);
    this.#marked = this.#mark?.read() ?? 0;
    const count = { type: 'put', key: COUNTED, value: sealed(COUNTED, String(this.#last)) } as const;
    if (keys.length > 0) this.#counting = [count, ...keys.map(key => ({ type: 'del', key }) as const)];
    return Math.max(this.#last, this.#marked) - counted - numbers.length;
  }

  /** The last of those writes that an earlier process has found to be there, all of them. */
  async #counted(): Promise<number> {
    const value = await this.#db.get(COUNTED);
    if (value === undefined) return 0;
    const text = unsealed(COUNTED, value);
    if (text === undefined) throw new DamagedState(['the count of writes is not what was written']);
    return Number(text);
  }

  /**
   * Resolves when the operating system has the changes. Rejects where none of them was made, with `StateNotWritten`, or
   * with `StateDirectoryClosed` once the queue is closed.
   *
   * @param takeBack - called where none is made, before anything else happens; that of the last write comes first
   */
  write(changes: readonly Change[], takeBack?: () => void): Promise<void> {
    if (!this.#isClosed) return this.#enqueue(changes, takeBack);
    takeBack?.();
    return Promise.reject(new StateDirectoryClosed());
  }

  /** Lets all that was given so far be written or rejected, and moves the mark to the last write. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    clearTimeout(this.#timer);
    this.#markedAt = 0;
    // If it cannot be written, the mark stays where it was.
    if (this.#mark && this.#last > this.#marked) await this.#enqueue([]).catch(() => undefined);
    await this.#writing;
    clearTimeout(this.#timer);
  }

  #enqueue(changes: readonly Change[], takeBack?: () => void): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ changes, takeBack, resolve, reject });
    });
    // Behind what is done now: what one request writes goes into one write.
    this.#writing ??= Promise.resolve().then(() => this.#writeAll());
    return written;
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
      } catch (error) {
        this.#rejectAll([...group, ...this.#waiting.splice(0)], error);
        continue;
      }
      this.#isRejecting = false;
      for (const { resolve } of group) resolve();
      if (isMarked) await this.#moveMark();
    }
    this.#writing = undefined;
    if (this.#mark && this.#last > this.#marked) this.#markSoon();
  }

  /**
   * All of them before any caller gets its answer: otherwise a caller would build on writes that are about to be taken
   * back.
   */
  #rejectAll(writes: readonly PendingWrite[], error: unknown): void {
    const rejected = new StateNotWritten(error);
    for (const { takeBack } of writes.toReversed()) takeBack?.();
    for (const { reject } of writes) reject(rejected);
    if (!this.#isRejecting) this.#outage(rejected);
    this.#isRejecting = true;
  }

  async #writeOne(changes: readonly Change[], isSynced: boolean): Promise<void> {
    if (this.#rejected) await this.#recoverFrom(this.#rejected);
    const number = { type: 'put', key: this.#nextKey, value: '' } as const;
    const numbered = [...this.#counting, number, ...changes];
    try {
      await this.#db.batch(numbered, { sync: isSynced });
    } catch (error) {
      this.#rejected = { changes: numbered, undoing: undefined };
      throw error;
    }
    this.#counting = [];
    this.#last += 1;
  }

  /** The number of the next write, as a key. */
  get #nextKey(): string {
    return keyOfNumber('write', this.#last + 1);
  }

  /**
   * Opens the database again, which takes no write after one that has failed: what that one has left in the file would
   * spoil those behind it. Half of a write is cut off then; one that is whole, because only waiting for the disk has
   * failed, is there after all, and is taken back.
   */
  async #recoverFrom(rejected: RejectedWrite): Promise<void> {
    // Before it is closed: it reads as if the write had not been.
    rejected.undoing ??= await this.#undoing(rejected.changes);
    await this.#db.close();
    await this.#db.open();
    const isThere = (await this.#db.get(this.#nextKey)) !== undefined;
    if (isThere) await this.#db.batch([...rejected.undoing], { sync: true });
    this.#rejected = undefined;
  }

  async #undoing(changes: readonly Change[]): Promise<Change[]> {
    const values = await this.#db.getMany(changes.map(({ key }) => key));
    return changes.map(({ key }, index) => {
      const value = values[index];
      return value === undefined ? { type: 'del', key } : { type: 'put', key, value };
    });
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
    this.#timer = setTimeout(() => void this.#enqueue([]).catch(() => undefined), MARK_MS).unref();
  }
}
