import { createHash } from 'node:crypto';

/** Lower-case hexadecimal SHA-256 of the text's UTF-8 bytes, as `$hash(text, 'SHA-256')` gives it in a workflow. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
