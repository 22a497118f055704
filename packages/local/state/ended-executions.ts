import { createHash } from 'node:crypto';
import type { ClassicLevel } from 'classic-level';
import { CompressedExecution } from '../runtime/store/compressed-execution';
import type { ListedExecution } from '../runtime/store/store';
import { entriesOf } from './entries';
import { numberIn } from './keys';
import { type Chosen, endedKey, type LogPosition } from './log-position';
import type { MachineRecord, Revisions } from './machine-records';
import { sealed, unsealed } from './sealed';
import type { Change } from './write-queue';

/** The saved value of an execution that has ended, in place of its record and its events: one value for all of it. */
interface EndedRecord extends Chosen {
  readonly execution: ListedExecution['execution'];
  /** The key of what it needs to be decompressed. */
  readonly dictionary: string;
  /** The execution with its history: compressed, as base64. */
  readonly content: string;
}

/** One of them as it was read; its content is decompressed at the first use. */
export interface ReadEnded {
  readonly position: LogPosition;
  readonly compressed: CompressedExecution;
}

/** Executions that have ended, as a log has them. */
export class EndedExecutions {
  /** The dictionaries that are on disk, by key. */
  readonly #dictionaries = new Map<string, Buffer>();

  /** What saves one, together with its dictionary where that is not known to be on disk. */
  changes(position: LogPosition, { execution, bytes, dictionary }: CompressedExecution): Change[] {
    const key = keyOf(dictionary);
    const record: EndedRecord = {
      ...position.chosen,
      execution,
      dictionary: key,
      content: bytes.toString('base64'),
    };
    const put = putOf(endedKey(position), JSON.stringify(record));
    const isKnown = this.#dictionaries.has(key);
    return isKnown ? [put] : [putOf(dictionaryKey(key), dictionary.toString('base64')), put];
  }

  /** To be called when the changes of this one are written. */
  written({ dictionary }: CompressedExecution): void {
    this.#dictionaries.set(keyOf(dictionary), dictionary);
  }

  /**
   * Reads all of them, oldest start first. Every value is checked, content included, so that damage is found now and
   * not at the first use: `broken` gets the ARN or the number of each execution that is incomplete.
   */
  async read(
    db: ClassicLevel,
    machines: ReadonlyMap<string, MachineRecord>,
    { revisions, broken }: { readonly revisions: Revisions; readonly broken: Set<string> },
  ): Promise<readonly ReadEnded[]> {
    for await (const [key, value] of entriesOf(db, 'dictionary')) {
      const text = unsealed(key, value);
      if (text !== undefined) this.#dictionaries.set(key.slice('dictionary!'.length), bytesOf(text));
    }
    const read: ReadEnded[] = [];
    const shared = new Map<string, Chosen>();
    for await (const [key, value] of entriesOf(db, 'ended')) {
      const text = unsealed(key, value);
      if (text === undefined) {
        broken.add(`number ${numberIn(key)}`);
        continue;
      }
      const { execution, dictionary: name, content, ...own } = JSON.parse(text) as EndedRecord;
      const chosen = sharedOf(shared, own);
      const [record, dictionary] = [machines.get(chosen.machine), this.#dictionaries.get(name)];
      if (!record || !dictionary) {
        broken.add(execution.arn);
        continue;
      }
      const choice = { ...chosen, machine: revisions.of(record) };
      const compressed = new CompressedExecution({ choice, execution, bytes: bytesOf(content), dictionary });
      read.push({ position: { number: numberIn(key), chosen }, compressed });
    }
    return read;
  }
}

/** One object for all that were started the same way: thousands have the same. */
function sharedOf(shared: Map<string, Chosen>, chosen: Chosen): Chosen {
  const key = JSON.stringify(chosen);
  const known = shared.get(key) ?? chosen;
  shared.set(key, known);
  return known;
}

const KEYS = new WeakMap<Buffer, string>();

function keyOf(dictionary: Buffer): string {
  const known = KEYS.get(dictionary);
  if (known !== undefined) return known;
  const key = createHash('sha256').update(dictionary).digest('hex');
  KEYS.set(dictionary, key);
  return key;
}

function dictionaryKey(key: string): string {
  return `dictionary!${key}`;
}

function putOf(key: string, text: string): Change {
  return { type: 'put', key, value: sealed(key, text) };
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
