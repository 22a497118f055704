import { type Agent, request as httpRequest } from 'node:http';
import type { FuzzRequest } from './requests/request';

/** What came of a request. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  /** It timed out: a long poll, or a stack that no longer answers. */
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'broken'; readonly reason: string };

/** Sends a request, which times out after `msMax` milliseconds. Never rejects. */
export function send(
  endpoint: URL,
  agent: Agent,
  { method, path, headers, body }: FuzzRequest,
  msMax: number,
): Promise<Outcome> {
  return new Promise(resolve => {
    const options = { hostname: endpoint.hostname, port: endpoint.port, agent, method, headers, path };
    let call: ReturnType<typeof httpRequest>;
    try {
      call = httpRequest(options, response => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', error => resolve({ kind: 'broken', reason: error.message }));
        response.on('end', () => {
          resolve({
            kind: 'answered',
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString(),
          });
        });
      });
    } catch (error) {
      // Node itself does not send it.
      resolve({ kind: 'broken', reason: `not sent: ${String(error)}` });
      return;
    }
    const timer = setTimeout(() => {
      resolve({ kind: 'timedOut' });
      call.destroy();
    }, msMax);
    call.on('close', () => clearTimeout(timer));
    call.on('error', error => resolve({ kind: 'broken', reason: error.message }));
    call.end(body);
  });
}
