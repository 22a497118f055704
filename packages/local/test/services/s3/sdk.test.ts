import { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  GetObjectTaggingCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { type Api, startApi } from '../../../api/server';
import { VirtualClock } from '../../../runtime/time/virtual-clock';
import { s3Route } from '../../../services/s3/api/route';
import { Buckets } from '../../../services/s3/buckets';

const START = Date.UTC(2026, 10, 20, 9) + 123;
const clock = new VirtualClock(START);
let buckets: Buckets;
let api: Api;
let client: S3Client;
let count = 0;

beforeAll(async () => {
  buckets = new Buckets({ now: () => clock.now() });
  const newRequestId = () => {
    count += 1;
    return `request-${count}`;
  };
  api = await startApi([s3Route(buckets, 'eu-central-1')], { newRequestId });
  client = new S3Client({
    endpoint: api.endpoint,
    region: 'eu-central-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
});
afterAll(async () => {
  client.destroy();
  await api.close();
});

const Bucket = 'photos';
beforeEach(() => void buckets.create(Bucket));
afterEach(() => {
  for (const { name } of buckets.list()) {
    for (const key of buckets.objectsOf(name)?.keys ?? []) buckets.delete(name, key);
    buckets.deleteBucket(name);
  }
});

const put = (more: Partial<PutObjectCommandInput> = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'hello', ...more }));

async function get(more: Partial<GetObjectCommandInput> = {}) {
  const { Body, ...answer } = await client.send(new GetObjectCommand({ Bucket, Key: 'a', ...more }));
  return { ...answer, text: await Body?.transformToString() };
}

/** How a request is rejected: `NoSuchKey 404: The specified key does not exist.` */
async function rejection(request: Promise<unknown>): Promise<string> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof S3ServiceException)) throw error ?? new Error('it was not rejected');
  return `${error.name} ${error.$metadata.httpStatusCode}: ${error.message}`;
}

describe('objects, by the SDK as it is', () => {
  test('put and got: all that came with it, and its checksum', async () => {
    const CRC32 = 'NhCmhg==';
    const Metadata = { owner: 'Ada', 'sent-by': 'desk 7' };
    const headers = { ContentType: 'text/plain', CacheControl: 'no-cache', ContentEncoding: 'identity' };

    const stored = await put({ Metadata, ...headers });
    const answer = await get();

    expect(stored).toMatchObject({ ETag: '"5d41402abc4b2a76b9719d911017c592"', ChecksumCRC32: CRC32 });
    expect(answer).toMatchObject({
      text: 'hello',
      ContentLength: 5,
      ETag: stored.ETag,
      LastModified: new Date(START - 123),
      Metadata,
      ...headers,
      ChecksumCRC32: CRC32,
    });
    expect(answer.$metadata.requestId).toMatch(/^request-\d+$/);
  });

  test.each(['CRC32', 'CRC32C', 'SHA1', 'SHA256'] as const)(
    'a stream with a checksum in %s: whole',
    async ChecksumAlgorithm => {
      const body = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
      const chunks = [body.subarray(0, 70_000), body.subarray(70_000)];

      const stored = await put({
        Body: Readable.from(chunks),
        ContentLength: body.length,
        ChecksumAlgorithm,
      });
      const { Body, ...answer } = await client.send(new GetObjectCommand({ Bucket, Key: 'a' }));

      expect(Buffer.from((await Body?.transformToByteArray()) ?? [])).toEqual(body);
      const name = `Checksum${ChecksumAlgorithm}` as const;
      expect(answer[name]).toBeDefined();
      expect(answer[name]).toBe(stored[name]);
      expect(answer.ContentEncoding).toBeUndefined();
    },
  );

  test('a key of any characters: is that object', async () => {
    for (const Key of ['a b+c', 'ä/ö//🚀', '../up', 'per%20cent', "quote'(1)*!", '?x=1&y#z']) {
      await put({ Key, Body: Key });
      expect(await get({ Key })).toMatchObject({ text: Key });
    }
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket }));
    expect(Contents?.map(({ Key }) => Key)).toEqual(
      ['../up', '?x=1&y#z', 'a b+c', 'per%20cent', "quote'(1)*!", 'ä/ö//🚀'].sort(),
    );
  });

  test('empty: nothing, with its own ETag', async () => {
    await put({ Body: Buffer.alloc(0) });

    expect(await get()).toMatchObject({ text: '', ETag: '"d41d8cd98f00b204e9800998ecf8427e"' });
  });

  test.each([
    ['bytes=1-3', 'ell', 'bytes 1-3/5'],
    ['bytes=3-', 'lo', 'bytes 3-4/5'],
    ['bytes=-2', 'lo', 'bytes 3-4/5'],
    ['bytes=0-99', 'hello', 'bytes 0-4/5'],
    ['bytes=3-1', 'hello', undefined],
    ['lines=1-2', 'hello', undefined],
  ])('range %s: %s', async (Range, text, ContentRange) => {
    await put();

    expect(await get({ Range })).toMatchObject({ text, ContentLength: text.length });
    expect((await get({ Range })).ContentRange).toBe(ContentRange);
  });

  test('a range behind the end: rejected', async () => {
    await put();

    expect(await rejection(get({ Range: 'bytes=5-' }))).toBe(
      'InvalidRange 416: The requested range is not satisfiable',
    );
  });

  test('HeadObject: what GetObject says, without the body', async () => {
    await put({ Metadata: { owner: 'Ada' } });

    const answer = await client.send(new HeadObjectCommand({ Bucket, Key: 'a' }));

    expect(answer).toMatchObject({ ContentLength: 5, Metadata: { owner: 'Ada' } });
    expect(await rejection(client.send(new HeadObjectCommand({ Bucket, Key: 'b' })))).toMatch(
      /^NotFound 404: /,
    );
  });

  test('conditions: kept to', async () => {
    const precondition = /^PreconditionFailed 412: At least one of the pre-conditions/;
    const { ETag = '' } = await put({ IfNoneMatch: '*' });

    expect(await rejection(put({ IfNoneMatch: '*' }))).toMatch(precondition);
    expect(await rejection(put({ IfMatch: '"other"' }))).toMatch(precondition);
    expect(await rejection(put({ IfMatch: ETag, Key: 'b' }))).toMatch(/^NoSuchKey 404/);
    expect(await rejection(get({ IfMatch: '"other"' }))).toMatch(precondition);
    expect(await rejection(get({ IfNoneMatch: ETag }))).toMatch(/304/);
    expect(await rejection(get({ IfModifiedSince: new Date(START) }))).toMatch(/304/);
    expect(await rejection(get({ IfUnmodifiedSince: new Date(START - 10_000) }))).toMatch(precondition);
    expect(await get({ IfMatch: ETag, IfUnmodifiedSince: new Date(0) })).toMatchObject({ text: 'hello' });
    await put({ IfMatch: ETag, Body: 'again' });
    expect(await get({ IfNoneMatch: ETag })).toMatchObject({ text: 'again' });
  });

  test('deleted: gone, and deleting it again goes well', async () => {
    await put();
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));

    expect(await rejection(get())).toBe('NoSuchKey 404: The specified key does not exist.');
  });

  test.each<[title: string, more: Partial<PutObjectCommandInput>, expected: RegExp]>([
    [
      'a checksum of something else',
      { ChecksumCRC32: 'AAAAAA==' },
      /^BadDigest 400: The CRC32 you specified/,
    ],
    [
      'an MD5 of something else',
      { ContentMD5: '1B2M2Y8AsgTpgAmY7PhCfg==' },
      /^BadDigest 400: The Content-MD5/,
    ],
    ['an MD5 that is none', { ContentMD5: 'abc' }, /^InvalidDigest 400/],
    [
      'a checksum that is not computed here',
      { ChecksumCRC64NVME: 'AAAAAAAAAAA=' },
      /^NotImplemented 501.*CRC64NVME/,
    ],
    ['an ACL', { ACL: 'public-read' }, /^NotImplemented 501: .* has no PUT of an object with x-amz-acl$/],
    ['tags', { Tagging: 'a=b' }, /^NotImplemented 501/],
    ['a key too long', { Key: 'k'.repeat(1025) }, /^KeyTooLongError 400/],
    ['metadata too large', { Metadata: { a: 'x'.repeat(2048) } }, /^MetadataTooLarge 400/],
    [
      'a bucket that is not there',
      { Bucket: 'gone' },
      /^NoSuchBucket 404: The specified bucket does not exist$/,
    ],
  ])('%s: rejected', async (_title, more, expected) => {
    expect(await rejection(put(more))).toMatch(expected);
    expect(buckets.objectsOf(Bucket)?.keys).toEqual([]);
  });

  test('larger than what is taken: rejected in the form of S3', async () => {
    expect(await rejection(put({ Body: Buffer.alloc(70 * 1024 * 1024) }))).toMatch(/^EntityTooLarge 400/);
  });
});

describe('buckets, by the SDK as it is', () => {
  test('made, listed, found and deleted', async () => {
    await client.send(new CreateBucketCommand({ Bucket: 'made' }));

    const { Buckets: listed } = await client.send(new ListBucketsCommand({}));
    expect(listed?.map(({ Name }) => Name)).toEqual(['made', Bucket]);
    expect(await client.send(new HeadBucketCommand({ Bucket: 'made' }))).toMatchObject({
      BucketRegion: 'eu-central-1',
    });
    await client.send(new DeleteBucketCommand({ Bucket: 'made' }));
    expect(await rejection(client.send(new HeadBucketCommand({ Bucket: 'made' })))).toMatch(/^NotFound 404/);
  });

  test.each([
    ['a name that is none', new CreateBucketCommand({ Bucket: 'Upper_Case' }), /^InvalidBucketName 400/],
    ['one that is there', new CreateBucketCommand({ Bucket }), /^BucketAlreadyOwnedByYou 409/],
    ['one that is not there', new DeleteBucketCommand({ Bucket: 'gone' }), /^NoSuchBucket 404/],
    ['one with objects', new DeleteBucketCommand({ Bucket }), /^BucketNotEmpty 409/],
  ])('%s: rejected', async (_title, command, expected) => {
    await put();

    expect(await rejection(client.send(command as CreateBucketCommand))).toMatch(expected);
  });

  test('a listing in pages with a delimiter: every key and every common prefix once, in the order of bytes', async () => {
    const keys = ['a', 'b/1', 'b/2', 'c', 'd/1', '\u{1f680}', '\uffe6'];
    for (const Key of keys) await put({ Key });
    const seen: (string | undefined)[] = [];
    let token: string | undefined;
    do {
      const input = { Bucket, Delimiter: '/', MaxKeys: 2, ContinuationToken: token };
      const page = await client.send(new ListObjectsV2Command(input));
      seen.push(...(page.Contents ?? []).map(({ Key }) => Key));
      seen.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix));
      expect(page.KeyCount).toBeLessThanOrEqual(2);
      token = page.NextContinuationToken;
    } while (token !== undefined);

    expect(seen).toEqual(['a', 'b/', 'c', 'd/', '\uffe6', '\u{1f680}']);
  });

  test('a prefix, what to start after, and an encoding: as asked for', async () => {
    for (const Key of ['x/a b', 'x/b', 'x/c&<', 'y']) await put({ Key });

    const input = { Bucket, Prefix: 'x/', StartAfter: 'x/a', EncodingType: 'url' } as const;
    const { Contents } = await client.send(new ListObjectsV2Command(input));
    const first = await client.send(new ListObjectsCommand({ Bucket, Marker: 'x/b', MaxKeys: 1 }));

    expect(Contents).toMatchObject([
      { Key: 'x/a%20b', Size: 5, StorageClass: 'STANDARD', ETag: '"5d41402abc4b2a76b9719d911017c592"' },
      { Key: 'x/b' },
      { Key: 'x/c%26%3C' },
    ]);
    expect(first).toMatchObject({ Contents: [{ Key: 'x/c&<' }], IsTruncated: true });
  });

  test('operations that are not here: NotImplemented, by what they ask for', async () => {
    const parts = new ListPartsCommand({ Bucket, Key: 'a', UploadId: '1' });
    const tagging = new GetObjectTaggingCommand({ Bucket, Key: 'a' });

    expect(await rejection(client.send(parts))).toBe(
      'NotImplemented 501: The local S3 has no GET of an object with ?uploadId',
    );
    expect(await rejection(client.send(tagging))).toMatch(/^NotImplemented 501: .* with \?tagging$/);
  });
});

describe('a request that is not signed by an SDK', () => {
  test('without a signature: not answered by S3', async () => {
    const answer = await fetch(`${api.endpoint}/${Bucket}/a`, { method: 'PUT', body: 'x' });

    expect(answer.status).toBe(400);
    expect(buckets.objectsOf(Bucket)?.keys).toEqual([]);
  });

  test.each([
    ['/photos/%E0%A4%A', {}, 'InvalidURI'],
    ['/photos/a', { 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' }, 'IncompleteBody'],
    ['/photos/a', { 'x-amz-content-sha256': '0'.repeat(64) }, 'XAmzContentSHA256Mismatch'],
  ])('PUT %s with %j: %s', async (path, more, code) => {
    const authorization =
      'AWS4-HMAC-SHA256 Credential=local/20261120/eu-central-1/s3/aws4_request, Signature=0';
    const headers = { authorization, ...more };

    const answer = await fetch(api.endpoint + path, { method: 'PUT', headers, body: 'ff\r\nx' });

    expect(await answer.text()).toContain(`<Code>${code}</Code>`);
  });
});
