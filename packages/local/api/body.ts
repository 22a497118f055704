import type { IncomingMessage } from 'node:http';

/** A body, or how reading it ended. */
export type ReadBody =
  | { readonly kind: 'body'; readonly body: Buffer }
  | { readonly kind: 'tooLarge' }
  /** The connection was closed before the body had come. */
  | { readonly kind: 'gone' };

/** What is read and dropped of a body that is too large, so that its sender gets to reading the answer. */
const DROPPED_BYTES_MAX = 64 * 1024 * 1024;

/** Reads a body of at most `bytesMax` bytes. Never rejects; a larger body is never held in memory. */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<ReadBody> {
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else chunks.length = 0;
      if (bytes > bytesMax + DROPPED_BYTES_MAX) resolve({ kind: 'tooLarge' });
    });
    request.on('end', () => {
      resolve(bytes > bytesMax ? { kind: 'tooLarge' } : { kind: 'body', body: Buffer.concat(chunks) });
    });
    request.on('error', () => resolve({ kind: 'gone' }));
    request.on('close', () => resolve({ kind: 'gone' }));
  });
}
