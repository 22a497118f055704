import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ProcessMessage } from './messages';

/** Output taken per invocation, in characters: plenty to read, and a bound for a loop that prints. */
const OUTPUT_CHARACTERS_MAX = 1_048_576;
const DROPPED = '\n[the output of this invocation is too long, the rest of it is dropped]\n';

/** Of a message, in characters: more than the largest response, in which each character is escaped. */
const MESSAGE_CHARACTERS_MAX = 16 * 1_048_576;

/** Lets text through up to a bound, which is that of one invocation. */
export class BoundedOutput {
  readonly #emit: (text: string) => void;
  #charactersLeft = OUTPUT_CHARACTERS_MAX;

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  /** Begins the next invocation. */
  allow(): void {
    this.#charactersLeft = OUTPUT_CHARACTERS_MAX;
  }

  write(text: string): void {
    if (this.#charactersLeft < 0) return;
    const part = text.slice(0, this.#charactersLeft);
    this.#charactersLeft -= text.length;
    this.#emit(this.#charactersLeft < 0 ? part + DROPPED : part);
  }
}

/** Calls `take` with the text that is read. */
export function readText(stream: Readable | undefined, take: (text: string) => void): void {
  const decoder = new StringDecoder('utf8');
  stream?.on('data', (chunk: Buffer) => take(decoder.write(chunk)));
  stream?.on('error', () => undefined);
}

/**
 * Calls `take` with the messages in the lines that are read. Lines that are no messages come from the function, and are
 * left out. It is called with undefined if there is no end to a line: then nothing more is read.
 */
export function readMessages(
  stream: Readable | undefined,
  take: (message: ProcessMessage | undefined) => void,
): void {
  let begun = '';
  readText(stream, text => {
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) {
      const message = messageIn(line);
      if (message) take(message);
    }
    if (begun.length <= MESSAGE_CHARACTERS_MAX) return;
    stream?.destroy();
    take(undefined);
  });
}

/** The members of each message that are texts. */
const TEXTS: Readonly<Record<ProcessMessage['kind'], readonly string[]>> = {
  loaded: [],
  loadFailed: ['payloadText'],
  started: ['requestId'],
  answered: ['requestId', 'payloadText'],
  failed: ['requestId', 'payloadText'],
  responseTooLarge: ['requestId'],
  crashed: ['payloadText'],
  output: ['text'],
};

function messageIn(line: string): ProcessMessage | undefined {
  try {
    const message = JSON.parse(line) as ProcessMessage & Record<string, string>;
    const texts = Object.hasOwn(TEXTS, message.kind) ? TEXTS[message.kind] : undefined;
    if (!texts?.every(name => typeof message[name] === 'string')) return undefined;
    if ('payloadText' in message) JSON.parse(message.payloadText);
    return message;
  } catch {
    return undefined;
  }
}
