import type { Json } from '../../../json/json';
import { Buckets } from '../../../services/s3/buckets';
import { s3Integrations } from '../../../services/s3/integrations';

const NOW = Date.UTC(2026, 10, 20, 9);
const buckets = new Buckets({ now: () => NOW });
buckets.create('photos');
const integrations = s3Integrations(buckets, () => 'r1');

async function call(operation: string, given: Json) {
  const service = integrations.get(`aws-sdk:s3:${operation}`);
  const answer = await service?.call({ arguments: given, retryCount: 0 } as never, {} as never);
  if (answer?.kind === 'failed') return { error: answer.error, cause: answer.cause };
  return answer?.kind === 'succeeded' ? answer.output : answer;
}

const Bucket = 'photos';

describe('the S3 integrations of a state machine', () => {
  // The values of the recorded cases.
  test.each([
    [false, 'K81oMA==', '"68934a3e9455fa72420237eb05902327"', 'false'],
    [0, '9NvfIQ==', '"cfcd208495d565ef66e7dff9f98764da"', '0'],
    [['List', 'Data'], '1F2MPA==', '"6b23860357f6e63a0272b7f1143a663a"', '["List","Data"]'],
    ['text', undefined, undefined, '"text"'],
  ])('putObject of %j: its JSON text, as getObject gives it', async (Body, ChecksumCRC32, ETag, text) => {
    const put = await call('putObject', { Bucket, Key: 'k', Body });

    expect(put).toMatchObject({ ChecksumType: 'FULL_OBJECT', ServerSideEncryption: 'AES256' });
    if (ETag !== undefined) expect(put).toMatchObject({ ChecksumCRC32, ETag });
    expect(await call('getObject', { Bucket, Key: 'k' })).toEqual({
      AcceptRanges: 'bytes',
      Body: text,
      ContentLength: text.length,
      ContentType: 'text/plain; charset=UTF-8',
      ETag: (put as { ETag: string }).ETag,
      LastModified: '2026-11-20T09:00:00Z',
      Metadata: {},
      ServerSideEncryption: 'AES256',
    });
  });

  test('headObject, listObjectsV2, deleteObject: as the SDK shows them', async () => {
    const Metadata = { Owner: 'Ada' };
    await call('putObject', { Bucket, Key: 'a/1', Body: 1, Metadata, ContentType: 'application/json' });
    await call('putObject', { Bucket, Key: 'a/2', Body: 2 });

    expect(await call('headObject', { Bucket, Key: 'a/1', Range: 'bytes=0-0' })).toMatchObject({
      ContentLength: 1,
      ContentRange: 'bytes 0-0/1',
      ContentType: 'application/json',
      Metadata: { owner: 'Ada' },
    });
    const first = await call('listObjectsV2', { Bucket, Prefix: 'a/', MaxKeys: 1 });
    expect(first).toMatchObject({ Contents: [{ Key: 'a/1', Size: 1 }], IsTruncated: true, KeyCount: 1 });
    const ContinuationToken = (first as { NextContinuationToken: string }).NextContinuationToken;
    expect(await call('listObjectsV2', { Bucket, Prefix: 'a/', ContinuationToken })).toMatchObject({
      Contents: [{ Key: 'a/2' }],
      IsTruncated: false,
    });
    expect(await call('deleteObject', { Bucket, Key: 'a/1' })).toEqual({});
    expect(await call('listObjects', { Bucket, Prefix: 'a/', Delimiter: '/' })).toMatchObject({
      Contents: [{ Key: 'a/2' }],
      MaxKeys: 1000,
    });
  });

  test.each([
    ['getObject', { Bucket, Key: 'gone' }, 'S3.NoSuchKeyException', 'The specified key does not exist.', 404],
    ['headObject', { Bucket, Key: 'gone' }, 'S3.NoSuchKeyException', 'null', 404],
    [
      'listObjects',
      { Bucket: 'gone' },
      'S3.NoSuchBucketException',
      'The specified bucket does not exist',
      404,
    ],
    ['putObject', { Bucket, Key: 'k', IfMatch: '"a"' }, 'S3.NoSuchKeyException', 'The specified key', 404],
    [
      'putObject',
      { Bucket, Key: 'k', Metadata: { 'a b': 1 } },
      'S3.S3Exception',
      "'a b' cannot be sent",
      400,
    ],
    ['putObject', { Bucket, Key: 'k', ContentType: 'a\nb' }, 'S3.S3Exception', "'content-type' cannot", 400],
    ['listObjectsV2', { Bucket, MaxKeys: -1 }, 'S3.S3Exception', 'Invalid Argument', 400],
  ])('%s of %j: fails with %s', async (operation, given, error, message, status) => {
    buckets.delete(Bucket, 'k');
    const result = (await call(operation, given)) as { error: string; cause: string };

    expect(result.error).toBe(error);
    expect(result.cause.startsWith(message)).toBe(true);
    expect(result.cause).toMatch(
      new RegExp(`\\(Service: S3, Status Code: ${status}, Request ID: r1, Extended Request ID: .+\\)$`),
    );
  });

  test('conditions that do not hold: fails', async () => {
    await call('putObject', { Bucket, Key: 'k', Body: 1 });

    expect(await call('putObject', { Bucket, Key: 'k', IfNoneMatch: '*' })).toMatchObject({
      error: 'S3.S3Exception',
      cause: expect.stringMatching(/^At least one of the pre-conditions .* Status Code: 412/),
    });
    expect(
      await call('getObject', { Bucket, Key: 'k', IfModifiedSince: '2026-11-20T09:00:00Z' }),
    ).toMatchObject({
      error: 'S3.S3Exception',
      cause: expect.stringMatching(/Status Code: 304/),
    });
  });

  test.each([
    [{ Bucket }, "The field 'Key' is required but was missing"],
    [{ Bucket, Key: 'k', ACL: 'public-read' }, "The field 'ACL' is not supported here"],
    ['text', "The field 'Bucket' is required but was missing"],
    [{ Bucket, Key: 'k', Body: 1, ACL: null }, undefined],
  ])('arguments %j: whether a call is made', (given, reason) => {
    expect(integrations.get('aws-sdk:s3:putObject')?.rejectionOf?.(given)).toBe(reason);
  });
});
