import type { ApiAnswer } from '../../../api/exchange';
import type { StoredObject } from '../buckets';
import { Rejection } from '../errors';
import { type Listing, listObjects } from '../listing';
import { emptyAnswer, type Operation, type S3Request, type Target, xmlAnswer } from './operation';

/** GET /: all buckets. */
export const LIST_BUCKETS: Operation = {
  perform({ buckets }) {
    const Bucket = buckets.list().map(({ name, createdAt }) => {
      return { Name: name, CreationDate: new Date(createdAt).toISOString() };
    });
    return xmlAnswer('ListAllMyBucketsResult', { Buckets: { Bucket } });
  },
};

/** PUT /bucket. The location that it asks for is ignored: everything is in the region of the stack. */
export const CREATE_BUCKET: Operation = {
  perform({ buckets, region }, { bucket }) {
    const made = buckets.create(bucket);
    if (made instanceof Rejection) return made;
    // In the oldest region, creating a bucket of one's own again goes well.
    if (!made && region !== 'us-east-1') return new Rejection('BucketAlreadyOwnedByYou');
    return emptyAnswer(200, { location: `/${bucket}` });
  },
};

/** HEAD /bucket: whether it is there. */
export const HEAD_BUCKET: Operation = {
  perform({ buckets, region }, { bucket }) {
    if (!buckets.has(bucket)) return new Rejection('NoSuchBucket');
    return emptyAnswer(200, { 'x-amz-bucket-region': region });
  },
};

/** DELETE /bucket, which must be empty. */
export const DELETE_BUCKET: Operation = {
  perform: ({ buckets }, { bucket }) => buckets.deleteBucket(bucket) ?? emptyAnswer(204),
};

const PAGE = ['prefix', 'delimiter', 'max-keys', 'encoding-type'] as const;

/** GET /bucket, in its first and its second version. */
export const LIST_OBJECTS: Operation = {
  query: [...PAGE, 'list-type', 'marker', 'continuation-token', 'start-after', 'fetch-owner'],
  perform(target, request) {
    const type = request.query.get('list-type');
    if (type !== null && type !== '2') return new Rejection('InvalidArgument', 'Invalid List Type');
    const max = request.query.get('max-keys') ?? '1000';
    if (!/^\d{1,9}$/.test(max)) {
      return new Rejection('InvalidArgument', 'Argument maxKeys must be an integer between 0 and 2147483647');
    }
    const encoding = request.query.get('encoding-type');
    if (encoding !== null && encoding !== 'url') {
      return new Rejection('InvalidArgument', 'Invalid Encoding Method specified in Request');
    }
    return type === '2' ? secondVersion(target, request) : firstVersion(target, request);
  },
};

function secondVersion(target: Target, request: S3Request): ApiAnswer | Rejection {
  const { query } = request;
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after') ?? undefined;
  const after = token === null ? startAfter : Buffer.from(token, 'base64url').toString();
  return listed(target, request, after, (listing, encoded) => ({
    KeyCount: listing.objects.length + listing.commonPrefixes.length,
    StartAfter: startAfter && encoded(startAfter),
    ContinuationToken: token ?? undefined,
    NextContinuationToken:
      listing.next === undefined ? undefined : Buffer.from(listing.next).toString('base64url'),
  }));
}

function firstVersion(target: Target, request: S3Request): ApiAnswer | Rejection {
  const marker = request.query.get('marker') ?? '';
  return listed(target, request, marker, ({ next }, encoded) => ({
    Marker: encoded(marker),
    // Without a delimiter, the last key of the page is the marker of the next one.
    NextMarker: next === undefined || !request.query.has('delimiter') ? undefined : encoded(next),
  }));
}

function listed(
  { buckets }: Target,
  { bucket, query }: S3Request,
  after: string | undefined,
  place: (listing: Listing, encoded: (text: string) => string) => object,
): ApiAnswer | Rejection {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? undefined;
  const max = Number(query.get('max-keys') ?? '1000');
  const listing = listObjects(buckets, {
    ...{ bucket, prefix, delimiter, after, max },
    isMarker: query.has('marker'),
  });
  if (listing instanceof Rejection) return listing;
  const isEncoded = query.has('encoding-type');
  const encoded = (text: string) => (isEncoded ? encodeURIComponent(text).replaceAll('%2F', '/') : text);
  return xmlAnswer('ListBucketResult', {
    Name: bucket,
    Prefix: encoded(prefix),
    ...place(listing, encoded),
    MaxKeys: listing.max,
    Delimiter: delimiter && encoded(delimiter),
    EncodingType: isEncoded ? 'url' : undefined,
    IsTruncated: listing.next !== undefined,
    Contents: listing.objects.map(object => contentsOf(object, encoded)),
    CommonPrefixes: listing.commonPrefixes.map(common => ({ Prefix: encoded(common) })),
  });
}

function contentsOf(
  { key, etag, modifiedAt, body, checksum }: StoredObject,
  encoded: (text: string) => string,
) {
  return {
    Key: encoded(key),
    LastModified: new Date(modifiedAt).toISOString(),
    ETag: etag,
    ...(checksum && { ChecksumAlgorithm: checksum.algorithm, ChecksumType: 'FULL_OBJECT' }),
    Size: body.length,
    StorageClass: 'STANDARD',
  };
}
