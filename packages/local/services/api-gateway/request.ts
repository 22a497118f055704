import type { Json, JsonObject } from '../../json/json';
import type { RequestParameters } from '../../vtl/mapping-context';
import type { MethodMatch } from './rest-api';

/** A request to an API, its body decompressed. */
export interface GatewayRequest {
  /** In capitals. */
  readonly httpMethod: string;
  readonly stage: string;
  /** Without the stage, as it was sent; begins with a slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** As they were sent, one after the other. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly requestId: string;
  readonly sourceIp: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Who a request comes from, as it stands in `$context`. */
export interface Caller {
  readonly authorizer: JsonObject;
  readonly identity: JsonObject;
}

/** The first value of a header, whatever the case of its name; undefined where it is not there. */
export function headerOf({ headers }: Pick<GatewayRequest, 'headers'>, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1];
}

/** The values of headers by their names: of several lines the values with a comma between them, as RFC 9110 has it. */
export function joinedHeaders({ headers }: Pick<GatewayRequest, 'headers'>): Record<string, string> {
  const joined = new Map<string, { readonly name: string; readonly values: string[] }>();
  for (const [name, value] of headers) {
    const known = joined.get(name.toLowerCase());
    if (known) known.values.push(value);
    else joined.set(name.toLowerCase(), { name, values: [value] });
  }
  return Object.fromEntries([...joined.values()].map(({ name, values }) => [name, values.join(', ')]));
}

export function parametersOf(request: GatewayRequest, { pathParameters }: MethodMatch): RequestParameters {
  return {
    path: pathParameters,
    querystring: Object.fromEntries(request.query),
    header: joinedHeaders(request),
  };
}

/** What of `$context` is known before a method is found. */
export function requestContext(
  request: GatewayRequest,
  api: { readonly id: string; readonly account: string },
): JsonObject {
  const { stage, path, at, requestId } = request;
  return {
    accountId: api.account,
    apiId: api.id,
    extendedRequestId: requestId,
    httpMethod: request.httpMethod,
    identity: { sourceIp: request.sourceIp, userAgent: headerOf(request, 'user-agent') ?? null },
    path: `/${stage}${path}`,
    protocol: 'HTTP/1.1',
    requestId,
    requestTime: clfTime(at),
    requestTimeEpoch: at,
    stage,
  };
}

export function methodContext(
  context: JsonObject,
  { resourceId, resourcePath }: MethodMatch,
  caller: Caller | undefined,
): JsonObject {
  return {
    ...context,
    resourceId,
    resourcePath,
    ...(caller && {
      authorizer: caller.authorizer,
      identity: { ...(context['identity'] as JsonObject), ...caller.identity },
    }),
  };
}

/** As servers log it: `20/Nov/2026:09:00:00 +0000`. */
function clfTime(at: number): Json {
  const [, day, month, year, time] = new Date(at).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
