import type { Json } from '@onceflow/local';
import { mutated, oneOf, type Random } from './json';
import { type Known, type Operation, operation } from './operations';

/** A request as it is sent. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What it is about, for the report: `dynamodb PutItem`. */
  readonly title: string;
}

/** The next request: one in four is as a client would send it, the others are wrong in some way. */
export function nextRequest(random: Random, known: Known): FuzzRequest {
  const plain = operation(random, known);
  const kind = random();
  if (kind < 0.25) return sent(plain, JSON.stringify(plain.body));
  if (kind < 0.85) return sent(plain, JSON.stringify(mutated(random, plain.body)));
  if (kind < 0.92) return sent(plain, oddBody(random, plain.body));
  const request = sent(plain, JSON.stringify(plain.body));
  return oddHeaders(random, request);
}

const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/s/aws4_request, SignedHeaders=host, Signature=00';

const TARGETS: Readonly<
  Record<Exclude<Operation['service'], 'lambda'>, readonly [prefix: string, type: string]>
> = {
  states: ['AWSStepFunctions', 'application/x-amz-json-1.0'],
  dynamodb: ['DynamoDB_20120810', 'application/x-amz-json-1.0'],
  events: ['AWSEvents', 'application/x-amz-json-1.1'],
  sqs: ['AmazonSQS', 'application/x-amz-json-1.0'],
};

function sent({ service, name, body }: Operation, text: string): FuzzRequest {
  const common = { method: 'POST', body: text, title: `${service} ${name}` };
  const signed = { authorization: AUTHORIZATION, 'x-amz-date': '20260101T000000Z' };
  if (service === 'lambda') {
    const { FunctionName } = body as { readonly FunctionName: string };
    const path = `/2015-03-31/functions/${encodeURIComponent(FunctionName)}/invocations`;
    return { ...common, path, headers: { ...signed, 'content-type': 'application/octet-stream' } };
  }
  const [prefix, type] = TARGETS[service];
  const headers = { ...signed, 'content-type': type, 'x-amz-target': `${prefix}.${name}` };
  return { ...common, path: '/', headers };
}

function oddBody(random: Random, body: Json): string {
  const text = JSON.stringify(body);
  const cut = Math.floor(random() * text.length);
  return oneOf(random, [
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
  ]);
}

function oddHeaders(random: Random, request: FuzzRequest): FuzzRequest {
  const { headers } = request;
  const changes: FuzzRequest[] = [
    { ...request, method: oneOf(random, ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']) },
    { ...request, path: oneOf(random, ['/x', '/../..', '/%00', '//', `/${'a'.repeat(5_000)}`, '/?a=b']) },
    {
      ...request,
      headers: { ...headers, 'content-type': oneOf(random, ['text/plain', '', 'application/xml']) },
    },
    {
      ...request,
      headers: {
        ...headers,
        origin: oneOf(random, ['https://evil.example', 'http://localhost:3000', 'null', 'file://']),
      },
    },
    { ...request, headers: { ...headers, host: oneOf(random, ['evil.example', '169.254.169.254', '']) } },
    {
      ...request,
      headers: {
        ...headers,
        'x-amz-target': oneOf(random, [
          '',
          'x',
          'AWSStepFunctions.',
          'DynamoDB_20120810.constructor',
          'AWSStepFunctions.__proto__',
        ]),
      },
    },
    { ...request, headers: { ...headers, authorization: oneOf(random, ['', 'Basic x']) } },
  ];
  return oneOf(random, changes);
}
