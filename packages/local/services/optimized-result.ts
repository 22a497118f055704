import type { JsonObject } from '../json/json';

/** What identifies one answer of a service. */
export interface AnswerIdentity {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly answeredAt: number;
}

/**
 * The result of an optimized integration: the response, behind it the HTTP answer it came with, in AWS JSON 1.0, or in
 * XML where `response` is its text.
 *
 * `response` gives the size of that answer, `members` are what the result shows of it.
 */
export function optimizedResult(
  members: JsonObject,
  response: JsonObject | string,
  identity: AnswerIdentity,
): JsonObject {
  const isXml = typeof response === 'string';
  const body = isXml ? response : JSON.stringify(response);
  const headers: Record<string, string> = {
    'x-amzn-RequestId': identity.requestId,
    connection: 'keep-alive',
    'Content-Length': String(Buffer.byteLength(body)),
    Date: new Date(identity.answeredAt).toUTCString(),
    'Content-Type': isXml ? 'text/xml' : 'application/x-amz-json-1.0',
  };
  const ignoringCase = (a: string, b: string) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);
  const names = Object.keys(headers).sort(ignoringCase);
  const metadata = {
    SdkHttpMetadata: {
      AllHttpHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      HttpHeaders: Object.fromEntries(names.map(name => [name, headers[name] ?? ''])),
      HttpStatusCode: 200,
    },
    SdkResponseMetadata: { RequestId: identity.requestId },
  };
  return inOrder({ ...members, ...metadata });
}

/** Members by name, as the service writes them. */
export function inOrder(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Why an optimized integration failed, in the words of the older SDK behind it. */
export function optimizedCause(
  message: string,
  error: { readonly service: string; readonly code: string; readonly requestId: string },
): string {
  const { service, code, requestId } = error;
  const origin = `Service: ${service}; Status Code: 400; Error Code: ${code}; Request ID: ${requestId}`;
  return `${message} (${origin}; Proxy: null)`;
}
