import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { CfnOutput, type Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { advanceBy, runToEnd } from '../../index';
import { machine, type Started, start, synthesize } from './world';

const NEVER = apigateway.PassthroughBehavior.NEVER;

const INPUT =
  '{"stateMachineArn": "ARN", "input": "{' +
  [
    '\\"body\\": \\"$util.escapeJavaScript($util.escapeJavaScript($input.body).replaceAll("\\\\\'","\'")).replaceAll("\\\\\'","\'")\\"',
    '\\"id\\": \\"$input.params(\'id\')\\"',
    '\\"who\\": \\"$util.escapeJavaScript($context.identity.userArn).replaceAll("\\\\\'","\'")$context.authorizer.principalId\\"',
  ].join(', ') +
  '}"}';

const ANSWER = `#set($o = $util.parseJson($input.path('$.output')))#if($input.path('$.status') == "SUCCEEDED")
#set($context.responseOverride.status = $o.status)
#set($h = $context.responseOverride.header)
#if($o.headers.containsKey("Retry-After"))#set($h.Retry-After = $o.headers.get("Retry-After"))#end
$o.body#else{"error":"$input.path('$.error')"}#set($context.responseOverride.status = 500)#end`;

function shop(stack: Stack): void {
  const door = machine(
    stack,
    'Door',
    {
      Look: {
        Type: 'Choice',
        Choices: [
          { Condition: "{% $contains($states.input.body, 'slow') %}", Next: 'Slow' },
          { Condition: "{% $contains($states.input.body, 'fail') %}", Next: 'Fail' },
        ],
        Default: 'Answer',
      },
      Slow: { Type: 'Wait', Seconds: 40, Next: 'Answer' },
      Fail: { Type: 'Fail', Error: 'Broken' },
      Answer: {
        Type: 'Pass',
        End: true,
        Output: {
          status: 201,
          headers: { 'Retry-After': '7' },
          body: '{% $string({"got": $states.input}) %}',
        },
      },
    },
    { stateMachineType: sfn.StateMachineType.EXPRESS },
  );
  const api = new apigateway.RestApi(stack, 'Shop', {
    cloudWatchRole: false,
    defaultCorsPreflightOptions: {
      allowOrigins: ['https://shop.example'],
      allowHeaders: ['Idempotency-Key'],
    },
  });
  api.addGatewayResponse('WrongType', {
    type: apigateway.ResponseType.UNSUPPORTED_MEDIA_TYPE,
    responseHeaders: { 'X-Why': "'type'" },
    templates: { 'application/problem+json': '{"title":$context.error.messageString}' },
  });
  const integration = new apigateway.AwsIntegration({
    service: 'states',
    action: 'StartSyncExecution',
    options: {
      credentialsRole: undefined as never,
      passthroughBehavior: NEVER,
      requestTemplates: { 'application/json': INPUT.replace('ARN', door.stateMachineArn) },
      integrationResponses: [
        { statusCode: '200', responseTemplates: { 'application/json': ANSWER } },
        {
          statusCode: '503',
          selectionPattern: '4\\d\\d',
          responseTemplates: { 'application/json': '{"rejected":true}' },
        },
      ],
    },
  });
  const methodResponses = [{ statusCode: '200' }, { statusCode: '503' }];
  const payments = api.root.addResource('payments');
  payments.addMethod('POST', integration, { methodResponses });
  payments.addResource('{id}').addMethod('GET', integration, {
    methodResponses,
    authorizationType: apigateway.AuthorizationType.IAM,
  });
  const code = `exports.handler = async event => event.type === 'TOKEN'
    ? { principalId: event.authorizationToken, policyDocument: { Statement: [
        { Action: "execute-api:*", Effect: event.authorizationToken === "mallory" ? "Deny" : "Allow",
          Resource: "*" }] } }
    : { statusCode: 202, headers: { 'X-Path': event.pathParameters.proxy }, body: event.body };`;
  const echo = new LambdaFunction(stack, 'Echo', {
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromInline(code),
  });
  const files = api.root.addResource('files');
  files.addProxy({ defaultIntegration: new apigateway.LambdaIntegration(echo) });
  files.addMethod('GET', integration, {
    methodResponses,
    authorizer: new apigateway.TokenAuthorizer(stack, 'Token', { handler: echo }),
  });
  api.root.addResource('away').addMethod('GET', new apigateway.HttpIntegration('http://example.com/'));
  new apigateway.RestApi(stack, 'Other', { cloudWatchRole: false }).root.addMethod('GET');
  new CfnOutput(stack, 'Url', { value: api.urlForPath('/payments') });
}

let assembly: string;
let app: Started;
let url: string;

beforeAll(() => {
  assembly = synthesize(shop);
});

async function begin(options: Parameters<typeof start>[1] = {}): Promise<void> {
  app = await start(assembly, options);
  url = app.stack.restApis[0]?.url ?? '';
}

function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Response> {
  return fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (body: string, headers: Record<string, string> = JSON_TYPE) =>
  send('POST', 'payments', headers, body);

/** A request that `fetch` would not send, byte for byte, and the head of its answer. */
async function sendRaw(head: readonly string[], body = ''): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(
    `${[...head, `Content-Length: ${body.length}`, 'Connection: close', '', ''].join('\r\n')}${body}`,
  );
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

describe('an API with an action of Step Functions', () => {
  beforeEach(() => begin());

  test('a request: its body reaches the machine, and the answer has status, headers and body of the output', async () => {
    const body = '{"it\'s": "a \\"body\\" / é 😀 \\\\"}';
    const answer = await post(body);

    expect(answer.status).toBe(201);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('date')).toBe('Fri, 20 Nov 2026 09:00:00 GMT');
    expect(await answer.json()).toEqual({ got: { body, id: '', who: '' } });
  });

  test('an execution that fails: the template says so, for the call was answered with 200', async () => {
    const answer = await post('fail');

    expect([answer.status, await answer.text()]).toEqual([500, '{"error":"Broken"}']);
  });

  test('input that Step Functions rejects: the integration response for 4xx', async () => {
    const answer = await post('x'.repeat(300_000));

    expect([answer.status, await answer.json()]).toEqual([503, { rejected: true }]);
  });

  test('another content type: 415 as the gateway response words it; none counts as JSON', async () => {
    const rejected = await post('hello', { 'content-type': 'text/plain' });

    expect(rejected.status).toBe(415);
    expect(rejected.headers.get('x-why')).toBe('type');
    expect(rejected.headers.get('content-type')).toBe('application/problem+json');
    expect(await rejected.json()).toEqual({ title: 'Unsupported Media Type' });
    const taken = await sendRaw([`POST ${new URL(url).pathname}payments HTTP/1.1`, 'Host: localhost'], '{}');
    expect(taken).toMatch(/^HTTP\/1.1 201 /);
  });

  test('a path or a method that is not there: 403', async () => {
    for (const [method, path] of [
      ['PUT', 'payments'],
      ['GET', 'nowhere'],
    ] as const) {
      const answer = await send(method, path);
      expect([answer.status, await answer.json()]).toEqual([
        403,
        { message: 'Missing Authentication Token' },
      ]);
    }
  });

  test('a method whose integration is not run here: 501 with its name, and nothing else stops', async () => {
    const answer = await send('GET', 'away');

    expect([answer.status, await answer.json()]).toEqual([
      501,
      {
        message:
          'GET /away is not run here: it has an integration of type HTTP_PROXY with http://example.com/',
      },
    ]);
  });

  test('a slow execution: 504 when the integration has had its time, and the execution goes on', async () => {
    const pending = post('slow');
    while (app.stack.runtime.running().length === 0) await new Promise(setImmediate);
    await advanceBy(app.stack.runtime, app.clock, 29_000);

    const answer = await pending;
    expect([answer.status, await answer.json()]).toEqual([504, { message: 'Endpoint request timed out' }]);
    expect(app.stack.runtime.running()).toHaveLength(1);
    await runToEnd(app.stack.runtime, app.clock);
    expect(app.stack.runtime.running()).toHaveLength(0);
  });

  test('bounds: a body of more than 10 MB, also decompressed, 413; a head of more than 10,240 bytes 431', async () => {
    const large = 'x'.repeat(10 * 1024 * 1024 + 1);
    const answer = await post(large);
    expect([answer.status, await answer.json()]).toEqual([413, { message: 'Request Too Long' }]);
    const zipped = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    const packed = await fetch(`${url}payments`, { method: 'POST', headers: zipped, body: gzipSync(large) });
    expect(packed.status).toBe(413);
    const unpacked = await fetch(`${url}payments`, {
      method: 'POST',
      headers: zipped,
      body: gzipSync('{"a":1}'),
    });
    expect(await unpacked.json()).toMatchObject({ got: { body: '{"a":1}' } });
    const long = await sendRaw([`GET / HTTP/1.1`, 'Host: localhost', `X-Long: ${'x'.repeat(10_240)}`]);
    expect(long).toMatch(/^HTTP\/1.1 431 /);
  });

  test('a host that is not this machine, or a stage that is not there: rejected', async () => {
    const path = new URL(url).pathname;
    const foreign = await sendRaw([`POST ${path}payments HTTP/1.1`, 'Host: evil.example'], '{}');
    expect(foreign).toMatch(/^HTTP\/1.1 403 [\s\S]*evil\.example/);
    expect((await fetch(new URL('/test/payments', url))).status).toBe(403);
  });

  test('a page of another origin: what its preflight asked for is answered by the MOCK', async () => {
    const answer = await send('OPTIONS', 'payments', { origin: 'https://shop.example' });

    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(answer.headers.get('access-control-allow-headers')).toBe('Idempotency-Key');
  });

  test('a port that is taken: said, with the API that it is for', async () => {
    const taken = Number(new URL(url).port);

    await expect(start(assembly, { httpPort: taken })).rejects.toThrow(
      `port ${taken} of 127.0.0.1, for the REST API Shop, is in use`,
    );
  });

  test('a port that is none: said, with the API that would be there', async () => {
    await expect(start(assembly, { httpPort: 65_535 })).rejects.toMatchObject({
      name: 'LocalError',
      message: expect.stringMatching(/the REST API \w+ would be on port 65536; ports are whole numbers/),
    });
  });

  test('the stack output: leads to the API', () => {
    expect(app.stack.output('Url')).toBe(`${url}payments`);
    const [outputs] = Object.values(app.stack.outputs);
    expect(outputs).toMatchObject({ Url: `${url}payments` });
    const [, other] = app.stack.restApis;
    expect(app.stack.restApis).toMatchObject([
      { name: 'Shop', stage: 'prod' },
      { name: 'Other', methods: ['GET /'] },
    ]);
    expect(new URL(other?.url ?? '').port).not.toBe(new URL(url).port);
    expect(app.stack.restApis[0]?.methods).toContain('POST /payments');
  });

  test('what a method starts: told where its template names a state machine', () => {
    const [shopApi, other] = app.stack.restApis;
    const stateMachineArn = expect.stringMatching(/:stateMachine:Door/);

    expect(shopApi?.starts).toEqual(
      expect.arrayContaining([
        { method: 'POST /payments', stateMachineArn },
        { method: 'GET /payments/{id}', stateMachineArn },
      ]),
    );
    expect(shopApi?.starts).toHaveLength(3);
    expect(other?.starts).toEqual([]);
  });
});

describe('who the caller is', () => {
  test('a method that asks IAM: whom the stack takes callers for', async () => {
    await begin();
    const answer = await send('GET', 'payments/7', { authorization: 'AWS4-HMAC-SHA256 forged' });

    const who = 'arn:aws:iam::111111111111:user/local';
    expect(await answer.json()).toEqual({ got: { body: '{}', id: '7', who } });
  });

  test('the test names the caller of each request: one without a caller is rejected', async () => {
    await begin({ httpPrincipal: ({ headers }) => headers.get('x-test-user') ?? undefined });
    const alice = await send('GET', 'payments/7', { 'x-test-user': 'alice' });
    const nobody = await send('GET', 'payments/7');

    expect(await alice.json()).toMatchObject({ got: { who: 'arn:aws:iam::111111111111:user/alice' } });
    expect(nobody.status).toBe(403);
    const path = new URL(url).pathname;
    const named = ['Host: localhost', 'X-Test-User: bob', 'X-Name: 中'];
    expect(await sendRaw([`GET ${path}payments/7 HTTP/1.1`, ...named])).toContain('user/bob');
  });

  test('a Lambda authorizer: asked with the token, its principal is in $context, and its policy counts', async () => {
    await begin();
    const alice = await send('GET', 'files', { authorization: 'alice' });

    expect(await alice.json()).toMatchObject({ got: { who: 'alice' } });
    expect((await send('GET', 'files', { authorization: 'mallory' })).status).toBe(403);
    expect((await send('GET', 'files')).status).toBe(401);
  });
});

describe('a Lambda proxy', () => {
  test('a request: the function gets it whole, and answers it', async () => {
    await begin();
    const answer = await send('POST', 'files/a/b%20c', {}, 'hello');

    expect([answer.status, await answer.text()]).toEqual([202, 'hello']);
    expect(answer.headers.get('x-path')).toBe('a/b c');
  });
});
