import { type BinaryToTextEncoding, createHash } from 'node:crypto';

/** The SHA-256 of a text, in hexadecimal if nothing else is said. */
export function sha256(text: string, encoding: BinaryToTextEncoding = 'hex'): string {
  return createHash('sha256').update(text).digest(encoding);
}
