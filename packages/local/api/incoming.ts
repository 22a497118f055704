import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RequestHead } from './exchange';

// `sync-` is what SDKs put before the host for StartSyncExecution. Names that merely resolve to this machine do not
// count: a page in a browser can be given one (DNS rebinding).
const HOST = /^(?:sync-)?(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * Why a request must not be answered, or undefined when it may.
 *
 * The endpoint trusts every caller that can reach it, so it answers only intended requests. An intended request
 * addresses this machine by name or number. If a browser sends it, a page of the endpoint made it do so. Another port
 * of this machine is another origin: what runs there is any page that a developer has open.
 */
export function rejectionOf(headers: IncomingHttpHeaders): string | undefined {
  const foreign = foreignHostOf(headers);
  if (foreign !== undefined) return foreign;
  const { host = '', origin } = headers;
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    return `Origin '${origin}' is not this endpoint's own, 'http://${host}'; pages of other origins are not answered`;
  }
  return undefined;
}

/** Why a request was not meant for this machine, or undefined where it was. */
export function foreignHostOf({ host = '' }: IncomingHttpHeaders): string | undefined {
  return HOST.test(host) ? undefined : `Host '${host}' is not this machine; use 127.0.0.1 or localhost`;
}

/** What a request says before its body. */
export function headOf({ method = '', url = '/', headers }: IncomingMessage): RequestHead {
  const [path = '/', ...query] = url.split('?');
  const target = headers['x-amz-target'];
  const [service = '', operation = ''] = typeof target === 'string' ? target.split('.') : [];
  return {
    method,
    path,
    query: new URLSearchParams(query.join('?')),
    headers,
    target: { service, operation },
  };
}

/** A body, or how reading it ended. */
export type ReadBody =
  | { readonly kind: 'body'; readonly body: Buffer }
  | { readonly kind: 'tooLarge' }
  /** The connection was closed before the body had come. */
  | { readonly kind: 'gone' };

/** The bytes of an oversized body that are read and dropped, so that its sender reads the answer. */
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
