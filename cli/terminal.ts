import { createInterface } from 'node:readline/promises';
import type { Desk } from './answer';

/** The terminal, or what is there instead. Everything but the answer goes to stderr. */
export function deskOn(
  stdin: NodeJS.ReadStream,
  stderr: NodeJS.WriteStream,
  signal: AbortSignal,
): Desk & { clear(): void } {
  let isDrawn = false;
  const clear = () => {
    if (isDrawn) stderr.write('\r\u001b[2K');
    isDrawn = false;
  };
  return {
    clear,
    progress(text) {
      if (stderr.isTTY !== true) return;
      stderr.write(`\r\u001b[2K${text} …`);
      isDrawn = true;
    },
    isAttended: stdin.isTTY === true && stderr.isTTY === true,
    async confirm(text, question) {
      clear();
      stderr.write(text);
      const lines = createInterface({ input: stdin, output: stderr });
      // On a terminal Ctrl-C comes to whoever reads from it, and Ctrl-D ends the reading: that is no yes.
      lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      const isClosed = new Promise<string>(resolve => lines.once('close', () => resolve('')));
      try {
        const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), isClosed]);
        return /^y(?:es)?$/i.test(answer.trim());
      } finally {
        lines.close();
      }
    },
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}
