import type { ClassicLevel } from 'classic-level';
import { DamagedState, readFrom } from './damage';
import { under } from './keys';
import { sealed, unsealed } from './sealed';
import type { Change, WriteQueue } from './write-queue';

/** A value that is put under a key, or taken away where it is undefined. */
export interface ValueChange {
  readonly key: string;
  readonly value: object | undefined;
}

/** JSON values by their keys, which outlive the process: one kind of those in a state directory. */
export class PersistentValues {
  readonly #name: string;
  readonly #db: ClassicLevel;
  readonly #queue: WriteQueue;

  constructor(name: string, db: ClassicLevel, queue: WriteQueue) {
    this.#name = name;
    this.#db = db;
    this.#queue = queue;
  }

  /** Every value with its key, in the order of the keys. @throws DamagedState for one that is not what was written */
  load(): Promise<readonly (readonly [key: string, value: object])[]> {
    return readFrom(() => this.#read());
  }

  async #read(): Promise<readonly (readonly [key: string, value: object])[]> {
    const values: (readonly [string, object])[] = [];
    const broken: string[] = [];
    const prefix = `${this.#name}!`;
    for await (const [key, text] of this.#db.iterator(under(this.#name))) {
      const name = key.slice(prefix.length);
      const content = unsealed(key, text);
      if (content === undefined) broken.push(name);
      else values.push([name, JSON.parse(content) as object]);
    }
    if (broken.length > 0) throw new DamagedState(problemsOf(this.#name, broken));
    return values;
  }

  /** Resolves when all changes have come through, behind everything that was written before. Rejects if none has. */
  write(changes: readonly ValueChange[]): Promise<void> {
    const writes = changes.map(({ key: name, value }): Change => {
      const key = `${this.#name}!${name}`;
      return value === undefined
        ? { type: 'del', key }
        : { type: 'put', key, value: sealed(key, JSON.stringify(value)) };
    });
    return this.#queue.write(writes);
  }
}

/** Keys that a message names; of more, how many. */
const NAMES_MAX = 10;

function problemsOf(name: string, broken: readonly string[]): string[] {
  const named = broken
    .slice(0, NAMES_MAX)
    .map(key => `${name} ${JSON.stringify(key)} is not what was written`);
  const more = broken.length - named.length;
  return more > 0 ? [...named, `${more} more of ${name} are not what was written`] : named;
}
