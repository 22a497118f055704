import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** How a server listens. */
export interface LoopbackOptions {
  /** @default - one that is free */
  readonly port?: number;
  /** How long a sender may take for the head of a request, and for all of it. @default 10 s, 60 s */
  readonly headMs?: number;
  readonly requestMs?: number;
  /** Of the request line and the headers together; more is answered with 431. @default - that of Node.js, 16 KiB */
  readonly headBytesMax?: number;
  /** Whether a process ends that has nothing else to do. @default false */
  readonly isBackground?: boolean;
}

/** A server that listens. */
export interface LoopbackServer {
  readonly port: number;
  /** Stops: no request begins any more, and those under way have a moment to end. */
  close(): Promise<void>;
}

const HEAD_MS = 10_000;
/** Ample for 16 MB within one machine. */
const REQUEST_MS = 60_000;
/** How often the two above are looked after; a connection may outlive them by this. */
const CHECK_MS = 1_000;
/** Longer than clients keep a connection they do not use, so that none is closed under a request just being sent. */
const KEEP_ALIVE_MS = 75_000;
/** A laptop's clients need a few dozen; above that it is a leak, and files are what a process runs out of first. */
const CONNECTIONS_MAX = 2_048;
/** What answers under way get when the server closes. */
const GRACE_MS = 200;

/**
 * A server on 127.0.0.1 with bounds on all that a client can hold up. A request that is not HTTP gets an answer, and
 * its connection is closed.
 *
 * @throws the listening socket's error, e.g. with `code` EADDRINUSE
 */
export async function listenOnLoopback(
  answer: RequestListener,
  { port = 0, headMs, requestMs, headBytesMax, isBackground = false }: LoopbackOptions,
): Promise<LoopbackServer> {
  const server = createServer(
    {
      headersTimeout: headMs ?? HEAD_MS,
      requestTimeout: requestMs ?? REQUEST_MS,
      connectionsCheckingInterval: Math.min(CHECK_MS, headMs ?? CHECK_MS),
      keepAliveTimeout: KEEP_ALIVE_MS,
      ...(headBytesMax !== undefined && { maxHeaderSize: headBytesMax }),
    },
    answer,
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.on('clientError', rejectBytes);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  if (isBackground) server.on('connection', socket => socket.unref()).unref();
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

/** For a connection that does not send HTTP, or sends it too slowly. */
function rejectBytes(error: Error & { readonly code?: string }, socket: Socket): void {
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const isLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const status = isSlow
    ? '408 Request Timeout'
    : isLarge
      ? '431 Request Header Fields Too Large'
      : '400 Bad Request';
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  socket.destroySoon();
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(force);
}
