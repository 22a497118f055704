import type { Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { type Started, start, synthesize } from './world';

const { AuthorizationType } = apigateway;

/** Answers 200 automatically. */
function mock(template = '{"statusCode":200}'): apigateway.MockIntegration {
  return new apigateway.MockIntegration({
    requestTemplates: { 'application/json': template },
    integrationResponses: [{ statusCode: '200', responseTemplates: { 'application/json': '{"ok":true}' } }],
  });
}

function app(stack: Stack): void {
  const api = new apigateway.RestApi(stack, 'Api', { cloudWatchRole: false });
  const responses = { methodResponses: [{ statusCode: '200' }] };
  const closed = api.root.addResource('closed');
  closed.addMethod('POST', mock(), responses);
  const open = api.root.addResource('open');
  open.addMethod('POST', mock(), responses);
  open.addCorsPreflight({ allowOrigins: ['*'] });
  const signed = api.root.addResource('signed');
  signed.addMethod('POST', mock(), { ...responses, authorizationType: AuthorizationType.IAM });
  signed.addCorsPreflight({ allowOrigins: ['*'], allowHeaders: ['Authorization'] });
  const poison = '#if($input.body.matches("(a+)+b"))#end{"statusCode":200}';
  api.root.addResource('poison').addMethod('POST', mock(poison), responses);
}

let assembly: string;
let running: Started;
let url: string;

beforeAll(() => {
  assembly = synthesize(app);
});

async function begin(options: Parameters<typeof start>[1] = {}): Promise<void> {
  running = await start(assembly, options);
  url = running.stack.restApis[0]?.url ?? '';
}

async function post(path: string, headers: Record<string, string> = {}, body = '{}'): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

describe('a page of another origin', () => {
  const EVIL = { origin: 'https://evil.example' };
  const TOKEN = { authorization: 'Bearer token' };

  test.each<[path: string, what: string, headers: Record<string, string>, status: number]>([
    ['signed', 'no page', {}, 200],
    ['signed', 'a page', EVIL, 403],
    ['signed', 'a page without an origin', { origin: 'null' }, 403],
    ['signed', 'a page, by what the browser says', { 'sec-fetch-site': 'cross-site' }, 403],
    ['signed', 'a page of another port, by what the browser says', { 'sec-fetch-site': 'same-site' }, 403],
    ['signed', 'a page of its own', { 'sec-fetch-site': 'same-origin' }, 200],
    ['signed', 'an address that was typed', { 'sec-fetch-site': 'none' }, 200],
    ['signed', 'a page with a token', { ...EVIL, ...TOKEN }, 200],
    ['signed', 'a page with a password out of an address', { ...EVIL, authorization: 'Basic YTpi' }, 403],
    ['closed', 'no page', {}, 200],
    ['closed', 'a page', EVIL, 403],
    ['closed', 'a page with a token', { ...EVIL, ...TOKEN }, 403],
    ['open', 'a page', EVIL, 200],
  ])('POST /%s, %s: %j is answered %d', async (path, _, headers, status) => {
    await begin();

    expect((await post(path, headers)).status).toBe(status);
  });

  test('of its own origin: answered', async () => {
    await begin();

    expect((await post('signed', { origin: new URL(url).origin })).status).toBe(200);
  });

  test('a preflight: answered', async () => {
    await begin();

    expect((await fetch(`${url}signed`, { method: 'OPTIONS', headers: EVIL })).status).toBe(204);
  });

  test('where a function says who callers are: that decides', async () => {
    await begin({ httpPrincipal: ({ headers }) => headers.get('x-test-user') ?? undefined });

    expect((await post('signed', { ...EVIL, 'x-test-user': 'alice' })).status).toBe(200);
    expect((await post('signed', EVIL)).status).toBe(403);
  });
});

describe('a mapping template that takes for ever on a client’s text', () => {
  test('another request: answered meanwhile', async () => {
    await begin();
    let isEnded = false;
    const poisoned = post('poison', {}, 'a'.repeat(40)).finally(() => {
      isEnded = true;
    });
    const other = await post('open');

    expect({ status: other.status, isEnded }).toEqual({ status: 200, isEnded: false });
    expect((await poisoned).status).toBe(500);
  }, 60_000);
});
