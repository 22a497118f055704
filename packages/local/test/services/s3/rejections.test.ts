import { type Api, startApi } from '../../../api/server';
import { VirtualClock } from '../../../runtime/time/virtual-clock';
import { s3Route } from '../../../services/s3/api/route';
import { Buckets } from '../../../services/s3/buckets';

const START = Date.UTC(2026, 10, 20, 9);
const authorization = 'AWS4-HMAC-SHA256 Credential=local/20261120/eu-central-1/s3/aws4_request';

describe('a rejection in XML', () => {
  let api: Api;
  beforeAll(async () => {
    const clock = new VirtualClock(START);
    const buckets = new Buckets({ now: () => clock.now() });
    buckets.create('photos');
    const content = { body: Buffer.from('hello'), headers: {}, metadata: {} };
    for (const key of ['a', 'b/1', 'b/2', 'c']) buckets.put('photos', key, content);
    api = await startApi([s3Route(buckets, 'eu-central-1')], { newRequestId: () => 'r' });
  });
  afterAll(() => api.close());

  const ask = (method: string, path: string, headers: object = {}) =>
    fetch(`${api.endpoint}${path}`, { method, headers: { authorization, ...headers } });

  test.each<[method: string, path: string, headers: object, status: number, code: string, details: string]>([
    ['GET', '/photos/no%20key', {}, 404, 'NoSuchKey', '<Key>no key</Key>'],
    ['GET', '/none/a', {}, 404, 'NoSuchBucket', '<BucketName>none</BucketName>'],
    ['GET', '/none', {}, 404, 'NoSuchBucket', '<BucketName>none</BucketName>'],
    ['PUT', '/photos', {}, 409, 'BucketAlreadyOwnedByYou', '<BucketName>photos</BucketName>'],
    ['PUT', '/A', {}, 400, 'InvalidBucketName', '<BucketName>A</BucketName>'],
    ['DELETE', '/photos', {}, 409, 'BucketNotEmpty', '<BucketName>photos</BucketName>'],
    ['GET', '/photos/a', { 'if-match': '"x"' }, 412, 'PreconditionFailed', '<Condition>If-Match</Condition>'],
    [
      'GET',
      '/photos/a',
      { 'if-unmodified-since': 'Thu, 19 Nov 2026 09:00:00 GMT' },
      412,
      'PreconditionFailed',
      '<Condition>If-Unmodified-Since</Condition>',
    ],
    [
      'PUT',
      '/photos/a',
      { 'if-none-match': '*' },
      412,
      'PreconditionFailed',
      '<Condition>If-None-Match</Condition>',
    ],
    ['PUT', '/photos/a', { 'if-match': '"x"' }, 412, 'PreconditionFailed', '<Condition>If-Match</Condition>'],
    [
      'GET',
      '/photos/a',
      { range: 'bytes=9-' },
      416,
      'InvalidRange',
      '<RangeRequested>bytes=9-</RangeRequested><ActualObjectSize>5</ActualObjectSize>',
    ],
  ])('%s %s with %j: has what S3 names', async (method, path, headers, status, code, details) => {
    const answer = await ask(method, path, headers);
    const text = await answer.text();

    expect([answer.status, text.replace(/<Message>.*<\/Message>/, '')]).toEqual([
      status,
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        `<Error><Code>${code}</Code>${details}<RequestId>r</RequestId><HostId>cg==</HostId></Error>`,
    ]);
  });

  test.each([
    ['a time to come', 'Sat, 21 Nov 2026 09:00:00 GMT', 200],
    ['now', 'Fri, 20 Nov 2026 09:00:00 GMT', 304],
    ['no time', 'soon', 200],
  ])('If-Modified-Since %s', async (_case, time, status) => {
    expect((await ask('GET', '/photos/a', { 'if-modified-since': time })).status).toBe(status);
  });

  const listed = async (query: string) => {
    const text = await (await ask('GET', `/photos?${query}`)).text();
    return [...text.matchAll(/<Key>(.*?)<\/Key>|<CommonPrefixes><Prefix>(.*?)</g)].map(([, key, prefix]) => {
      return key ?? prefix;
    });
  };

  test('a marker within a common prefix: the prefix does not come again', async () => {
    expect(await listed('delimiter=/')).toEqual(['a', 'c', 'b/']);
    expect(await listed('delimiter=/&marker=b/1')).toEqual(['c']);
    expect(await listed('delimiter=/&marker=a')).toEqual(['c', 'b/']);
    expect(await listed('marker=b/1')).toEqual(['b/2', 'c']);
  });
});
