import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { ApiAnswer, ServiceRoute } from '../../api/exchange';

/** DynamoDB takes no larger request (service quota: 16 MB for a batch). */
const BODY_BYTES_MAX = 16 * 1024 * 1024;

/** One connection per call in flight, as the stack's own client has. */
const SOCKETS_MAX = 64;

/** The headers of a request that are forwarded: who asks for what. Not the origin, which was judged here. */
const FORWARDED = ['authorization', 'content-type', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-target'];

/** The headers of DynamoDB's answer that are returned; its request id takes the place of the endpoint's own. */
const ANSWERED = ['content-type', 'x-amz-crc32', 'x-amzn-RequestId'];

/** DynamoDB: `x-amz-target: DynamoDB_20120810.<Operation>`, handed on to the embedded one as it came. */
export function dynamoDbRoute(endpoint: string): ServiceRoute & { readonly close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  return {
    service: { title: 'DynamoDB', signingName: 'dynamodb' },
    requests: { target: 'DynamoDB_20120810' },
    bodyBytesMax: BODY_BYTES_MAX,
    handle: ({ headers, body }) => forward(new URL(endpoint), { agent, headers, body }),
    close: () => agent.destroy(),
  };
}

function forward(
  { hostname, port }: URL,
  sent: { readonly agent: Agent; readonly headers: IncomingHttpHeaders; readonly body: Buffer },
): Promise<ApiAnswer> {
  const { agent, body } = sent;
  const headers = Object.fromEntries(FORWARDED.flatMap(name => [[name, sent.headers[name] ?? []]]));
  const options = { hostname, port, agent, method: 'POST', path: '/' };
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      { ...options, headers: { ...headers, 'content-length': body.length } },
      response => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const answered = ANSWERED.flatMap(name => {
            const value = response.headers[name.toLowerCase()];
            return typeof value === 'string' ? [[name, value]] : [];
          });
          const { statusCode = 500 } = response;
          resolve({ status: statusCode, headers: Object.fromEntries(answered), body: Buffer.concat(chunks) });
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
