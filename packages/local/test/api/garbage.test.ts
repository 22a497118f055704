import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type ApiWorld, call, openApi } from './test-endpoint';

let world: ApiWorld;
/** Soon gives up on who is slow. On a busy machine a large body can be that, so it is an endpoint of its own. */
let impatient: ApiWorld;

beforeAll(async () => {
  world = await openApi();
  impatient = await openApi({ headMs: 300, requestMs: 600 });
});

afterAll(() => Promise.all([world.close(), impatient.close()]));

/** After every test: the endpoint still answers, and nothing was reported as broken. */
afterEach(async () => {
  for (const { api, problems } of [world, impatient]) {
    expect(await call(api, 'AWSStepFunctions.ListStateMachines', {})).toMatchObject({
      status: 200,
      body: { stateMachines: [] },
    });
    expect(problems).toEqual([]);
  }
});

const JSON_HEADERS = 'host: 127.0.0.1\r\ncontent-type: application/x-amz-json-1.0\r\n';
const LIST = 'x-amz-target: AWSStepFunctions.ListStateMachines\r\n';

/** Sends bytes over a connection of its own and resolves to all that comes back until it is closed. */
function send(...parts: readonly (string | Buffer)[]): Promise<string> {
  return sendTo(world, ...parts);
}

async function sendTo({ api }: ApiWorld, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(Number(new URL(api.endpoint).port), '127.0.0.1');
  let answer = '';
  socket.on('data', chunk => {
    answer += String(chunk);
  });
  socket.on('error', () => undefined);
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  return answer;
}

function post(headers: string, body: string): string {
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `POST / HTTP/1.1\r\n${headers}${length}connection: close\r\n\r\n${body}`;
}

function parsed(answer: string): { status: number; type: string | undefined } {
  const status = Number(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
  const type = /"__type":"[^"#]*#(\w+)"/.exec(answer)?.[1];
  return { status, type };
}

describe('a request that no client makes', () => {
  const UNKNOWN = 'UnknownOperationException';
  const UNREADABLE = 'SerializationException';
  const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

  test.each<[string, string, number, string | undefined]>([
    ['truncated JSON', post(JSON_HEADERS + LIST, '{"maxResults": '), 400, UNREADABLE],
    ['no JSON', post(JSON_HEADERS + LIST, 'maxResults=1'), 400, UNREADABLE],
    ['JSON that is not an object', post(JSON_HEADERS + LIST, '[1]'), 400, UNREADABLE],
    ['JSON nested a hundred thousand times', post(JSON_HEADERS + LIST, deep(100_000)), 400, UNREADABLE],
    ['JSON nested a thousand times: read', post(JSON_HEADERS + LIST, deep(999)), 200, undefined],
    ['JSON nested once more', post(JSON_HEADERS + LIST, deep(1000)), 400, UNREADABLE],
    [
      'brackets in a text, behind a quote in it: no nesting',
      post(JSON_HEADERS + LIST, JSON.stringify({ a: `"${'['.repeat(2000)}` })),
      200,
      undefined,
    ],
    ['a member of another type', post(JSON_HEADERS + LIST, '{"maxResults":"1"}'), 400, UNREADABLE],
    ['a member out of bounds', post(JSON_HEADERS + LIST, '{"maxResults":1001}'), 400, 'ValidationException'],
    ['no body: as an empty object', post(JSON_HEADERS + LIST, ''), 200, undefined],
    ['no target', post(JSON_HEADERS, '{}'), 400, UNKNOWN],
    ['a service that is not here', post(`${JSON_HEADERS}x-amz-target: Other.X\r\n`, '{}'), 400, UNKNOWN],
    [
      'an operation that is not there',
      post(`${JSON_HEADERS}x-amz-target: AWSStepFunctions.X\r\n`, '{}'),
      400,
      UNKNOWN,
    ],
    [
      'a name all objects have',
      post(`${JSON_HEADERS}x-amz-target: AWSStepFunctions.toString\r\n`, '{}'),
      400,
      UNKNOWN,
    ],
    ['a form', post(`host: localhost\r\ncontent-type: text/plain\r\n${LIST}`, '{}'), 400, UNREADABLE],
    ['GET', `GET / HTTP/1.1\r\n${JSON_HEADERS}connection: close\r\n\r\n`, 400, UNKNOWN],
    [
      'another path',
      `POST /x HTTP/1.1\r\n${JSON_HEADERS}content-length: 0\r\nconnection: close\r\n\r\n`,
      400,
      UNKNOWN,
    ],
    ['no Host', 'POST / HTTP/1.1\r\nconnection: close\r\n\r\n', 400, undefined],
    ['no HTTP', 'hello\r\n\r\n', 400, undefined],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, undefined],
    ['headers of 100 KB', `POST / HTTP/1.1\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`, 431, undefined],
  ])('%s: status and type as AWS, nothing of ours', async (_case, bytes, status, type) => {
    const answer = await send(bytes);

    expect(parsed(answer)).toEqual({ status, type });
    expect(answer).not.toMatch(/\bat .*\.ts\b|node:internal/);
  });
});

describe('who may ask', () => {
  const from = (headers: string) =>
    post(`${headers}content-type: application/x-amz-json-1.0\r\n${LIST}`, '{}');

  test.each<[string, number]>([
    ['host: 127.0.0.1', 200],
    ['host: 127.0.0.1:8083', 200],
    ['host: localhost:1', 200],
    ['host: LOCALHOST', 200],
    ['host: [::1]:8083', 200],
    ['host: sync-127.0.0.1:8083', 200],
    ['host: sync-localhost', 200],
    ['host: localhost:8083\r\norigin: http://localhost:8083', 200],
    ['host: 127.0.0.1:8083\r\norigin: http://127.0.0.1:8083', 200],
    ['host: localhost:8083\r\norigin: http://localhost:3000', 403],
    ['host: localhost:8083\r\norigin: http://127.0.0.1:8083', 403],
    ['host: localhost:8083\r\norigin: https://localhost:8083', 403],
    ['host: localhost:8083\r\norigin: http://localhost', 403],
    ['host: example.com', 403],
    ['host: localhost.example.com', 403],
    ['host: 127.0.0.1.nip.io', 403],
    ['host: evil-127.0.0.1', 403],
    ['host: localhost:80@example.com', 403],
    ['host: 0.0.0.0:8083', 403],
    ['host: ', 403],
    ['host: localhost\r\norigin: https://example.com', 403],
    ['host: localhost\r\norigin: http://localhost.example.com', 403],
    ['host: localhost\r\norigin: null', 403],
    ['host: localhost\r\norigin: ', 403],
  ])('%j: %d', async (headers, status) => {
    expect(parsed(await send(from(`${headers}\r\n`))).status).toBe(status);
  });

  test('who comes over another address than the one of the endpoint: not even connected', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap(one => one ?? []);
    const ofNetwork = addresses.find(({ internal, family }) => !internal && family === 'IPv4');
    // Without a network, on Linux: the loopback has this one, too.
    const other = ofNetwork?.address ?? '127.0.0.2';
    const socket = connect(Number(new URL(world.api.endpoint).port), other);

    const [error] = await once(socket, 'error');

    expect(error).toMatchObject({ syscall: 'connect' });
  });

  test('a stranger with an unknown target and broken JSON: rejected before either is read', async () => {
    const answer = await send(post('host: example.com\r\nx-amz-target: Other.X\r\n', '{'));

    expect(parsed(answer)).toEqual({ status: 403, type: 'AccessDeniedException' });
  });
});

describe('bodies and connections', () => {
  test('bytes that are no UTF-8: rejected, and not read as something else', async () => {
    const body = Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')]);
    const headers = `${JSON_HEADERS}${LIST}content-length: ${body.length}\r\nconnection: close\r\n\r\n`;

    const answer = await send(`POST / HTTP/1.1\r\n${headers}`, body);

    expect(parsed(answer)).toEqual({ status: 400, type: 'SerializationException' });
  });

  test('10 MB for Step Functions: 413, read or not', async () => {
    const body = JSON.stringify({ definition: 'x'.repeat(10 * 1024 * 1024) });

    expect(parsed(await send(post(JSON_HEADERS + LIST, body)))).toEqual({
      status: 413,
      type: 'RequestEntityTooLargeException',
    });
    expect(parsed(await send(post(`${JSON_HEADERS}x-amz-target: No.No\r\n`, body))).status).toBe(400);
  });

  test('1 MiB exactly: read; a byte more: not', async () => {
    const padded = (bytes: number) => `{"x":"${'x'.repeat(bytes - '{"x":""}'.length)}"}`;

    expect(parsed(await send(post(JSON_HEADERS + LIST, padded(1_048_576)))).status).toBe(200);
    expect(parsed(await send(post(JSON_HEADERS + LIST, padded(1_048_577)))).status).toBe(413);
  });

  test('a connection on which nothing is said: closed', async () => {
    expect(parsed(await sendTo(impatient)).status).toBe(408);
  });

  test('a head that stops in the middle: closed', async () => {
    expect(parsed(await sendTo(impatient, 'POST / HTTP/1.1\r\nhost: local')).status).toBe(408);
  });

  test('a body that stops in the middle: closed', async () => {
    const head = `POST / HTTP/1.1\r\n${JSON_HEADERS}${LIST}content-length: 100\r\n\r\n`;

    const answer = await sendTo(impatient, `${head}{"max`);

    expect(answer).toMatch(/^$|^HTTP\/1\.1 408 /);
  });

  test('a client that goes away in the middle of its body: no trace', async () => {
    const socket = connect(Number(new URL(world.api.endpoint).port), '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\n${JSON_HEADERS}${LIST}content-length: 100\r\n\r\n{"max`, () =>
      socket.destroy(),
    );

    await once(socket, 'close');
  });

  test('two requests in one write: two answers in order', async () => {
    const request = `POST / HTTP/1.1\r\n${JSON_HEADERS}${LIST}content-length: 2\r\n\r\n{}`;

    const answer = await send(request, post(JSON_HEADERS, '{}'));

    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});
