import { oneOf, type Random } from './json';

/** A request of S3, as a client might send it, or with a path, a query or headers that are wrong in some way. */
export function objectRequest(random: Random) {
  const isObject = random() < 0.7;
  const method = oneOf(random, ['GET', 'HEAD', 'PUT', 'PUT', 'DELETE']);
  const key = isObject ? `/${oneOf(random, KEYS)}` : '';
  const query = isObject ? '' : oneOf(random, QUERIES);
  const count = Math.floor(random() * 3);
  const given = Array.from({ length: count }, () => [oneOf(random, HEADERS), oneOf(random, VALUES)]);
  return {
    method,
    path: `/${oneOf(random, BUCKETS)}${key}${method === 'GET' ? query : ''}`,
    headers: { authorization: AUTHORIZATION, ...Object.fromEntries(given) },
    body: method === 'PUT' ? oneOf(random, BODIES) : '',
    title: `s3 ${method} ${isObject ? 'object' : 'bucket'}`,
  };
}

const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=00';
const BUCKETS = ['fuzz-1', 'fuzz-1', 'fuzz-2', 'none', 'x', 'Fuzz_1', '', '%FF', '..'];
const KEYS = ['a', 'a/b', 'a//b', '%C3%A4', '%00', '%E0%A4%A', '../up', 'k'.repeat(1_025), '__proto__'];
const QUERIES = [
  '',
  '?list-type=2',
  '?list-type=2&max-keys=1&delimiter=/',
  '?list-type=2&continuation-token=%25%25&start-after=%F0',
  '?max-keys=-1',
  '?list-type=3',
  '?encoding-type=url&prefix=%00&marker=a',
];
const HEADERS = [
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'content-type',
  'content-encoding',
  'content-md5',
  'x-amz-meta-a',
  'x-amz-meta-__proto__',
  'x-amz-checksum-crc32',
  'x-amz-checksum-mode',
  'x-amz-content-sha256',
  'x-amz-decoded-content-length',
];
const VALUES = [
  '',
  '*',
  '"a"',
  'bytes=0-',
  'bytes=-0',
  'bytes=99999999999999999999-',
  '\u00ff\u00fe',
  'ENABLED',
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
  'x'.repeat(3_000),
  'Thu, 01 Jan 1970 00:00:00 GMT',
];
const BODIES = [
  '',
  'text',
  '4\r\ntext\r\n0\r\nx-amz-checksum-crc32: AAAAAA==\r\n\r\n',
  'ffffffff\r\nx',
  '0\r\n',
  '-1\r\nx',
];
