import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { clientsFor } from '../../../cli/aws/clients';
import { placeAt } from '../../../cli/console/read-views';
import { type ConsoleServer, serveConsole } from '../../../cli/console/server';

const PAGE = { html: '<!doctype html>', script: '', style: '' };

describe('what the server of the page answers', () => {
  // Nobody listens there.
  const aws = clientsFor(
    { endpoint: 'http://127.0.0.1:1', region: 'us-east-1' },
    {},
    new AbortController().signal,
  );
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await serveConsole(PAGE, placeAt(aws, { where: 'here', isLocal: true, stack: undefined }), 0);
  });
  afterAll(async () => {
    await server.close();
    aws.close();
  });

  /** Sends a request target as it is, which no client of the web does. */
  const ask = async (target: string, method = 'GET') => {
    const { port } = new URL(server.url);
    const asked = request({
      host: '127.0.0.1',
      port,
      path: target,
      method,
      headers: { host: `127.0.0.1:${port}` },
    });
    asked.end();
    const [answer] = await once(asked, 'response');
    return { status: answer.statusCode, body: await text(answer) };
  };

  test.each(['//', '//[', '//evil.example/api/place', '/%', '/workflows/x/keys/..'])(
    '%s: the page',
    async target => {
      expect(await ask(target)).toEqual({ status: 200, body: PAGE.html });
    },
  );

  test.each(['http://evil.example/api/place', '*', '?'])(
    '%s, an address of no page: refused',
    async target => {
      expect((await ask(target)).status).toBe(400);
    },
  );

  test.each([
    '/api/',
    '/api/live',
    '/api/live?of=',
    '/api/live?of=/place&of=/nothing',
    `/api/live?${'of=/place&'.repeat(5)}`,
    '/api/workflows/%/keys',
  ])('%s: there is no such view', async target => {
    expect(await ask(target)).toEqual({ status: 404, body: '{"error":"there is no such view"}' });
  });

  test('HEAD of a stream: ends', async () => {
    expect(await ask('/api/live?of=/place', 'HEAD')).toEqual({ status: 200, body: '' });
  });
});
