import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ALGORITHMS, algorithmNamed, type Checksum, checksumOf } from '../checksums';
import { Rejection } from '../errors';

/** The largest object: the service takes 5 GB at once, but here all is in memory, and in one write. */
export const OBJECT_BYTES_MAX = 64 * 1024 * 1024;

/** The body of an object, with the checksum that came with it. */
export interface ReceivedBody {
  readonly body: Buffer;
  readonly checksum?: Checksum;
}

/**
 * The object in the body of a request: out of its chunks where it is `aws-chunked`, and checked against the length, the
 * digests and the checksums that came with it. Signatures of chunks are not checked.
 */
export function receivedBody(headers: IncomingHttpHeaders, sent: Buffer): ReceivedBody | Rejection {
  const isChunked = String(headers['x-amz-content-sha256']).startsWith('STREAMING-');
  const received = isChunked ? unchunked(sent) : { body: sent, trailers: {} };
  if (!received) return new Rejection('IncompleteBody');
  const { body, trailers } = received;
  if (body.length > OBJECT_BYTES_MAX) return new Rejection('EntityTooLarge');
  const length = headers['x-amz-decoded-content-length'];
  if (isChunked && length !== undefined && Number(length) !== body.length) {
    return new Rejection('IncompleteBody');
  }
  const digestFault = digestFaultOf(headers, body, isChunked);
  if (digestFault) return digestFault;
  const given = Object.entries({ ...headers, ...trailers }).flatMap(([name, value]) => {
    const algorithm = /^x-amz-checksum-(.+)$/.exec(name)?.[1];
    if (algorithm === undefined || NO_ALGORITHMS.has(algorithm)) return [];
    return [{ algorithm, value: String(value) }];
  });
  const [first, second] = given;
  if (!first) return { body };
  if (second) return new Rejection('InvalidRequest', 'Expecting a single x-amz-checksum- header');
  const algorithm = algorithmNamed(first.algorithm);
  if (!algorithm) {
    const known = ALGORITHMS.join(', ');
    const named = first.algorithm.toUpperCase();
    return new Rejection('NotImplemented', `The local S3 computes no ${named}, only ${known}`);
  }
  if (checksumOf(algorithm, body) === first.value)
    return { body, checksum: { algorithm, value: first.value } };
  return new Rejection('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`);
}

/** What else begins as the names of checksums do. */
const NO_ALGORITHMS: ReadonlySet<string> = new Set(['algorithm', 'type', 'mode']);

function digestFaultOf(
  headers: IncomingHttpHeaders,
  body: Buffer,
  isChunked: boolean,
): Rejection | undefined {
  const md5 = headers['content-md5'];
  if (md5 !== undefined) {
    const digest = Buffer.from(String(md5), 'base64');
    if (digest.length !== 16) return new Rejection('InvalidDigest');
    if (!digest.equals(createHash('md5').update(body).digest())) return new Rejection('BadDigest');
  }
  const sha256 = String(headers['x-amz-content-sha256'] ?? '');
  if (isChunked || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  return sha256 === createHash('sha256').update(body).digest('hex')
    ? undefined
    : new Rejection('XAmzContentSHA256Mismatch');
}

/** Data and trailers of `size[;signature]\r\ndata\r\n … 0\r\ntrailers\r\n`; undefined for an incomplete body. */
function unchunked(
  sent: Buffer,
): { readonly body: Buffer; readonly trailers: Readonly<Record<string, string>> } | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = sent.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const [digits = ''] = sent.toString('latin1', at, end).split(';');
    if (!/^[0-9a-fA-F]{1,8}$/.test(digits)) return undefined;
    const size = Number.parseInt(digits, 16);
    const data = end + 2;
    if (size === 0)
      return { body: Buffer.concat(chunks), trailers: trailersIn(sent.toString('latin1', data)) };
    if (data + size + 2 > sent.length) return undefined;
    chunks.push(sent.subarray(data, data + size));
    at = data + size + 2;
  }
}

function trailersIn(text: string): Readonly<Record<string, string>> {
  const lines = text.split(/\r?\n/).flatMap(line => {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.trim()]];
  });
  return Object.fromEntries(lines);
}
