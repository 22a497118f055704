import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Execution, HistoryEvent } from '../../engine/index';
import type { MachineChoice } from '../catalogue/registered-machine';
import type { ListedExecution, StoredExecution } from './store';

/** A fast level that still finds the parts that executions share. */
const COMPRESSION = { level: 3, windowBits: 14, memLevel: 7, chunkSize: 1024 } as const;

/** Bytes that a dictionary may have to count as a whole. */
const DICTIONARY_BYTES_MAX = 2 ** COMPRESSION.windowBits;

interface Content {
  readonly execution: Execution;
  readonly history: readonly HistoryEvent[];
}

/** What a compressed execution consists of. */
export interface CompressedParts extends ListedExecution {
  /** The execution with its history; needs the dictionary to be read. */
  readonly bytes: Buffer;
  /** What executions of its machine have in common: one buffer for many of them. */
  readonly dictionary: Buffer;
}

/**
 * An execution that has ended, in few bytes: histories that are never read again would otherwise take most of the
 * memory of a process.
 */
export class CompressedExecution implements CompressedParts {
  readonly choice: MachineChoice;
  readonly execution: ListedExecution['execution'];
  readonly bytes: Buffer;
  readonly dictionary: Buffer;

  /** One that was compressed before, perhaps by another process. Its machine goes on with the same dictionary. */
  constructor({ choice, execution, bytes, dictionary }: CompressedParts) {
    this.choice = choice;
    this.execution = execution;
    this.bytes = bytes;
    this.dictionary = dictionary;
    if (!DICTIONARIES.has(choice.machine)) DICTIONARIES.set(choice.machine, dictionary);
  }

  /** Compresses an execution. */
  static of({ choice, execution, history }: StoredExecution): CompressedExecution {
    const { arn, name, status, startedAt, redriveCount, redrivenAt, end } = execution;
    const ended = end && { at: end.at };
    const content: Content = { execution, history };
    const text = Buffer.from(JSON.stringify(content));
    const dictionary = DICTIONARIES.get(choice.machine) ?? dictionaryOf(text);
    const compressed = deflateRawSync(text, { ...COMPRESSION, dictionary });
    return new CompressedExecution({
      choice,
      execution: { arn, name, status, startedAt, redriveCount, redrivenAt, end: ended },
      // A copy, because what is returned is a part of something larger.
      bytes: Buffer.from(compressed),
      dictionary,
    });
  }

  /** The execution as it was; made anew each time. */
  decompressed(): StoredExecution {
    const { dictionary } = this;
    const bytes = inflateRawSync(this.bytes, { windowBits: COMPRESSION.windowBits, dictionary });
    const { execution, history } = JSON.parse(bytes.toString()) as Content;
    return { choice: this.choice, execution, history };
  }
}

/**
 * Executions of one machine resemble each other. The first of them says what the others need not say again: it takes
 * some thousand bytes, and each of the others some hundred.
 */
function dictionaryOf(text: Buffer): Buffer {
  return Buffer.from(text.subarray(0, DICTIONARY_BYTES_MAX));
}

const DICTIONARIES = new WeakMap<object, Buffer>();
