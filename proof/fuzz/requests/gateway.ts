import type { Json } from '@onceflow/local';
import { mutated, oneOf, type Random } from './json';

/**
 * A request to a REST API, as a client might send it, or with a method, path, header or body that is wrong in some way.
 * Preflights are among them, with and without a content type.
 */
export function gatewayRequest(random: Random, apis: readonly string[]) {
  const api = oneOf(random, apis);
  const method = oneOf(random, METHODS);
  const path = oneOf(random, PATHS);
  const text = bodyOf(random);
  const count = Math.floor(random() * 4);
  const odd = Array.from({ length: count }, () => [oneOf(random, HEADERS), oneOf(random, VALUES)]);
  const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method) || random() < 0.1;
  return {
    api,
    method,
    path: `${new URL(api).pathname}${path}${oneOf(random, QUERIES)}`,
    headers: {
      'content-type': oneOf(random, TYPES),
      'idempotency-key': `"fuzz-${Math.floor(random() * 50)}"`,
      origin: 'https://shop.example',
      ...Object.fromEntries(odd),
    },
    body: hasBody ? text : '',
    title: `api ${method} ${path.split('/')[0]}`,
  };
}

const BODY: Json = {
  items: ['a', 1, null, { b: ['ä'] }],
  executionArn: 'arn:aws:states:us-east-1:111111111111:execution:fuzz-1:none',
  amount: 12.5,
  text: '"quoted" \u2028 $input.body',
};

function bodyOf(random: Random): string {
  const kind = random();
  if (kind < 0.4) return JSON.stringify(BODY);
  if (kind < 0.8) return JSON.stringify(mutated(random, BODY));
  return oneOf(random, BODIES);
}

const METHODS = ['POST', 'POST', 'POST', 'GET', 'OPTIONS', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'HEAD'];
const PATHS = [
  'payments',
  'payments',
  'payments/requests/eA',
  'payments/requests/%FF',
  'mock/7',
  'mock/%E0%A4%A',
  `mock/${'a'.repeat(2_000)}`,
  'action',
  'proxy/a/b',
  'proxy/%00',
  'none',
  '',
  '../..',
];
const QUERIES = ['', '', '?a=1', '?a=1&a=2&b', '?%FF=%', `?a=${'x'.repeat(3_000)}`];
const TYPES = ['application/json', 'application/json', 'application/json; charset=utf-8', 'text/plain', ''];
const HEADERS = [
  'accept',
  'authorization',
  'content-encoding',
  'content-type',
  'idempotency-key',
  'prefer',
  'x-a',
  'x-http-method-override',
  'access-control-request-method',
  'origin',
  'x-forwarded-for',
];
const VALUES = [
  '',
  '*/*',
  'application/xml',
  'gzip',
  'deflate',
  'respond-async, wait=0',
  'OPTIONS',
  '"two", "keys"',
  '\u00ff\u00fe',
  'x'.repeat(3_000),
  'null',
  '__proto__',
];
const BODIES = [
  '',
  'text',
  'null',
  '[]',
  '7',
  '{"a":',
  '{"__proto__": {"polluted": true}}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `{"a": "${'x'.repeat(300_000)}"}`,
  '{"amount": 9007199254740993}',
];
