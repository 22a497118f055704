import { closeSync, openSync, readSync } from 'node:fs';

/** The text of an input, or its fault as the end of a sentence about it. */
export type InputText = { readonly text: string } | { readonly fault: string };

/** A history of 25,000 events is shorter. */
const BYTES_MAX = 256 * 2 ** 20;
const CHUNK_BYTES = 64 * 1024;

/**
 * The text of a file that is an input: in UTF-8, with or without a byte order mark, which is left out. Other bytes are
 * a fault: if they were replaced, two keys could become one.
 *
 * @param file - a path, or 0 for stdin
 * @param bytesMax - a longer file is a fault, before it is in memory
 *
 * @example
 * ```ts
 * const read = readTextFile('order.json');
 * if ('fault' in read) throw new Error(`order.json ${read.fault}`);
 * ```
 */
export function readTextFile(file: string | 0, bytesMax = BYTES_MAX): InputText {
  try {
    return textOf(bytesOf(file, bytesMax), bytesMax);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { fault: 'does not exist' };
    if (code === 'EISDIR') return { fault: 'is a directory, and must be a file' };
    return { fault: `cannot be read (${code})` };
  }
}

/** The text of bytes that are an input, such as those of stdin, by the same rules. */
export function textOf(bytes: Uint8Array, bytesMax = BYTES_MAX): InputText {
  if (bytes.length > bytesMax) return { fault: `is longer than ${bytesMax / 2 ** 20} MiB` };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const [first, second] = bytes;
    const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
    return { fault: `is ${isUtf16 ? 'UTF-16, and not' : 'not'} UTF-8; save it as UTF-8` };
  }
}

/** All bytes; of a longer file, a few more than `bytesMax`: a device, or a pipe, may have no end. */
function bytesOf(file: string | 0, bytesMax: number): Uint8Array {
  const descriptor = file === 0 ? 0 : openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; length <= bytesMax; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const read = readSync(descriptor, chunk);
      if (read === 0) break;
      chunks.push(chunk.subarray(0, read));
      length += read;
    }
    return Buffer.concat(chunks);
  } finally {
    if (file !== 0) closeSync(descriptor);
  }
}
