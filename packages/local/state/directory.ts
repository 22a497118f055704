import { existsSync } from 'node:fs';
import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { type CatalogueContent, readCatalogue, writeCatalogue } from './catalogue-file';
import { DamagedState } from './damage';
import { DurableStore } from './durable-store';
import { readKept, writeKept } from './kept-file';
import type { Revisions } from './machine-records';
import { beginDirectory, completeDirectory, findDirectory, PARTS } from './parts';

/** What a stack keeps over restarts, and where. Nobody else has it open meanwhile. */
export interface StateDirectory {
  readonly root: string;
  readonly store: DurableStore;
  /** Where the embedded DynamoDB keeps its tables. */
  readonly dynamoDbPath: string;
  /** Reads executions, and answers the machines and activities. @throws DamagedState where something of it is lost */
  load(revisions: Revisions): Promise<CatalogueContent>;
  /** Keeps machines and activities; done when it returns. */
  keep(content: CatalogueContent): void;
  /** Keeps queues, in whatever form they have; done when it returns. */
  keepQueues(content: readonly unknown[]): void;
  /** What was kept of queues. @throws DamagedState where somebody else wrote to it */
  queues(): readonly unknown[];
  close(): Promise<void>;
}

/** A directory that is open, or why it cannot be used. */
export type OpenedDirectory =
  | { readonly kind: 'open'; readonly directory: StateDirectory }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Opens a directory, and makes it where there is none or an empty one. In any other, nothing is changed before it is
 * sure that it is ours and whole.
 *
 * It is locked for other processes until it is closed or the process ends, in whatever way.
 */
export async function openStateDirectory(directory: string): Promise<OpenedDirectory> {
  const root = path.resolve(directory);
  try {
    const found = findDirectory(root);
    if (found.kind === 'refused') return found;
    const isNew = found.kind === 'new';
    if (isNew) beginDirectory(root);
    return await openParts(root, isNew);
  } catch (error) {
    return { kind: 'refused', reason: `${root} cannot be used: ${messageOf(error)}` };
  }
}

async function openParts(root: string, isNew: boolean): Promise<OpenedDirectory> {
  const db = new ClassicLevel(path.join(root, PARTS.executions), { createIfMissing: isNew });
  try {
    const reason = (await openFailure(db, root, PARTS.executions)) ?? (await tablesFailure(root, isNew));
    if (reason !== undefined) {
      await db.close();
      return { kind: 'refused', reason };
    }
    if (isNew) makeFiles(root);
  } catch (error) {
    await db.close();
    throw error;
  }
  return { kind: 'open', directory: opened(root, db) };
}

/** Under the lock of the database; whoever was begun with the same directory at the same time has left or waits. */
function makeFiles(root: string): void {
  const { catalogue, queues } = filesOf(root);
  if (!existsSync(catalogue)) writeCatalogue(catalogue, { machines: [], activities: [] });
  if (!existsSync(queues)) writeKept(queues, []);
  completeDirectory(root);
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

/** The embedded DynamoDB would end this process with what it cannot open, so it is tried here before. */
async function tablesFailure(root: string, isNew: boolean): Promise<string | undefined> {
  const db = new ClassicLevel(path.join(root, PARTS.tables), { createIfMissing: isNew });
  const failure = await openFailure(db, root, PARTS.tables);
  await db.close();
  return failure;
}

function opened(root: string, db: ClassicLevel): StateDirectory {
  const store = new DurableStore(db);
  const files = filesOf(root);
  return {
    root,
    store,
    dynamoDbPath: path.join(root, PARTS.tables),
    async load(revisions) {
      await store.load(revisions);
      return readCatalogue(files.catalogue, revisions);
    },
    keep: content => writeCatalogue(files.catalogue, content),
    keepQueues: content => writeKept(files.queues, content),
    queues: () => readQueues(files.queues),
    close: () => store.close(),
  };
}

function filesOf(root: string) {
  return { catalogue: path.join(root, PARTS.catalogue), queues: path.join(root, PARTS.queues) };
}

function readQueues(file: string): readonly unknown[] {
  const content = readKept(file);
  if (Array.isArray(content) && content.every(isQueue)) return content;
  throw new DamagedState([`${file} does not hold queues`]);
}

function isQueue(queue: unknown): boolean {
  if (typeof queue !== 'object' || queue === null) return false;
  const { name, messages } = queue as { readonly name?: unknown; readonly messages?: unknown };
  return typeof name === 'string' && Array.isArray(messages);
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
