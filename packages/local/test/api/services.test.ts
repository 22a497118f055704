import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Api } from '../../api/server';
import { advanceBy } from '../../runtime/drive';
import { createEventBuses } from '../../services/events/buses';
import { createLambdaFunctions } from '../../services/lambda/functions';
import { type ApiWorld, call, openApi } from './world';

const ENVIRONMENT = { region: 'us-east-1', account: '111111111111' };
const delivered: string[] = [];
const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-api-test-'));
let world: ApiWorld;

beforeAll(async () => {
  const code = `exports.handler = async event => {
    if (event.fail) throw new TypeError('no');
    return { got: event };
  }`;
  writeFileSync(path.join(directory, 'index.js'), code);
  const clock = { now: () => 0, at: () => () => undefined };
  const rule = { name: 'all', eventBusName: 'orders', pattern: { source: ['shop'] }, enabled: true };
  const arn = 'arn:aws:states:us-east-1:111111111111:stateMachine:m';
  const eventBuses = createEventBuses({
    ...ENVIRONMENT,
    buses: ['orders'],
    rules: [
      { ...rule, arn: 'arn:aws:events:us-east-1:111111111111:rule/orders/all', targets: [{ id: 't', arn }] },
    ],
    deliver: async (_target, input) => delivered.push(input),
    clock,
    newId: () => '00000000-0000-4000-8000-000000000000',
  });
  const spec = { directory, handler: 'index.handler', timeoutSeconds: 3, memoryMb: 128, environment: {} };
  const functions = createLambdaFunctions({
    functions: [{ ...spec, name: 'echo', arn: 'arn:aws:lambda:us-east-1:111111111111:function:echo' }],
  });
  world = await openApi({ eventBuses, functions });
});

afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('EventBridge on the endpoint', () => {
  const put = (body: unknown) => call(world.api, 'AWSEvents.PutEvents', body);
  const Entry = { Source: 'shop', DetailType: 'Placed', Detail: '{"n":1}', EventBusName: 'orders' };

  test('an event: its id, and it is delivered', async () => {
    const { status, headers, body } = await put({ Entries: [Entry] });

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/x-amz-json-1.1');
    expect(body).toEqual({
      Entries: [{ EventId: '00000000-0000-4000-8000-000000000000' }],
      FailedEntryCount: 0,
    });
    expect(JSON.parse(delivered[0] ?? '')).toMatchObject({ source: 'shop', detail: { n: 1 } });
  });

  test('an entry without JSON: that entry fails, the request does not', async () => {
    const { body } = await put({ Entries: [{ ...Entry, Detail: '{' }] });

    expect(body).toMatchObject({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'MalformedDetail' }] });
  });

  test('no entry: the whole request is refused', async () => {
    const { status, body } = await put({ Entries: [] });

    expect(status).toBe(400);
    expect(body).toMatchObject({ __type: 'com.amazon.coral.validate#ValidationException' });
  });

  test('another operation: unknown', async () => {
    expect((await call(world.api, 'AWSEvents.PutRule', {})).status).toBe(400);
  });
});

interface Invoked {
  readonly status: number;
  readonly error: string | null;
  readonly version: string | null;
  readonly text: string;
}

async function invoke(
  { endpoint }: Api,
  nameAndQuery: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Invoked> {
  const [name, query = ''] = nameAndQuery.split('?');
  const url = `${endpoint}/2015-03-31/functions/${name}/invocations?${query}`;
  const response = await fetch(url, { method: 'POST', body, headers });
  return {
    status: response.status,
    error: response.headers.get('x-amz-function-error') ?? response.headers.get('x-amzn-errortype'),
    version: response.headers.get('x-amz-executed-version'),
    text: await response.text(),
  };
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

  test('what the function threw: the payload says', async () => {
    const { text } = await invoke(world.api, 'echo', '{"fail":true}');

    expect(JSON.parse(text)).toMatchObject({ errorType: 'TypeError', errorMessage: 'no' });
  });
});

describe('SQS on the endpoint', () => {
  const sqs = (operation: string, body: unknown) => call(world.api, `AmazonSQS.${operation}`, body);

  test('create, find, send, receive, delete', async () => {
    const { body: created } = await sqs('CreateQueue', { QueueName: 'q' });
    const { body: found } = await sqs('GetQueueUrl', { QueueName: 'q' });
    expect(found).toEqual(created);
    const { QueueUrl } = created as { QueueUrl: string };
    expect(QueueUrl).toMatch(/\/111111111111\/q$/);
    expect((await sqs('ListQueues', {})).body).toEqual({ QueueUrls: [QueueUrl] });

    const { body: sent } = await sqs('SendMessage', { QueueUrl, MessageBody: 'hello' });
    const { body: received } = await sqs('ReceiveMessage', { QueueUrl, VisibilityTimeout: 10 });
    const { Messages } = received as { Messages: { ReceiptHandle: string }[] };
    expect(Messages).toMatchObject([
      { Body: 'hello', MD5OfBody: '5d41402abc4b2a76b9719d911017c592', ...idOf(sent) },
    ]);
    expect((await sqs('ReceiveMessage', { QueueUrl })).body).toEqual({});

    await sqs('DeleteMessage', { QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle });
    await advanceBy(world.runtime, world.clock, 11_000);
    expect((await sqs('ReceiveMessage', { QueueUrl })).body).toEqual({});
  });

  test.each<[string, object, string[] | undefined]>([
    ['none', {}, undefined],
    ['one', { MessageSystemAttributeNames: ['SentTimestamp'] }, ['SentTimestamp']],
    [
      'all, by the older name',
      { AttributeNames: ['All'] },
      ['SentTimestamp', 'ApproximateReceiveCount', 'ApproximateFirstReceiveTimestamp'],
    ],
    ['one that is not kept here', { AttributeNames: ['SenderId'] }, undefined],
  ])('attributes of a message, %s asked for: these and no others', async (_case, asked, names) => {
    const QueueName = 'attributes';
    const { QueueUrl } = (await sqs('CreateQueue', { QueueName })).body as { QueueUrl: string };
    await sqs('SendMessage', { QueueUrl, MessageBody: 'hello' });

    const { body } = await sqs('ReceiveMessage', { QueueUrl, ...asked });

    const [message] = (body as { Messages: { Attributes?: object; ReceiptHandle: string }[] }).Messages;
    expect(message?.Attributes && Object.keys(message.Attributes)).toEqual(names);
    await sqs('DeleteMessage', { QueueUrl, ReceiptHandle: message?.ReceiptHandle });
  });

  const idOf = (sent: unknown) => ({ MessageId: (sent as { MessageId: string }).MessageId });

  test('no such queue: the name that SDKs know it by', async () => {
    const { status, headers, body } = await sqs('SendMessage', {
      QueueUrl: 'http://x/1/none',
      MessageBody: 'x',
    });

    expect(status).toBe(400);
    expect(headers.get('x-amzn-query-error')).toBe('AWS.SimpleQueueService.NonExistentQueue;Sender');
    expect(body).toMatchObject({ __type: 'com.amazonaws.sqs#QueueDoesNotExist' });
  });
});

describe('a service that is not here', () => {
  const signedFor = (service: string) =>
    `AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=x`;
  const sentence = (service: string) =>
    `There is no ${service} at this endpoint; it answers for DynamoDB, SQS, Lambda, EventBridge, Step Functions`;

  async function answered(service: string, path: string, init: RequestInit) {
    const headers = { ...init.headers, authorization: signedFor(service) };
    const response = await fetch(world.api.endpoint + path, { ...init, headers });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  }

  test('of the query protocol, as sts: named, in the XML of that protocol', async () => {
    const { status, type, text } = await answered('sts', '/', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: 'Action=GetCallerIdentity&Version=2011-06-15',
    });

    expect({ status, type }).toEqual({ status: 400, type: 'text/xml' });
    expect(text).toContain(
      `<ErrorResponse><Error><Type>Sender</Type><Code>UnsupportedOperationException</Code>`,
    );
    expect(text).toContain(`<Message>${sentence('sts')}</Message>`);
  });

  test('s3: named, in its XML', async () => {
    const { status, text } = await answered('s3', '/bucket/key?list-type=2', { method: 'GET' });

    expect(status).toBe(400);
    expect(text).toContain(`<Error><Code>UnsupportedOperationException</Code><Message>${sentence('s3')}`);
  });

  test('of JSON, as kms: named', async () => {
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'TrentService.Encrypt' };
    const { status, text } = await answered('kms', '/', { method: 'POST', headers, body: '{}' });

    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({
      __type: 'com.amazon.coral.service#UnsupportedOperationException',
      message: sentence('kms'),
    });
  });
});
