import http from 'node:http';
import https from 'node:https';
import type { Request } from './conversation';

/** An answer as it came. */
export interface Received {
  readonly status: number;
  /** By name in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends a request as it is written, which `fetch` would not: several lines of one header, no content type, bytes that
 * are not Latin-1.
 *
 * @throws Error for a connection that breaks
 */
export function send(url: URL, request: Request, agent?: http.Agent): Promise<Received> {
  const { method, headers = {}, headerEncoding } = request;
  const body = bodyOf(request);
  const lines = Object.entries(headers).map(([name, value]) => {
    const values = [value].flat().map(one => (headerEncoding === undefined ? one : latin1(one)));
    return [name, values.length === 1 ? (values[0] ?? '') : values] as const;
  });
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const options = {
      method,
      headers: { ...Object.fromEntries(lines), 'Content-Length': body.length },
      ...(agent && { agent }),
    };
    const outgoing = client.request(url, options, incoming => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const named = Object.entries(incoming.headers).map(([name, value]) => [
          name,
          [value].flat().join(', '),
        ]);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(named),
          body: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function bodyOf({ body, rawBody, rawBodyBase64 }: Request): Buffer {
  if (rawBodyBase64 !== undefined) return Buffer.from(rawBodyBase64, 'base64');
  if (rawBody !== undefined) return Buffer.from(rawBody, 'utf8');
  return body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body), 'utf8');
}

/** Text whose Latin-1 bytes are the UTF-8 of this. */
function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
