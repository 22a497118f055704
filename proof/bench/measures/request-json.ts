import { type Agent, request } from 'node:http';

/** Where requests go, and the connections they share. */
export interface Endpoint {
  readonly endpoint: string;
  readonly agent: Agent;
}

/**
 * Makes a request as AWS clients do, with next to no work of the client's own, and answers what came back.
 *
 * @throws Error with the answer, where it is a refusal
 */
export function requestJson(
  { endpoint, agent }: Endpoint,
  service: 'states' | 'sqs',
  operation: string,
  body: object,
): Promise<unknown> {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': operation,
    authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/${service}/aws4_request`,
  };
  return new Promise((resolve, reject) => {
    const sent = request(endpoint, { agent, method: 'POST', headers }, answer => {
      const chunks: Buffer[] = [];
      answer.on('data', chunk => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200) resolve(text === '' ? {} : JSON.parse(text));
        else reject(new Error(`${operation} was answered with ${answer.statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}
