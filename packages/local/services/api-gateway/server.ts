import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync, inflateSync } from 'node:zlib';
import { foreignHostOf, readBody } from '../../api/incoming';
import { type LoopbackServer, listenOnLoopback } from '../../api/loopback-server';
import { answerRequest, type GatewayOptions } from './gateway';
import { type GatewayAnswer, gatewayAnswer, reject } from './gateway-response';
import { type GatewayRequest, headerOf, requestContext } from './request';
import type { RestApi } from './rest-api';

/** API Gateway takes no larger body, and no larger head (service quotas). */
const BODY_BYTES_MAX = 10 * 1024 * 1024;
const HEAD_BYTES_MAX = 10_240;

/** How many requests have come, and how many of these are answered. */
export interface RequestCounts {
  readonly received: number;
  readonly answered: number;
}

/** What serving takes besides answering. */
export interface ServeOptions extends GatewayOptions {
  readonly port: number;
  readonly api: RestApi;
  readonly newRequestId: () => string;
  /** Counted on: a request when it is there with its body. */
  readonly requests: { -readonly [Count in keyof RequestCounts]: number };
  /** Requests that come before wait for it. */
  readonly ready: Promise<void>;
}

/**
 * Serves a REST API on a loopback port, its stages under `/<stage>` as on AWS, so that a path in an answer leads back.
 *
 * A request for a host that is not this machine is rejected. Which pages of other origins are answered says
 * `foreignPageProblem`; what their browser lets them read says the API.
 *
 * @throws the listening socket's error, e.g. with `code` EADDRINUSE
 */
export function serveRestApi(options: ServeOptions): Promise<LoopbackServer> {
  return listenOnLoopback((request, response) => void answerTo(request, response, options), {
    port: options.port,
    headBytesMax: HEAD_BYTES_MAX,
  });
}

async function answerTo(
  incoming: IncomingMessage,
  response: ServerResponse,
  options: ServeOptions,
): Promise<void> {
  const { work, report } = options;
  const requestId = options.newRequestId();
  response.on('error', () => undefined);
  await options.ready;
  work.begin();
  try {
    const answer = await answerOf(incoming, requestId, options);
    if (answer === 'gone') response.destroy();
    else write(response, answer, requestId, options);
  } catch (error) {
    // A fault of this program, or a header that cannot be sent.
    report(`${incoming.method} ${incoming.url}: ${error instanceof Error ? error.message : String(error)}`);
    if (!response.headersSent) write(response, plain(500, 'Internal server error'), requestId, options);
  } finally {
    work.end();
  }
}

function write(
  response: ServerResponse,
  { status, headers, body }: GatewayAnswer,
  requestId: string,
  { clock }: ServeOptions,
): void {
  const own = [
    ['Date', new Date(clock.now()).toUTCString()],
    ['x-amzn-RequestId', requestId],
  ] as const;
  const length = [['Content-Length', String(Buffer.byteLength(body))]] as const;
  const sent = headers.filter(([name]) => !['content-length', 'date'].includes(name.toLowerCase()));
  const hasBody = status >= 200 && status !== 204 && status !== 304;
  response.writeHead(status, [...own, ...sent, ...(hasBody ? length : [])].flat());
  response.end(hasBody ? body : undefined);
}

async function answerOf(
  incoming: IncomingMessage,
  requestId: string,
  options: ServeOptions,
): Promise<GatewayAnswer | 'gone'> {
  const foreign = foreignHostOf(incoming.headers);
  if (foreign !== undefined) return plain(403, foreign);
  const { pathname, query } = splitUrl(incoming.url ?? '/');
  const { api } = options;
  const [, stage = '', ...segments] = pathname.split('/');
  if (!api.stages.has(stage)) return plain(403, 'Forbidden');
  const headers = headerLines(incoming);
  const override = headerOf({ headers }, 'x-http-method-override');
  const request: GatewayRequest = {
    httpMethod: (override ?? incoming.method ?? 'GET').toUpperCase(),
    stage,
    path: `/${segments.join('/')}`,
    query,
    headers,
    body: Buffer.alloc(0),
    requestId,
    sourceIp: '127.0.0.1',
    at: options.clock.now(),
  };
  const read = await readBody(incoming, BODY_BYTES_MAX);
  if (read.kind === 'gone') return 'gone';
  options.requests.received += 1;
  const body =
    read.kind === 'body' ? decompressed(read.body, headerOf(request, 'content-encoding')) : undefined;
  if (body !== undefined) return counted(answerRequest(api, { ...request, body }, options), options);
  const { account } = options.environment;
  const context = requestContext(request, { id: api.spec.id, account });
  options.requests.answered += 1;
  return gatewayAnswer(reject('REQUEST_TOO_LARGE'), api.gatewayResponses, context, request);
}

async function counted<Answer>(answer: Promise<Answer>, { requests }: ServeOptions): Promise<Answer> {
  try {
    return await answer;
  } finally {
    requests.answered += 1;
  }
}

/** An answer that is not the API's. */
function plain(status: number, message: string): GatewayAnswer {
  return { status, headers: [['Content-Type', 'application/json']], body: JSON.stringify({ message }) };
}

function splitUrl(url: string): { readonly pathname: string; readonly query: URLSearchParams } {
  const at = url.indexOf('?');
  if (at < 0) return { pathname: url, query: new URLSearchParams() };
  return { pathname: url.slice(0, at), query: new URLSearchParams(url.slice(at + 1)) };
}

/** As they were sent: Node.js joins and drops. Header bytes are Latin-1 for it, and UTF-8 for most clients. */
function headerLines({ rawHeaders }: IncomingMessage): readonly (readonly [string, string])[] {
  const lines: (readonly [string, string])[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    lines.push([rawHeaders[at] ?? '', Buffer.from(rawHeaders[at + 1] ?? '', 'latin1').toString('utf8')]);
  }
  return lines;
}

/** A body as templates get it; undefined where it is too large by then. One that is not compressed stays as it is. */
function decompressed(body: Buffer, encoding: string | undefined): Buffer | undefined {
  const decompress = { gzip: gunzipSync, deflate: inflateSync }[encoding?.toLowerCase() ?? ''];
  if (!decompress) return body;
  try {
    return decompress(body, { maxOutputLength: BODY_BYTES_MAX });
  } catch (error) {
    const { code } = (error ?? {}) as { readonly code?: string };
    return code === 'ERR_BUFFER_TOO_LARGE' ? undefined : body;
  }
}
