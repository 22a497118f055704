import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { DamagedState, withDamageErrors } from './damage';
import { DurableStore } from './durable-store';
import { beginDirectory, completeDirectory, findDirectory, PARTS } from './parts';
import {
  changeOf,
  type LoadedValues,
  loadValues,
  type ValueChange,
  type ValueKind,
} from './persistent-values';
import { brokenTables } from './table-files';
import { WriteBehind } from './write-behind';
import { WriteMark } from './write-mark';
import { WriteQueue } from './write-queue';

/** What of a stack outlives the process, and where. No other process has it open meanwhile. */
export interface StateDirectory {
  readonly root: string;
  /** Executions with their histories; empty until it is loaded. */
  readonly store: DurableStore;
  /** Every value of a kind, in the order of the keys. @throws DamagedState for one that is not what was written */
  load(kind: ValueKind): Promise<LoadedValues>;
  /**
   * Resolves when all changes have come through, behind everything that was written before, to the store or by
   * `writeBehind`. Rejects if none has.
   *
   * @param takeBack - called if none has, before anything else happens; that of the last write comes first
   */
  write(changes: readonly ValueChange[], takeBack?: () => void): Promise<void>;
  /** Writes the values of data that is in memory first. */
  readonly writeBehind: WriteBehind;
  close(): Promise<void>;
}

/** A directory that is open, or why it cannot be used. */
export type OpenedDirectory =
  | { readonly kind: 'open'; readonly directory: StateDirectory }
  | { readonly kind: 'rejected'; readonly reason: string };

/**
 * Opens a directory, and makes it where there is none or an empty one. In any other, nothing is changed before it is
 * sure that it is ours and whole.
 *
 * It is locked for other processes until it is closed or the process ends, in whatever way.
 *
 * @param keep - how many executions that have ended are kept; all by default
 * @throws DamagedState where writes are lost
 */
export async function openStateDirectory(
  directory: string,
  keep = Number.POSITIVE_INFINITY,
): Promise<OpenedDirectory> {
  const root = path.resolve(directory);
  try {
    const found = findDirectory(root);
    if (found.kind === 'rejected') return found;
    const isNew = found.kind === 'new';
    if (isNew) beginDirectory(root);
    return await openParts(root, isNew, keep);
  } catch (error) {
    if (error instanceof DamagedState) throw error;
    return { kind: 'rejected', reason: `${root} cannot be used: ${messageOf(error)}` };
  }
}

async function openParts(root: string, isNew: boolean, keep: number): Promise<OpenedDirectory> {
  const folder = path.join(root, PARTS.log);
  const broken = brokenTables(folder);
  if (broken.length > 0) throw new DamagedState(broken.map(file => `${file} is not what was written`));
  const db = new ClassicLevel(folder, { createIfMissing: isNew });
  try {
    const reason = await openFailure(db, root, PARTS.log);
    if (reason !== undefined) {
      await db.close();
      return { kind: 'rejected', reason };
    }
    const mark = new WriteMark(path.join(root, PARTS.mark));
    if (isNew) mark.create();
    const queue = new WriteQueue(db, mark, ({ cause }) => {
      const why = messageOf(cause);
      process.emitWarning(`${root} cannot be written (${why}): writes are rejected until it can`);
    });
    const lost = await withDamageErrors(() => queue.missing());
    if (lost > 0) throw new DamagedState([lost === 1 ? '1 write is lost' : `${lost} writes are lost`]);
    // Under the lock of the database: no other process makes the same directory at the same time.
    if (isNew) completeDirectory(root);
    return { kind: 'open', directory: opened(root, { db, queue, keep }) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function openFailure(db: ClassicLevel, root: string, part: string): Promise<string | undefined> {
  try {
    await db.open();
    return undefined;
  } catch (error) {
    const cause = (error as { readonly cause?: { readonly code?: string; readonly message?: string } }).cause;
    if (cause?.code !== 'LEVEL_LOCKED') {
      return `${path.join(root, part)} cannot be read: ${cause?.message ?? messageOf(error)}`;
    }
    return `${root} is in use by another process; end that one, or choose another directory`;
  }
}

interface Parts {
  readonly db: ClassicLevel;
  readonly queue: WriteQueue;
  readonly keep: number;
}

function opened(root: string, { db, queue, keep }: Parts): StateDirectory {
  const store = new DurableStore(db, queue, keep);
  return {
    root,
    store,
    load: kind => loadValues(db, kind),
    write: (changes, takeBack) => queue.write(changes.map(changeOf), takeBack),
    writeBehind: new WriteBehind(queue),
    async close() {
      await store.close();
      await queue.close();
      await db.close();
    },
  };
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
