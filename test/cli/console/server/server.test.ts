import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { clientsFor } from '../../../../cli/aws/clients';
import { connectionTo } from '../../../../cli/console/connection';
import { type ConsoleServer, serveConsole } from '../../../../cli/console/server/server';

const PAGE = { html: '<!doctype html><head></head>', script: '', style: '' };

describe('what the server of the page answers', () => {
  // No server listens there.
  const aws = clientsFor(
    { endpoint: 'http://127.0.0.1:1', region: 'us-east-1' },
    {},
    new AbortController().signal,
  );
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await serveConsole(
      PAGE,
      connectionTo(aws, { where: 'here', isLocal: true, stack: undefined }),
      0,
    );
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

  test.each(['//', '//[', '//evil.example/api/connection', '/%', '/workflows/x/keys/..'])(
    '%s: the page',
    async target => {
      expect(await ask(target)).toEqual({ status: 200, body: PAGE.html });
    },
  );

  test.each(['http://evil.example/api/connection', '*', '?'])(
    '%s, an address of no page: rejected',
    async target => {
      expect((await ask(target)).status).toBe(400);
    },
  );

  test.each([
    '/api/',
    '/api/live',
    '/api/live?of=',
    '/api/live?of=/connection&of=/nothing',
    `/api/live?${'of=/connection&'.repeat(5)}`,
    '/api/workflows/%/keys',
  ])('%s: there is no such view', async target => {
    expect(await ask(target)).toEqual({ status: 404, body: '{"error":"there is no such view"}' });
  });

  test('300 open streams: the oldest end, and the page answers', async () => {
    const { port, host } = new URL(server.url);
    let open = 0;
    const held = Array.from({ length: 300 }, (_, index) => {
      const asked = request({
        host: '127.0.0.1',
        port,
        path: `/api/live?of=/workflows/w${index}/keys`,
        headers: { host },
      });
      asked.on('response', answer => {
        open += 1;
        answer.on('error', () => undefined);
        answer.on('close', () => {
          open -= 1;
        });
        answer.resume();
      });
      asked.on('error', () => undefined);
      asked.end();
      return once(asked, 'response').catch(() => undefined);
    });
    await Promise.all(held);

    expect(await ask('/')).toEqual({ status: 200, body: PAGE.html });
    expect((await ask('/api/connection')).status).toBe(200);
    while (open > 32) await new Promise(setImmediate);
    expect(open).toBeGreaterThan(0);
  });

  test('HEAD of a stream: ends', async () => {
    expect(await ask('/api/live?of=/connection', 'HEAD')).toEqual({ status: 200, body: '' });
  });
});

describe('who may write by the page', () => {
  const aws = clientsFor(
    { endpoint: 'http://127.0.0.1:1', region: 'us-east-1' },
    {},
    new AbortController().signal,
  );
  const servers: ConsoleServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  afterAll(() => aws.close());

  const CALL = {
    request: { action: 'stop', executionArn: 'arn:aws:states:us-east-1:1:execution:m:e', isForGood: false },
    values: {},
    once: 'a',
  };

  /** A server, the token of its page, and what it answers to a request with these headers. */
  async function served(mayWrite: boolean) {
    const connection = connectionTo(aws, { where: 'here', isLocal: true, stack: undefined, mayWrite });
    const server = await serveConsole(PAGE, connection, 0);
    servers.push(server);
    const html = await (await fetch(server.url)).text();
    const [, token] = /name="onceflow-token" content="([^"]+)"/.exec(html) ?? [];
    const ask = async (headers: Record<string, string>, body = JSON.stringify(CALL)) => {
      const type = { 'content-type': 'application/json' };
      const answer = await fetch(`${server.url}/api/actions`, {
        method: 'POST',
        headers: { ...type, ...headers },
        body,
      });
      const text = await answer.text();
      return { status: answer.status, said: answer.status === 200 ? JSON.parse(text) : text };
    };
    return { token, url: server.url, ask };
  }

  test('the page itself: asked of the stack, which does not answer', async () => {
    const { token = '', url, ask } = await served(true);

    const own = { 'x-onceflow-token': token };
    for (const headers of [own, { ...own, origin: url, 'sec-fetch-site': 'same-origin' }]) {
      const { status, said } = await ask(headers);
      expect([status, said.kind]).toEqual([200, 'rejected']);
      expect(said.text).toMatch(/^DescribeExecution failed/);
    }
  });

  test('a foreign page, or another program: rejected, and nothing of what it sends is done', async () => {
    const { token = '', ask } = await served(true);
    const own = { 'x-onceflow-token': token };

    for (const [headers, sentence] of [
      [{}, /the token of the page is missing/],
      [{ 'x-onceflow-token': '' }, /the token of the page is missing/],
      [{ 'x-onceflow-token': `${token.slice(0, -1)}!` }, /the token of the page is missing/],
      [{ ...own, origin: 'http://evil.example' }, /Origin 'http:\/\/evil.example' is not this page's own/],
      [{ ...own, 'sec-fetch-site': 'cross-site' }, /other pages are not answered/],
      [{ ...own, 'content-type': 'text/plain' }, /the content type must be application\/json/],
    ] as const) {
      const { status, said } = await ask(headers);
      expect([headers, status]).toEqual([headers, 403]);
      expect(said).toMatch(sentence);
    }
  });

  test('what is none of its requests, or too large: rejected', async () => {
    const { token = '', ask } = await served(true);
    const own = { 'x-onceflow-token': token };

    expect((await ask(own, '{"request":{"action":"drop"}}')).status).toBe(400);
    expect((await ask(own, ' '.repeat(2 * 1024 * 1024))).status).toBe(413);
  });

  test('a page that only reads: has no token, and takes no request', async () => {
    const { token, ask } = await served(false);

    expect(token).toBeUndefined();
    const { status, said } = await ask({});
    expect(status).toBe(403);
    expect(said).toContain('--allow-writes');
  });
});
