import type { IncomingMessage, ServerResponse } from 'node:http';
import { StateNotWritten, StatesError } from '../runtime/requests/errors';
import { errorAnswer, JSON_1_0 } from './aws-json';
import { RequestError, wireErrorOf } from './errors';
import type { ApiAnswer, ApiRequest, ServiceRoute, WhenGone, WrapBlockingRequest } from './exchange';
import { headOf, readBody, rejectionOf } from './incoming';
import { listenOnLoopback } from './loopback-server';
import { type FindRoute, routeFinder } from './routes';
import { UnknownServiceError } from './unknown-service';

/** Where and how the endpoint listens. */
export interface ApiOptions {
  /** @default - one that is free */
  readonly port?: number;
  readonly newRequestId: () => string;
  /** Epoch milliseconds, for the `Date` of answers, by which clients know the stack's time. @default - the machine's */
  readonly now?: () => number;
  /** Receives what is broken behind an answer of 500. @default - a process warning */
  readonly report?: (problem: Error) => void;
  /** @default - the request is just answered */
  readonly wrapBlockingRequest?: WrapBlockingRequest;
  /** How long a sender may take for the head of a request, and for all of it. @default 10 s, 60 s */
  readonly headMs?: number;
  readonly requestMs?: number;
  /** Whether a process ends that has nothing else to do. @default false */
  readonly isBackground?: boolean;
}

/** An endpoint that answers. */
export interface Api {
  /** For the `endpoint` of any AWS client, e.g. `http://127.0.0.1:8083`. */
  readonly endpoint: string;
  /** Stops: no request begins any more, and those under way have a moment to end. */
  close(): Promise<void>;
}

/**
 * Answers AWS clients of several services on one loopback port.
 *
 * Whatever comes in, there is an answer in AWS's form or a closed connection, and the next request is answered.
 *
 * @throws the listening socket's error, e.g. with `code` EADDRINUSE
 */
export async function startApi(routes: readonly ServiceRoute[], options: ApiOptions): Promise<Api> {
  const find = routeFinder(routes, options.wrapBlockingRequest ?? ((_header, answer) => answer()));
  const { port, close } = await listenOnLoopback(
    (request, response) => void answerTo(request, response, find, options),
    options,
  );
  return { endpoint: `http://127.0.0.1:${port}`, close };
}

async function answerTo(
  request: IncomingMessage,
  response: ServerResponse,
  find: FindRoute,
  options: ApiOptions,
): Promise<void> {
  const requestId = options.newRequestId();
  const { now = Date.now } = options;
  // A client that goes away while it is answered is nothing to this side.
  response.on('error', () => undefined);
  const whenGone = (listener: () => void) => void response.once('close', listener);
  const answer = await answerOf(request, find, { requestId, whenGone }).catch((error: unknown) =>
    errorOf(error, options),
  );
  // A client that still sends would not read an answer: the rest of a body that is not wanted is dropped.
  if (answer !== 'gone' && !request.complete) await readBody(request, 0);
  if (answer === 'gone' || request.socket.destroyed) {
    request.socket.destroy();
    return;
  }
  if (!request.complete) response.setHeader('connection', 'close');
  const head = { 'x-amzn-RequestId': requestId, date: new Date(now()).toUTCString() };
  try {
    writeAnswer(response, answer, head);
  } catch (error) {
    // A header that cannot be sent, such as one with a line break in it.
    writeAnswer(response, errorOf(error, options), head);
  }
}

/** @throws TypeError for a header that is none; nothing is sent then */
function writeAnswer(
  response: ServerResponse,
  { status, headers, body }: ApiAnswer,
  head: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, {
    ...head,
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

async function answerOf(
  request: IncomingMessage,
  find: FindRoute,
  { requestId, whenGone }: Pick<ApiRequest, 'requestId'> & { readonly whenGone: WhenGone },
): Promise<ApiAnswer | 'gone'> {
  const rejection = rejectionOf(request.headers);
  if (rejection !== undefined) throw new RequestError('AccessDeniedException', rejection);
  const head = headOf(request);
  const route = find(head);
  const read = await readBody(request, route.bodyBytesMax);
  switch (read.kind) {
    case 'body':
      return route.handle({ ...head, body: read.body, requestId, whenGone });
    case 'tooLarge': {
      if (route.tooLarge) return route.tooLarge(requestId);
      const message = `Request size is too large; at most ${route.bodyBytesMax} bytes are allowed`;
      throw new RequestError('RequestEntityTooLargeException', message);
    }
    case 'gone':
      return 'gone';
    default:
      return read satisfies never;
  }
}

function errorOf(error: unknown, { report = warn }: ApiOptions): ApiAnswer {
  if (error instanceof UnknownServiceError) return error.answer;
  if (error instanceof StatesError || error instanceof RequestError) {
    return errorAnswer(wireErrorOf(error.name, error.message), JSON_1_0);
  }
  if (error instanceof StateNotWritten) {
    // The opener of the directory has reported the fault already, once for all requests.
    return errorAnswer(wireErrorOf('InternalFailure', error.message), JSON_1_0);
  }
  report(new Error('a request broke the local endpoint', { cause: error }));
  const message = 'The local endpoint could not answer because of a fault of its own.';
  return errorAnswer(wireErrorOf('InternalFailure', message), JSON_1_0);
}

function warn(problem: Error): void {
  process.emitWarning(problem.message);
}
