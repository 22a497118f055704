import type { Json, JsonObject } from '../../json/json';

/** What identifies one call of the Invoke API in its answer. */
export interface ResponseIdentity {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly answeredAt: number;
  /** The end of the invocation's log in base64, if it was requested. */
  readonly logResult?: string;
}

/**
 * The result of `lambda:invoke` for a function that has answered: the SDK's response with its payload as
 * JSON.
 */
export function invokeResult(payload: Json, identity: ResponseIdentity): JsonObject {
  const { logResult } = identity;
  const headers = {
    ...(logResult !== undefined && { 'X-Amz-Log-Result': logResult }),
    'X-Amz-Executed-Version': '$LATEST',
    ...transportHeaders(Buffer.byteLength(JSON.stringify(payload)), identity),
    'Content-Type': 'application/json',
  };
  const log: JsonObject = logResult === undefined ? {} : { LogResult: logResult };
  return { ExecutedVersion: '$LATEST', ...log, Payload: payload, ...metadata(headers, identity, 200) };
}

/** The result of a call that does not wait for an answer (202) or only asks whether it were allowed (204). */
export function emptyResult(statusCode: 202 | 204, identity: ResponseIdentity): JsonObject {
  return { Payload: '', ...metadata(transportHeaders(0, identity), identity, statusCode) };
}

function transportHeaders(contentLength: number, identity: ResponseIdentity): Record<string, string> {
  return {
    'x-amzn-Remapped-Content-Length': '0',
    Connection: 'keep-alive',
    'x-amzn-RequestId': identity.requestId,
    'Content-Length': String(contentLength),
    Date: new Date(identity.answeredAt).toUTCString(),
    'X-Amzn-Trace-Id': traceId(identity),
  };
}

function metadata(
  headers: Record<string, string>,
  identity: ResponseIdentity,
  statusCode: number,
): JsonObject {
  const ignoringCase = (a: string, b: string) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);
  const names = Object.keys(headers).sort(ignoringCase);
  return {
    SdkHttpMetadata: {
      AllHttpHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      HttpHeaders: Object.fromEntries(names.map(name => [name, headers[name] ?? ''])),
      HttpStatusCode: statusCode,
    },
    SdkResponseMetadata: { RequestId: identity.requestId },
    StatusCode: statusCode,
  };
}

/** Nothing is traced here; the header is there because a state's output may be compared or stored with it. */
function traceId({ requestId, answeredAt }: ResponseIdentity): string {
  const seconds = Math.floor(answeredAt / 1000);
  const digits = requestId.replace(/[^0-9a-f]/g, '').padEnd(32, '0');
  const root = `1-${seconds.toString(16).padStart(8, '0')}-${digits.slice(0, 24)}`;
  return `Root=${root};Parent=${digits.slice(16, 32)};Sampled=0;Lineage=1:${digits.slice(0, 8)}:0`;
}
