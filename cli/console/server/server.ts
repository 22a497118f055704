import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Page } from '@onceflow/console';
import { act } from '../actions/act';
import type { Connection } from '../connection';
import { actionCallIn } from './action-call';
import { BODY_BYTES_MAX, rejectionOf, SECURITY_HEADERS, WriteGuard } from './guard';
import { stream } from './live';
import { routeFor } from './routes';
import { ViewPoller } from './view-polling';

/** A page that is served. */
export interface ConsoleServer {
  /** `http://127.0.0.1:8084` */
  readonly url: string;
  close(): Promise<void>;
}

/** What a browser needs, tabs and all. Of more connections the oldest ends, so that one who holds them stops no other. */
const CONNECTIONS_MAX = 256;
/** More tabs than a person looks at. Of more streams the oldest ends, and a page that is still there asks again. */
const STREAMS_MAX = 32;
/** What one tab shows at once, and more. */
const FOLLOWED_MAX = 4;

/** The page, its connection, and the guard of writes. */
interface Served {
  readonly page: Page;
  readonly connection: Connection;
  readonly poller: ViewPoller;
  /** The streams that are open, oldest first. */
  readonly streams: Set<ServerResponse>;
  readonly guard: WriteGuard;
}

/**
 * Serves the page and its views on a port of this machine, 0 for one that is free. It writes only if the connection
 * may
 * be written to, and only what its own page asks for.
 *
 * @throws the listening socket's error, e.g. with `code` EADDRINUSE
 */
export async function serveConsole(page: Page, connection: Connection, port: number): Promise<ConsoleServer> {
  const guard = new WriteGuard();
  const served = {
    page: connection.mayWrite ? { ...page, html: guard.pageOf(page.html) } : page,
    connection,
    poller: new ViewPoller(connection),
    streams: new Set<ServerResponse>(),
    guard,
  };
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    const { port: own } = server.address() as AddressInfo;
    answer(request, response, own, served).catch((error: unknown) => {
      const message = `internal error: ${error instanceof Error ? error.message : String(error)}`;
      if (!response.headersSent) send(response, 500, 'application/json', JSON.stringify({ error: message }));
      else response.destroy();
    });
  });
  server.on('connection', endingOldest(CONNECTIONS_MAX));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}`, close: () => close(server) };
}

/** Hears of connections, and ends the oldest of more than so many. */
function endingOldest(max: number): (socket: Socket) => void {
  const open = new Set<Socket>();
  return socket => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    const [oldest] = open;
    if (open.size > max) oldest?.destroy();
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  served: Served,
): Promise<void> {
  const { page, poller, streams } = served;
  const rejection = rejectionOf(request.headers, port);
  if (rejection !== undefined) return send(response, 403, 'text/plain', rejection);
  const asked = askedIn(request.url);
  if (request.method === 'POST' && asked?.pathname === '/api/actions') {
    return write(request, response, served);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return send(response, 405, 'text/plain', 'only /api/actions accepts writes');
  }
  if (asked === undefined)
    return send(response, 400, 'text/plain', 'the address of the request is not valid');
  const { pathname, searchParams } = asked;
  if (pathname === '/main.js') return send(response, 200, 'text/javascript', page.script);
  if (pathname === '/main.css') return send(response, 200, 'text/css', page.style);
  if (pathname === '/favicon.ico') return send(response, 204, 'image/x-icon', '');
  if (!pathname.startsWith('/api/')) return send(response, 200, 'text/html', page.html);
  const isLive = pathname === '/api/live';
  const addresses = isLive ? searchParams.getAll('of') : [`${pathname.slice('/api'.length)}${asked.search}`];
  const followed = addresses.flatMap(of => {
    const route = routeFor(of);
    return route === undefined ? [] : [{ of, route }];
  });
  const [first] = followed;
  if (first === undefined || followed.length < addresses.length || followed.length > FOLLOWED_MAX) {
    return send(response, 404, 'application/json', JSON.stringify({ error: 'there is no such view' }));
  }
  if (!isLive) {
    return send(response, 200, 'application/json', JSON.stringify(await poller.readOnce(first.route)));
  }
  response.writeHead(200, { ...SECURITY_HEADERS, 'content-type': 'text/event-stream' });
  if (request.method === 'HEAD') return void response.end();
  const [oldest] = streams;
  if (oldest && streams.size >= STREAMS_MAX) {
    streams.delete(oldest);
    oldest.destroy();
  }
  streams.add(response);
  await stream(poller, followed, response).finally(() => streams.delete(response));
}

/** Does what the page asks for. What it may not ask for is rejected before anything of it is read. */
async function write(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  const { connection, guard } = served;
  const reject = (status: number, error: string) => {
    response.setHeader('connection', 'close');
    send(response, status, 'application/json', JSON.stringify({ error }));
  };
  if (!connection.mayWrite) return reject(403, READ_ONLY);
  const rejection = guard.rejectionOf(request.headers);
  if (rejection !== undefined) return reject(403, rejection);
  const body = await bodyOf(request);
  if (body === undefined) return reject(413, `the request must not be longer than ${BODY_BYTES_MAX} bytes`);
  const call = actionCallIn(body);
  if (call === undefined) return reject(400, 'this is not a request of the page');
  send(response, 200, 'application/json', JSON.stringify(await act(connection, call)));
}

const READ_ONLY = 'this page only reads; to change something, run `onceflow console --allow-writes`';

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Path and query of a request; undefined where it is addressed to another host, as to a proxy, or cannot be read. */
function askedIn(target = '/'): URL | undefined {
  if (!target.startsWith('/')) return undefined;
  try {
    return new URL(`http://127.0.0.1${target}`);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...SECURITY_HEADERS, 'content-type': `${type}; charset=utf-8` });
  response.end(body);
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
