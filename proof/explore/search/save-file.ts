import { createHash, type Hash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { definitionHash } from '../model/definition-hash';
import { sha256 } from '../model/sha256';
import type { Subject } from '../model/subject';
import type { Budget } from './expansion';
import type { SavedPart, SavedSearch } from './saved-search';

/** How long a search goes on between two levels at whose ends it is kept, milliseconds. */
const EVERY_MS = 60_000;
const NAME = 'exploration';
const HASH_BYTES = 32;
const LENGTH_BYTES = 4;
const ANEW = 'name another directory, or remove it to begin anew';
const READ_BYTES = 1 << 20;

/** What a save is of: only the very same goes on from it. */
interface Identity {
  /** A hash of the program that explores. */
  readonly program: string;
  /** A hash of the definitions. */
  readonly definition: string;
  /** What else was asked for, as words of a command line. */
  readonly asked: string;
}

/** The first part of the file. */
interface Header extends Identity {
  /** Seconds that were spent on it. */
  readonly seconds: number;
}

/** A directory with a save, or for one; or why it cannot be. */
export type OpenedSave =
  | { readonly kind: 'save'; readonly save: SaveFile }
  | { readonly kind: 'problem'; readonly message: string };

/** A search that is kept in a file of a directory: each time in one beside it, which then takes its place. */
export class SaveFile implements SavedSearch {
  readonly secondsBefore: number;
  readonly #file: string;
  readonly #identity: Identity;
  readonly #isThere: boolean;
  readonly #began = performance.now();
  readonly #everyMs: number;
  #savedAt = performance.now();

  private constructor(file: string, identity: Identity, everyMs: number, before: Header | undefined) {
    this.#file = file;
    this.#identity = identity;
    this.#everyMs = everyMs;
    this.#isThere = before !== undefined;
    this.secondsBefore = before?.seconds ?? 0;
  }

  /** Opens a directory, which is made if there is none. A save that is not of the same search is rejected. */
  static open(directory: string, subject: Subject, budget: Budget, everyMs = EVERY_MS): OpenedSave {
    const identity = identityOf(subject, budget);
    const file = path.join(directory, NAME);
    try {
      mkdirSync(directory, { recursive: true });
      requireWritable(file);
      if (!existsSync(file)) return { kind: 'save', save: new SaveFile(file, identity, everyMs, undefined) };
      const header = isWhole(file) ? headerOf(file) : undefined;
      const message = header ? differenceOf(header, identity) : `is damaged, or no save; ${ANEW}`;
      if (!header || message !== undefined) return { kind: 'problem', message: `${file} ${message}` };
      return { kind: 'save', save: new SaveFile(file, identity, everyMs, header) };
    } catch (error) {
      const why = String(error).replace(/^Error: /, '');
      return {
        kind: 'problem',
        message: `${directory} cannot be used (${why}); name one that can be written`,
      };
    }
  }

  get isDue(): boolean {
    return performance.now() - this.#savedAt >= this.#everyMs;
  }

  get parts(): Iterable<SavedPart> | undefined {
    return this.#isThere ? partsIn(this.#file) : undefined;
  }

  async save(parts: AsyncIterable<SavedPart>): Promise<void> {
    const aside = asideOf(this.#file);
    const seconds = this.secondsBefore + (performance.now() - this.#began) / 1000;
    const header: Header = { ...this.#identity, seconds };
    try {
      const file = openSync(aside, 'w');
      try {
        const hash = createHash('sha256');
        append(file, hash, header);
        for await (const part of parts) append(file, hash, part);
        writeSync(file, hash.digest());
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(aside, this.#file);
    } catch (error) {
      rmSync(aside, { force: true });
      const why = String(error).replace(/^Error: /, '');
      throw new Error(`the exploration cannot be saved, and what was saved before stays: ${why}`);
    }
    this.#savedAt = performance.now();
  }
}

/** A file beside it that no other save writes, also of another process: of two searches in one directory one stays. */
function asideOf(file: string): string {
  return `${file}.${randomUUID()}.new`;
}

/** What cannot be saved is found out before hours are spent. @throws Error of the file system */
function requireWritable(file: string): void {
  const aside = asideOf(file);
  closeSync(openSync(aside, 'w'));
  rmSync(aside);
}

function append(file: number, hash: Hash, part: object): void {
  const bytes = serialize(part);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(bytes.length);
  for (const written of [length, bytes]) {
    hash.update(written);
    for (let at = 0; at < written.length; ) at += writeSync(file, written, at);
  }
}

/** Whether a file is as it was written. */
function isWhole(name: string): boolean {
  const file = openSync(name, 'r');
  try {
    const { size } = fstatSync(file);
    const hash = createHash('sha256');
    for (let at = 0; at < size - HASH_BYTES; ) {
      const bytes = read(file, at, Math.min(READ_BYTES, size - HASH_BYTES - at));
      hash.update(bytes);
      at += bytes.length;
    }
    return size > HASH_BYTES && read(file, size - HASH_BYTES, HASH_BYTES).equals(hash.digest());
  } finally {
    closeSync(file);
  }
}

function headerOf(file: string): Header {
  const [header] = objectsIn(file);
  return header as Header;
}

function* partsIn(file: string): Generator<SavedPart> {
  const objects = objectsIn(file);
  objects.next(); // The header.
  yield* objects as Generator<SavedPart>;
}

function* objectsIn(name: string): Generator<unknown> {
  const file = openSync(name, 'r');
  try {
    const end = fstatSync(file).size - HASH_BYTES;
    for (let at = 0; at < end; ) {
      const length = read(file, at, LENGTH_BYTES).readUInt32LE();
      yield deserialize(read(file, at + LENGTH_BYTES, length));
      at += LENGTH_BYTES + length;
    }
  } finally {
    closeSync(file);
  }
}

/** Bytes at a place of a file. @throws Error if it ends before */
function read(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const more = readSync(file, bytes, done, length - done, at + done);
    if (more === 0) throw new Error('the file of the saved exploration has become shorter');
    done += more;
  }
  return bytes;
}

/** Why a save is not one to go on from; undefined if it is. */
function differenceOf(saved: Header, { program, definition, asked }: Identity): string | undefined {
  if (saved.program !== program) return `is of another version of this program; ${ANEW}`;
  if (saved.asked !== asked) return `is of ${saved.asked}, and asked for is ${asked}; ${ANEW}`;
  return saved.definition === definition ? undefined : `is of another definition; ${ANEW}`;
}

function identityOf(subject: Subject, { executions, faults, channels, symmetry }: Budget): Identity {
  const { formerDeliveries, without, unchecked, running } = subject;
  const start = channels.length > 1 ? 'both' : channels.join();
  return {
    program: hashOfProgram(),
    definition: sha256(JSON.stringify([definitionHash(subject), formerDeliveries, unchecked, running])),
    asked: [
      `--executions ${executions} --faults ${faults} --start ${start}`,
      ...(symmetry ? [] : ['--tell-apart']),
      ...(without === undefined ? [] : [`--without ${without}`]),
    ].join(' '),
  };
}

/** The program is its sources: the exploration's, and those of the engine that it runs. */
function hashOfProgram(): string {
  const sources = ['proof/explore', 'packages/local'].map(room => path.join(__dirname, '../../..', room));
  const files = sources.flatMap(room =>
    sourcesIn(room)
      .sort()
      .map(file => `${path.relative(room, file)}\n${sha256(readFileSync(file, 'utf8'))}`),
  );
  return sha256(files.join('\n'));
}

/** The TypeScript files of a folder. A build removes and writes `dist` meanwhile, so it is not read. */
function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return /^(?:test|node_modules|dist)$/.test(entry.name) ? [] : sourcesIn(file);
    return file.endsWith('.ts') ? [file] : [];
  });
}
