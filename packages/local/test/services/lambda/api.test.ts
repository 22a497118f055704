import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Api } from '../../../api/server';
import { createLambdaFunctions } from '../../../services/lambda/functions';
import { type ApiWorld, openApi } from '../../api/test-endpoint';

const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-api-test-'));
let world: ApiWorld;

beforeAll(async () => {
  const code = `exports.handler = async event => {
    if (event.fail) throw new TypeError('no');
    for (let line = 0; line < event.lines; line += 1) console.log('line ' + line);
    return { got: event };
  }`;
  writeFileSync(path.join(directory, 'index.js'), code);
  const spec = { directory, handler: 'index.handler', timeoutSeconds: 3, memoryMb: 128, environment: {} };
  const functions = createLambdaFunctions({
    functions: [{ ...spec, name: 'echo', arn: 'arn:aws:lambda:us-east-1:111111111111:function:echo' }],
  });
  world = await openApi({ functions });
});

afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

const REQUEST_ID = '[0-9a-f-]{36}';

interface Invoked {
  readonly status: number;
  readonly error: string | null;
  readonly version: string | null;
  readonly text: string;
  readonly log: string | null;
}

async function invoke(
  { endpoint }: Api,
  nameAndQuery: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Invoked> {
  const [name, query = ''] = nameAndQuery.split('?');
  const url = `${endpoint}/2015-03-31/functions/${name}/invocations?${query}`;
  const response = await fetch(url, {
    method: 'POST',
    // Bytes, to which `fetch` adds no type of its own.
    body: Buffer.from(body),
    headers: { 'content-type': 'application/octet-stream', ...headers },
  });
  return {
    status: response.status,
    error: response.headers.get('x-amz-function-error') ?? response.headers.get('x-amzn-errortype'),
    version: response.headers.get('x-amz-executed-version'),
    text: await response.text(),
    log: response.headers.get('x-amz-log-result'),
  };
}

/** The log that Invoke answers with. */
async function logOf(event: object): Promise<string> {
  const { log } = await invoke(world.api, 'echo', JSON.stringify(event), { 'x-amz-log-type': 'Tail' });
  return Buffer.from(log ?? '', 'base64').toString();
}

describe('Lambda Invoke on the endpoint', () => {
  const ARN = encodeURIComponent('arn:aws:lambda:us-east-1:111111111111:function:echo');
  const type = (name: string) => ({ 'x-amz-invocation-type': name });

  test.each<[string, string, string, Record<string, string>, Partial<Invoked>]>([
    [
      'by name',
      'echo',
      '{"n":1}',
      {},
      { status: 200, error: null, version: '$LATEST', text: '{"got":{"n":1}}' },
    ],
    ['by ARN', ARN, '[1]', {}, { status: 200, text: '{"got":[1]}' }],
    ['no payload: an empty object', 'echo', '', {}, { status: 200, text: '{"got":{}}' }],
    ['with $LATEST', 'echo?Qualifier=%24LATEST', '1', {}, { status: 200, text: '{"got":1}' }],
    ['with another qualifier', 'echo?Qualifier=live', '1', {}, { status: 404 }],
    ['the function throws', 'echo', '{"fail":true}', {}, { status: 200, error: 'Unhandled' }],
    ['an event', 'echo', '{}', type('Event'), { status: 202, text: '' }],
    ['a dry run', 'echo', '{}', type('DryRun'), { status: 204, text: '' }],
    ['another type', 'echo', '{}', type('Other'), { status: 400, error: 'ValidationException' }],
    ['no such function', 'none', '{}', {}, { status: 404, error: 'ResourceNotFoundException' }],
    ['no such function, an event', 'none', '{}', type('Event'), { status: 404 }],
    ['no JSON', 'echo', '{', {}, { status: 400, error: 'InvalidRequestContentException' }],
    ['7 MB', 'echo', `"${'x'.repeat(7_000_000)}"`, {}, { status: 413 }],
  ])('%s', async (_case, name, body, headers, expected) => {
    expect(await invoke(world.api, name, body, headers)).toMatchObject(expected);
  });

  test.each<[string, Record<string, string>, number]>([
    ['JSON', { 'content-type': 'application/json; charset=utf-8' }, 200],
    ['bytes, as SDKs send it', { 'content-type': 'application/octet-stream' }, 200],
    ['none, but signed, as boto3 sends it', { authorization: 'AWS4-HMAC-SHA256 x' }, 200],
    ['none', {}, 415],
    ['text, as a page may send it', { 'content-type': 'text/plain;charset=UTF-8' }, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a form with files', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
  ])('content type %s: %o answers %d', async (_case, headers, status) => {
    const url = `${world.api.endpoint}/2015-03-31/functions/echo/invocations`;
    const response = await fetch(url, { method: 'POST', body: Buffer.from('{}'), headers });

    expect(response.status).toBe(status);
  });

  test('LogType Tail: the log of the invocation, with the lines of the service', async () => {
    expect(await logOf({ lines: 2 })).toMatch(
      new RegExp(
        `^START RequestId: ${REQUEST_ID} Version: \\$LATEST\n(.*line 0)\n(.*line 1)\nEND RequestId: ${REQUEST_ID}\n` +
          `REPORT RequestId: ${REQUEST_ID}\tDuration: [\\d.]+ ms\tBilled Duration: \\d+ ms\tMemory Size: 128 MB\n$`,
      ),
    );
  });

  test('LogType Tail of a function that throws: what it wrote', async () => {
    expect(await logOf({ fail: true })).toMatch(/^START RequestId: .*\n(.*\n)*END RequestId: /);
  });

  test('no LogType: no log; another one than there is: rejected', async () => {
    expect(await invoke(world.api, 'echo', '{}')).toMatchObject({ status: 200, log: null });
    expect(await invoke(world.api, 'echo', '{}', { 'x-amz-log-type': 'Other' })).toMatchObject({
      status: 400,
      error: 'ValidationException',
    });
  });

  test('what the function threw: the payload says', async () => {
    const { text } = await invoke(world.api, 'echo', '{"fail":true}');

    expect(JSON.parse(text)).toMatchObject({ errorType: 'TypeError', errorMessage: 'no' });
  });
});
