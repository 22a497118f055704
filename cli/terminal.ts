import { createInterface } from 'node:readline/promises';
import { textOfStdin } from './input-file';
import { EXIT } from './program/exit';
import { Rejection } from './program/rejection';

/** How text is laid out where it is read. */
export interface Style {
  /** Columns per line; infinite if there is no terminal, as in a file. */
  readonly width: number;
  readonly isColored: boolean;
}

/** Text without colors, in lines as long as they are: what is not read on a terminal. */
export const PLAIN: Style = { isColored: false, width: Number.POSITIVE_INFINITY };

/** Narrower than this nothing can be read. In columns. */
const WIDTH_MIN = 40;

/** The style of a stream: as wide as its terminal, and colored only on a terminal that wants colors. */
export function styleOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Style {
  const isColored = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const width = stream.isTTY === true ? Math.max(stream.columns ?? 80, WIDTH_MIN) : Number.POSITIVE_INFINITY;
  return { width, isColored };
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export type Color = keyof typeof CODES;

/** The text in a color, where the style has colors. */
export function colored(style: Style, color: Color | undefined, text: string): string {
  return style.isColored && color !== undefined ? `\u001b[${CODES[color]}m${text}\u001b[0m` : text;
}

/** The person at the terminal, if there is one: what a command may ask and say before its answer. */
export interface Terminal {
  /** The style of text before a question. */
  readonly style: Style;
  /** Says how far the work has come; silent where there is no terminal. */
  progress(text: string): void;
  /** Writes a text that stays, also where there is no terminal: what must be known before the answer. */
  say(text: string): void;
  /** Whether there is a user to ask. */
  readonly isAttended: boolean;
  /** Shows the text and asks. False for anything but a yes, also for Ctrl-D. @throws Rejection for Ctrl-C */
  confirm(text: string, question: string): Promise<boolean>;
  /** Reads all of stdin. @throws Rejection if that is not UTF-8 */
  readInput(): Promise<string>;
}

/** The terminal of this process, or what is there instead. Everything goes to stderr: stdout is for the answer. */
export function terminal(
  stdin: NodeJS.ReadStream,
  stderr: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Terminal & { clear(): void } {
  let isDrawn = false;
  const clear = () => {
    if (isDrawn) stderr.write('\r\u001b[2K');
    isDrawn = false;
  };
  return {
    style: styleOf(stderr, env),
    clear,
    progress(text) {
      if (stderr.isTTY !== true) return;
      stderr.write(`\r\u001b[2K${text} …`);
      isDrawn = true;
    },
    say(text) {
      clear();
      stderr.write(text);
    },
    isAttended: stdin.isTTY === true && stderr.isTTY === true,
    async confirm(text, question) {
      clear();
      stderr.write(text);
      const lines = createInterface({ input: stdin, output: stderr });
      // On a terminal Ctrl-C comes to the reader, and Ctrl-D ends the reading: that is not a yes.
      lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      const isClosed = new Promise<string>(resolve => lines.once('close', () => resolve('')));
      try {
        const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), isClosed]);
        return /^y(?:es)?$/i.test(answer.trim());
      } catch (error) {
        if (signal.aborted) throw new Rejection('interrupted; nothing was done', EXIT.interrupted);
        throw error;
      } finally {
        lines.close();
      }
    },
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return textOfStdin(Buffer.concat(chunks));
    },
  };
}
