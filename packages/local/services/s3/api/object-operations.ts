import type { IncomingHttpHeaders } from 'node:http';
import type { ApiAnswer } from '../../../api/exchange';
import type { StoredObject } from '../buckets';
import type { Checksum } from '../checksums';
import { Rejection } from '../errors';
import { OBJECT_HEADERS } from '../object-headers';
import { readObject } from '../object-read';
import { receivedBody } from './body';
import { emptyAnswer, type Operation, type S3Request, type Target } from './operation';

const KEPT = [...Object.values(OBJECT_HEADERS), 'expires'] as const;

const METADATA = 'x-amz-meta-';
/** What an object is that its writer says nothing of. */
const CONTENT_TYPE = 'binary/octet-stream';
const ENCRYPTION = { 'x-amz-server-side-encryption': 'AES256' };

/** PUT /bucket/key. */
export const PUT_OBJECT: Operation = {
  perform({ buckets }, { bucket, key, headers, body: sent }) {
    const received = receivedBody(headers, sent);
    if (received instanceof Rejection) return received;
    const content = { ...received, headers: keptOf(headers), metadata: metadataOf(headers) };
    const stored = buckets.put(bucket, key, content, {
      ifMatch: headers['if-match'],
      ifNoneMatch: headers['if-none-match'],
    });
    if (stored instanceof Rejection) return stored;
    return emptyAnswer(200, { etag: stored.etag, ...ENCRYPTION, ...checksumHeaders(stored.checksum) });
  },
};

/** GET /bucket/key. */
export const GET_OBJECT: Operation = { perform: read };

/** HEAD /bucket/key: as GET, and the body is not sent. */
export const HEAD_OBJECT: Operation = { perform: read };

/** DELETE /bucket/key: goes well also where there is none. */
export const DELETE_OBJECT: Operation = {
  perform({ buckets }, { bucket, key, headers }) {
    if (headers['if-match'] !== undefined)
      return new Rejection('NotImplemented', 'The local S3 deletes without If-Match');
    return buckets.delete(bucket, key) ?? emptyAnswer(204);
  },
};

function read({ buckets }: Target, { bucket, key, headers }: S3Request): ApiAnswer | Rejection {
  const stored = buckets.get(bucket, key);
  if (stored instanceof Rejection) return stored;
  const part = readObject(
    stored,
    {
      ifMatch: headers['if-match'],
      ifNoneMatch: headers['if-none-match'],
      ifModifiedSince: headers['if-modified-since'],
      ifUnmodifiedSince: headers['if-unmodified-since'],
      range: headers.range,
    },
    buckets.now(),
  );
  if (part instanceof Rejection) return part;
  const identity = { etag: stored.etag, 'last-modified': new Date(stored.modifiedAt).toUTCString() };
  if (part === 'notModified') return { status: 304, headers: identity, body: stored.body };
  const isWhole = part.contentRange === undefined;
  // A checksum is that of the whole, and readers check what they get against it.
  const isChecked = isWhole && headers['x-amz-checksum-mode']?.toString().toUpperCase() === 'ENABLED';
  return {
    status: isWhole ? 200 : 206,
    headers: {
      ...identity,
      'accept-ranges': 'bytes',
      ...(part.contentRange !== undefined && { 'content-range': part.contentRange }),
      ...ENCRYPTION,
      ...stored.headers,
      ...metadataHeaders(stored),
      ...(isChecked && checksumHeaders(stored.checksum)),
    },
    body: part.body,
  };
}

function keptOf(headers: IncomingHttpHeaders): Record<string, string> {
  const given = KEPT.flatMap(name => {
    const value = headers[name];
    // The encoding of the body is not a property of the object.
    const kept = name === 'content-encoding' ? withoutChunks(value) : value;
    return kept === undefined || kept === '' ? [] : [[name, kept]];
  });
  return { 'content-type': CONTENT_TYPE, ...Object.fromEntries(given) };
}

function withoutChunks(encoding: string | undefined): string | undefined {
  const encodings = encoding?.split(',').map(each => each.trim());
  return encodings?.filter(each => each.toLowerCase() !== 'aws-chunked').join(',');
}

function metadataOf(headers: IncomingHttpHeaders): Record<string, string> {
  const given = Object.entries(headers).filter(([name]) => name.startsWith(METADATA));
  return Object.fromEntries(given.map(([name, value]) => [name.slice(METADATA.length), String(value)]));
}

function metadataHeaders({ metadata }: StoredObject): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [METADATA + name, value]));
}

function checksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  if (!checksum) return {};
  const name = `x-amz-checksum-${checksum.algorithm.toLowerCase()}`;
  return { [name]: checksum.value, 'x-amz-checksum-type': 'FULL_OBJECT' };
}
