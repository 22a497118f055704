import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Execution } from '../engine/execution';
import type { HistoryEvent } from '../engine/history';
import type { MachineChoice } from './catalogue/machine';
import type { ListedExecution, StoredExecution } from './store';

/** What is fast and still finds what executions have in common. */
const COMPRESSION = { level: 3, windowBits: 14, memLevel: 7, chunkSize: 1024 } as const;

/** Bytes that a dictionary may have to be seen as a whole. */
const DICTIONARY_BYTES_MAX = 2 ** COMPRESSION.windowBits;

interface Content {
  readonly execution: Execution;
  readonly history: readonly HistoryEvent[];
}

/**
 * An execution that has ended, in few bytes: most of what a process would hold in memory otherwise is histories that
 * nobody reads any more.
 */
export class CompressedExecution implements ListedExecution {
  readonly choice: MachineChoice;
  readonly execution: ListedExecution['execution'];
  readonly #bytes: Buffer;
  readonly #dictionary: Buffer;

  constructor({ choice, execution, history }: StoredExecution) {
    const { arn, name, status, startedAt, redriveCount, redrivenAt, end } = execution;
    const ended = end && { at: end.at };
    this.choice = choice;
    this.execution = { arn, name, status, startedAt, redriveCount, redrivenAt, end: ended };
    const content: Content = { execution, history };
    const bytes = Buffer.from(JSON.stringify(content));
    this.#dictionary = dictionaryFor(choice.machine, bytes);
    const compressed = deflateRawSync(bytes, { ...COMPRESSION, dictionary: this.#dictionary });
    // A copy, because what is returned is a part of something larger.
    this.#bytes = Buffer.from(compressed);
  }

  /** The execution as it was; made anew each time. */
  decompressed(): StoredExecution {
    const bytes = inflateRawSync(this.#bytes, {
      windowBits: COMPRESSION.windowBits,
      dictionary: this.#dictionary,
    });
    const { execution, history } = JSON.parse(bytes.toString()) as Content;
    return { choice: this.choice, execution, history };
  }
}

/**
 * Executions of one machine resemble each other. The first of them says what the others need not say again: it takes
 * some thousand bytes, and each of the others some hundred.
 */
function dictionaryFor(machine: object, bytes: Buffer): Buffer {
  const known = DICTIONARIES.get(machine);
  if (known) return known;
  const dictionary = Buffer.from(bytes.subarray(0, DICTIONARY_BYTES_MAX));
  DICTIONARIES.set(machine, dictionary);
  return dictionary;
}

const DICTIONARIES = new WeakMap<object, Buffer>();
