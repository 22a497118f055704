import type { Json } from '@onceflow/local';
import { gatewayRequest } from './gateway';
import { mutated, oneOf, type Random } from './json';
import type { Known } from './known';
import { objectRequest } from './objects';
import { type Operation, operation, type ServiceName } from './operations';

/** A request as it is sent. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** The URL of the API that it is sent to. @default - the endpoint */
  readonly api?: string;
  /** What it is about, for the report: `dynamodb PutItem`. */
  readonly title: string;
}

/** Their protocols are others: such requests are not JSON of an operation that could be changed. */
const S3_SHARE = 0.1;
const API_SHARE = 0.1;

/** The next request: two in five are as a client would send them, the others are wrong in some way. */
export function nextRequest(random: Random, known: Known): FuzzRequest {
  const protocol = random();
  if (protocol < S3_SHARE) return objectRequest(random);
  if (protocol < S3_SHARE + API_SHARE) return gatewayRequest(random, known.restApis);
  const plain = operation(random, known);
  const kind = random();
  if (kind < 0.4) return sent(plain);
  if (kind < 0.85) return sent({ ...plain, body: mutated(random, plain.body) });
  if (kind < 0.92) return { ...sent(plain), body: oddBody(random, plain.body) };
  return oddHeaders(random, sent(plain));
}

function authorization(signingName: string): string {
  const credential = `x/20260101/us-east-1/${signingName}/aws4_request`;
  return `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=00`;
}

const TARGETS: Readonly<
  Record<Exclude<ServiceName, 'lambda' | 'sns'>, readonly [prefix: string, type: string]>
> = {
  states: ['AWSStepFunctions', 'application/x-amz-json-1.0'],
  dynamodb: ['DynamoDB_20120810', 'application/x-amz-json-1.0'],
  events: ['AWSEvents', 'application/x-amz-json-1.1'],
  sqs: ['AmazonSQS', 'application/x-amz-json-1.0'],
};

function sent({ service, name, body }: Operation): FuzzRequest {
  const common = { method: 'POST', path: '/', title: `${service} ${name}` };
  const signed = { authorization: authorization(service), 'x-amz-date': '20260101T000000Z' };
  const text = JSON.stringify(body);
  if (service === 'lambda') {
    const path = `/2015-03-31/functions/${encodeURIComponent(member(body, 'FunctionName'))}/invocations`;
    return {
      ...common,
      path,
      body: text,
      headers: { ...signed, 'content-type': 'application/octet-stream' },
    };
  }
  if (service === 'sns') {
    const headers = { ...signed, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    return { ...common, body: form(name, body), headers };
  }
  const [prefix, type] = TARGETS[service];
  const headers = { ...signed, 'content-type': type, 'x-amz-target': `${prefix}.${name}` };
  return { ...common, body: text, headers };
}

/** A request as a form. A value with members or elements, as a client's value never has, is written as JSON. */
function form(action: string, body: Json): string {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const texts = fields.map(([name, value]): [string, string] => [name, asText(value)]);
  return new URLSearchParams([['Action', action], ...texts]).toString();
}

function member(body: Json, name: string): string {
  const members = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  // Half a character is none that an address can have.
  return Buffer.from(asText(members.find(([key]) => key === name)?.[1] ?? '')).toString();
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function oddBody(random: Random, body: Json): string | Buffer {
  const text = JSON.stringify(body);
  const cut = Math.floor(random() * text.length);
  return oneOf<string | Buffer>(random, [
    '',
    'null',
    '[]',
    '0',
    '"text"',
    text.slice(0, cut),
    `${text}${text}`,
    `${text.slice(0, cut)}\u0000${text.slice(cut)}`,
    `${'['.repeat(20_000)}`,
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `{"a": "${'x'.repeat(300_000)}"}`,
    '{"__proto__": {"polluted": true}}',
    // Members twice, of which one is wrong; no UTF-8; numbers that no double holds; half a character.
    `${text.slice(0, -1)},${text.slice(1)}`,
    `${text.slice(0, -1)},"TableName":null,"definition":7}`,
    Buffer.concat([
      Buffer.from(text.slice(0, cut)),
      Buffer.from([0xff, 0xc0, 0x80]),
      Buffer.from(text.slice(cut)),
    ]),
    `\ufeff${text}`,
    text.replaceAll(/\d+/g, '1e999'),
    text.replaceAll(/fuzz/g, '\\ud800'),
    'Action=Publish&TopicArn=%ff%00&Message=%',
  ]);
}

/** Headers, and values that no client sends in them. */
const ODD_HEADERS: readonly (readonly [header: string, values: readonly string[]])[] = [
  [
    'content-type',
    [
      'text/plain',
      '',
      'application/xml',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
    ],
  ],
  ['origin', ['https://evil.example', 'http://localhost:3000', 'null', 'file://']],
  ['host', ['evil.example', '169.254.169.254', '']],
  [
    'x-amz-target',
    ['', 'x', 'AWSStepFunctions.', 'DynamoDB_20120810.constructor', 'AWSStepFunctions.__proto__'],
  ],
  ['authorization', ['', 'Basic x', ...['sns', 's3', 'kms'].map(authorization)]],
  ...['x-amz-invocation-type', 'x-amz-log-type', 'x-amzn-trace-id'].map(
    header => [header, ['Event', 'DryRun', 'Tail', 'x', 'Root=1-0-0;Parent=0;Sampled=9']] as const,
  ),
];

function oddHeaders(random: Random, request: FuzzRequest): FuzzRequest {
  const kind = random();
  if (kind < 0.125)
    return { ...request, method: oneOf(random, ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']) };
  if (kind < 0.25)
    return {
      ...request,
      path: oneOf(random, ['/x', '/../..', '/%00', '//', `/${'a'.repeat(5_000)}`, '/?a=b']),
    };
  const [header, values] = oneOf(random, ODD_HEADERS);
  return { ...request, headers: { ...request.headers, [header]: oneOf(random, values) } };
}
