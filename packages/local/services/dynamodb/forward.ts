import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import type { ApiAnswer } from '../../api/exchange';

/** One connection per call in flight, as the stack's own client has. */
const SOCKETS_MAX = 64;

/** The headers of a request that are forwarded: who asks for what. Not the origin, which was judged here. */
const FORWARDED = ['authorization', 'content-type', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-target'];

/** The headers of an answer that are returned. */
const RETURNED = ['content-type', 'x-amz-crc32'];

/** Hands requests on to another endpoint as they came. */
export interface Forwarding {
  forward(headers: IncomingHttpHeaders, body: Buffer): Promise<ApiAnswer>;
  close(): void;
}

/** Forwarding to the DynamoDB at a URL. Rejects with the connection's error where nobody answers. */
export function forwardingTo(endpoint: URL): Forwarding {
  const isTls = endpoint.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: SOCKETS_MAX };
  const agent = isTls ? new TlsAgent(options) : new Agent(options);
  const request = isTls ? httpsRequest : httpRequest;
  return {
    forward: (given, body) =>
      new Promise((resolve, reject) => {
        const headers = Object.fromEntries(FORWARDED.flatMap(name => [[name, given[name] ?? []]]));
        const sent = { ...headers, 'content-length': body.length };
        const call = request(endpoint, { agent, method: 'POST', headers: sent }, response => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const returned = RETURNED.flatMap(name => {
              const value = response.headers[name];
              return typeof value === 'string' ? [[name, value]] : [];
            });
            const { statusCode = 500 } = response;
            resolve({
              status: statusCode,
              headers: Object.fromEntries(returned),
              body: Buffer.concat(chunks),
            });
          });
        });
        call.on('error', reject);
        call.end(body);
      }),
    close: () => agent.destroy(),
  };
}
