import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { Service, ServiceCall, ServiceResult, ServiceTable } from '../../runtime/calls/service';
import { givenIn, missingIn, unknownIn } from '../rejections';
import type { Buckets, ObjectContent, StoredObject } from './buckets';
import { algorithmNamed, type Checksum, checksumOf } from './checksums';
import { Rejection, type RejectionCode } from './errors';
import { listObjects } from './listing';
import { OBJECT_HEADERS } from './object-headers';
import { readObject } from './object-read';

/** The arguments of a call: texts, except `Body`, `Metadata` and numbers. */
type Arguments = Readonly<Record<string, Json>>;

interface Operation {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  perform(buckets: Buckets, given: Arguments): JsonObject | Rejection;
}

/**
 * The `aws-sdk:s3` integrations of a state machine. A body that is not a string is put as its JSON text, one that is a
 * string as that JSON text, too, in quotes; what is read comes as text.
 *
 * An argument that is not known here fails the state rather than do nothing.
 */
export function s3Integrations(buckets: Buckets, newRequestId: () => string): ServiceTable {
  return new Map(
    Object.entries(OPERATIONS).map(([name, operation]) => [
      `aws-sdk:s3:${name}`,
      serviceFor(buckets, { name, operation, newRequestId }),
    ]),
  );
}

function serviceFor(
  buckets: Buckets,
  { name, operation, newRequestId }: NamedOperation & { readonly newRequestId: () => string },
): Service {
  return {
    rejectionOf: given => faultOf(given, operation),
    async call({ arguments: given }: ServiceCall): Promise<ServiceResult> {
      const result = operation.perform(buckets, givenIn(given));
      await buckets.written();
      if (!(result instanceof Rejection)) return { kind: 'succeeded', output: result };
      return rejected(result, name, newRequestId());
    },
  };
}

interface NamedOperation {
  readonly name: string;
  readonly operation: Operation;
}

const READ = {
  required: ['Bucket', 'Key'],
  optional: ['ChecksumMode', 'IfMatch', 'IfNoneMatch', 'IfModifiedSince', 'IfUnmodifiedSince', 'Range'],
} as const;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  putObject: {
    required: ['Bucket', 'Key'],
    optional: [
      'Body',
      'ChecksumAlgorithm',
      'Metadata',
      'IfMatch',
      'IfNoneMatch',
      ...Object.keys(OBJECT_HEADERS),
    ],
    perform(buckets, given) {
      const body = Buffer.from(given['Body'] === undefined ? '' : JSON.stringify(given['Body']));
      const algorithm = algorithmNamed(optionalText(given, 'ChecksumAlgorithm') ?? 'CRC32');
      if (algorithm === undefined)
        return new Rejection('InvalidRequest', 'Value for x-amz-sdk-checksum-algorithm');
      const checksum = { algorithm, value: checksumOf(algorithm, body) };
      const content = { ...contentOf(given), body, checksum };
      const stored = buckets.put(text(given, 'Bucket'), text(given, 'Key'), content, {
        ifMatch: optionalText(given, 'IfMatch'),
        ifNoneMatch: optionalText(given, 'IfNoneMatch'),
      });
      if (stored instanceof Rejection) return stored;
      return { ...checksumIn(checksum), ETag: stored.etag, ...ENCRYPTION };
    },
  },
  getObject: { ...READ, perform: (buckets, given) => read(buckets, given, true) },
  headObject: { ...READ, perform: (buckets, given) => read(buckets, given, false) },
  deleteObject: {
    required: ['Bucket', 'Key'],
    optional: [],
    perform: (buckets, given) => buckets.delete(text(given, 'Bucket'), text(given, 'Key')) ?? {},
  },
  listObjects: {
    required: ['Bucket'],
    optional: ['Delimiter', 'Marker', 'MaxKeys', 'Prefix'],
    perform: (buckets, given) =>
      listed(buckets, given, optionalText(given, 'Marker'), next => ({
        Marker: optionalText(given, 'Marker') ?? '',
        ...(next !== undefined && given['Delimiter'] !== undefined && { NextMarker: next }),
      })),
  },
  listObjectsV2: {
    required: ['Bucket'],
    optional: ['ContinuationToken', 'Delimiter', 'MaxKeys', 'Prefix', 'StartAfter'],
    perform(buckets, given) {
      const token = optionalText(given, 'ContinuationToken');
      const after =
        token === undefined ? optionalText(given, 'StartAfter') : Buffer.from(token, 'base64url').toString();
      return listed(buckets, given, after, (next, count) => ({
        KeyCount: count,
        ...(token !== undefined && { ContinuationToken: token }),
        ...(next !== undefined && { NextContinuationToken: Buffer.from(next).toString('base64url') }),
      }));
    },
  },
};

const ENCRYPTION = { ServerSideEncryption: 'AES256' };

function contentOf(given: Arguments): Pick<ObjectContent, 'headers' | 'metadata'> {
  const { Metadata: metadata } = given;
  const kept = Object.entries(OBJECT_HEADERS).flatMap(([name, header]) => {
    return given[name] === undefined ? [] : [[header, text(given, name)]];
  });
  const own = Object.entries(isJsonObject(metadata) ? metadata : {});
  return {
    headers: { 'content-type': 'text/plain; charset=UTF-8', ...Object.fromEntries(kept) },
    metadata: Object.fromEntries(own.map(([name, value]) => [name.toLowerCase(), String(value)])),
  };
}

function read(buckets: Buckets, given: Arguments, isBodyWanted: boolean): JsonObject | Rejection {
  const stored = buckets.get(text(given, 'Bucket'), text(given, 'Key'));
  if (stored instanceof Rejection) return stored;
  const part = readObject(
    stored,
    {
      ifMatch: optionalText(given, 'IfMatch'),
      ifNoneMatch: optionalText(given, 'IfNoneMatch'),
      ifModifiedSince: optionalText(given, 'IfModifiedSince'),
      ifUnmodifiedSince: optionalText(given, 'IfUnmodifiedSince'),
      range: optionalText(given, 'Range'),
    },
    buckets.now(),
  );
  if (part instanceof Rejection) return part;
  if (part === 'notModified') return new Rejection('NotModified');
  const { body, contentRange } = part;
  const kept = Object.entries(OBJECT_HEADERS).flatMap(([name, header]) => {
    const value = stored.headers[header];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    AcceptRanges: 'bytes',
    ...(isBodyWanted && { Body: body.toString('utf8') }),
    ContentLength: body.length,
    ...(contentRange !== undefined && { ContentRange: contentRange }),
    ...Object.fromEntries(kept),
    // A checksum is that of the whole.
    ...(given['ChecksumMode'] === 'ENABLED' && contentRange === undefined && checksumIn(stored.checksum)),
    ...identityOf(stored),
    Metadata: { ...stored.metadata },
    ...ENCRYPTION,
  };
}

function listed(
  buckets: Buckets,
  given: Arguments,
  after: string | undefined,
  place: (next: string | undefined, count: number) => JsonObject,
): JsonObject | Rejection {
  const bucket = text(given, 'Bucket');
  const prefix = optionalText(given, 'Prefix');
  const delimiter = optionalText(given, 'Delimiter');
  const max = typeof given['MaxKeys'] === 'number' ? Math.trunc(given['MaxKeys']) : undefined;
  if (max !== undefined && max < 0) return new Rejection('InvalidArgument');
  const listing = listObjects(buckets, {
    ...{ bucket, prefix, delimiter, after, max },
    isMarker: given['Marker'] !== undefined,
  });
  if (listing instanceof Rejection) return listing;
  const { objects, commonPrefixes, next } = listing;
  return {
    CommonPrefixes: commonPrefixes.map(Prefix => ({ Prefix })),
    Contents: objects.map(object => ({
      ...identityOf(object),
      Key: object.key,
      Size: object.body.length,
      StorageClass: 'STANDARD',
    })),
    ...(delimiter !== undefined && { Delimiter: delimiter }),
    IsTruncated: next !== undefined,
    MaxKeys: listing.max,
    Name: bucket,
    Prefix: prefix ?? '',
    ...place(next, objects.length + commonPrefixes.length),
  };
}

function checksumIn(checksum: Checksum | undefined): JsonObject {
  if (!checksum) return {};
  return { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: 'FULL_OBJECT' };
}

function identityOf({ etag, modifiedAt }: StoredObject): JsonObject {
  return { ETag: etag, LastModified: new Date(modifiedAt).toISOString().replace('.000Z', 'Z') };
}

function faultOf(given: Json, { required, optional }: Operation): string | undefined {
  const fields = givenIn(given);
  return missingIn(fields, required) ?? unknownIn(fields, [...required, ...optional]);
}

function text(given: Arguments, name: string): string {
  const value = given[name];
  // As on the wire, where half a character is none.
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value ?? '')).toString();
}

function optionalText(given: Arguments, name: string): string | undefined {
  return given[name] === undefined ? undefined : text(given, name);
}

/** Errors that the operations declare, and which SDKs have classes for; all others share one. */
const DECLARED: ReadonlySet<RejectionCode> = new Set([
  'BucketAlreadyOwnedByYou',
  'NoSuchBucket',
  'NoSuchKey',
]);

function rejected({ code, message, status }: Rejection, operation: string, requestId: string): ServiceResult {
  // An answer to HEAD has no body: its status is all that is known, and it says that there is no such key.
  const isHead = operation === 'headObject';
  const isKeyMissing = isHead && status === 404;
  const name = isKeyMissing
    ? 'NoSuchKeyException'
    : isHead || !DECLARED.has(code)
      ? 'S3Exception'
      : `${code}Exception`;
  const extended = Buffer.from(requestId).toString('base64');
  const origin = `Service: S3, Status Code: ${status}, Request ID: ${requestId}, Extended Request ID: ${extended}`;
  return { kind: 'failed', error: `S3.${name}`, cause: `${isHead ? 'null' : message} (${origin})` };
}
