import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { type CatalogueContent, readCatalogue, writeCatalogue } from './catalogue-file';
import { DurableStore } from './durable-store';
import { readKept, writeKept } from './kept-file';
import type { Revisions } from './machine-records';

/** What a stack keeps over restarts, and where. Nobody else has it open meanwhile. */
export interface StateDirectory {
  readonly root: string;
  readonly store: DurableStore;
  /** Where the embedded DynamoDB keeps its tables. */
  readonly dynamoDbPath: string;
  /** Reads executions, and answers the machines and activities, or undefined where nothing was kept yet. */
  load(revisions: Revisions): Promise<CatalogueContent | undefined>;
  /** Keeps machines and activities; done when it returns. */
  keep(content: CatalogueContent): void;
  /** Keeps queues, in whatever form they have; done when it returns. */
  keepQueues(content: unknown): void;
  /** What was kept of queues, or undefined. @throws SyntaxError where somebody else wrote to it */
  queues(): unknown;
  close(): Promise<void>;
}

/** A directory that is open, or why it cannot be used. */
export type OpenedDirectory =
  | { readonly kind: 'open'; readonly directory: StateDirectory }
  | { readonly kind: 'refused'; readonly reason: string };

/** Written beside the data, so that data of another shape is not mistaken for ours. */
const FORMAT = 'onceflow local state 2\n';

/**
 * Opens a directory, and makes it where there is none.
 *
 * It is locked for other processes until it is closed or the process ends, in whatever way.
 */
export async function openStateDirectory(directory: string): Promise<OpenedDirectory> {
  const root = path.resolve(directory);
  const problem = prepare(root);
  if (problem !== undefined) return { kind: 'refused', reason: `${directory} cannot be used: ${problem}` };
  const db = new ClassicLevel(path.join(root, EXECUTIONS));
  const reason = (await openFailure(db, directory)) ?? (await tablesFailure(root, directory));
  if (reason === undefined) return { kind: 'open', directory: opened(root, db) };
  await db.close();
  return { kind: 'refused', reason };
}

const EXECUTIONS = 'executions';
const TABLES = 'tables';

async function openFailure(db: ClassicLevel, directory: string): Promise<string | undefined> {
  try {
    await db.open();
    return undefined;
  } catch (error) {
    const cause = (error as { readonly cause?: { readonly code?: string; readonly message?: string } }).cause;
    if (cause?.code !== 'LEVEL_LOCKED')
      return `${directory} cannot be read: ${cause?.message ?? String(error)}`;
    return `${directory} is in use by another process; end that one, or choose another directory`;
  }
}

/** The embedded DynamoDB would end this process with what it cannot open, so it is tried here before. */
async function tablesFailure(root: string, directory: string): Promise<string | undefined> {
  const db = new ClassicLevel(path.join(root, TABLES));
  const failure = await openFailure(db, directory);
  await db.close();
  return failure;
}

function opened(root: string, db: ClassicLevel): StateDirectory {
  const store = new DurableStore(db);
  const catalogueFile = path.join(root, 'catalogue.json');
  const queuesFile = path.join(root, 'queues.json');
  return {
    root,
    store,
    dynamoDbPath: path.join(root, TABLES),
    async load(revisions) {
      await store.load(revisions);
      return readCatalogue(catalogueFile, revisions);
    },
    keep: content => writeCatalogue(catalogueFile, content),
    keepQueues: content => writeKept(queuesFile, content),
    queues: () => readKept(queuesFile),
    close: () => store.close(),
  };
}

/** Makes the directory and says what is in the way, if anything is. */
function prepare(root: string): string | undefined {
  const file = path.join(root, 'format');
  try {
    mkdirSync(root, { recursive: true });
    // Opened for appending, it is made where it is missing and left alone where it is not.
    writeFileSync(file, '', { flag: 'a' });
    const format = readFileSync(file, 'utf8');
    if (format === '') writeFileSync(file, FORMAT);
    else if (format !== FORMAT) return `its data is of another version (${JSON.stringify(format.trim())})`;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String((error as { readonly message?: string }).message);
  }
}
