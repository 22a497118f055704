import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { clientsFor } from '../../../../cli/aws/clients';
import { connectionTo } from '../../../../cli/console/connection';
import { type ConsoleServer, serveConsole } from '../../../../cli/console/server/server';

const PAGE = { html: '<!doctype html><head></head>', script: '', style: '' };

describe('a client that holds', () => {
  const aws = clientsFor(
    { endpoint: 'http://127.0.0.1:1', region: 'us-east-1' },
    {},
    new AbortController().signal,
  );
  let server: ConsoleServer;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    server = await serveConsole(
      PAGE,
      connectionTo(aws, { where: 'here', isLocal: true, stack: undefined }),
      0,
    );
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.close();
  });
  afterAll(() => aws.close());

  test.each([
    ['streams', 'GET /api/live?of=/executions HTTP/1.1\r\nHost: HOST\r\n\r\n'],
    ['connections without a request', ''],
    ['connections with the beginning of a request', 'GET / HTTP/1.1\r\nHo'],
    ['answered connections', 'GET /favicon.ico HTTP/1.1\r\nHost: HOST\r\n\r\n'],
  ])('292 %s: the page comes all the same', async (_case, sent) => {
    const { port, host } = new URL(server.url);
    for (let each = 0; each < 292; each += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.resume();
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(sent.replace('HOST', host));
    }

    const { status } = await fetch(server.url);

    expect(status).toBe(200);
  });
});
