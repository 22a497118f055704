import { type Api, startApi } from '../../../api/server';
import { VirtualClock } from '../../../runtime/time/virtual-clock';
import { s3Route } from '../../../services/s3/api/route';
import { Buckets } from '../../../services/s3/buckets';

const START = Date.UTC(2026, 10, 20, 9);
const SIGNED = {
  'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
  'X-Amz-Credential': 'local/20261120/eu-central-1/s3/aws4_request',
  'X-Amz-Date': '20261120T090000Z',
  'X-Amz-Expires': '60',
  'X-Amz-SignedHeaders': 'host',
  'X-Amz-Signature': 'abc',
  'x-id': 'GetObject',
};

describe('a presigned URL', () => {
  const clock = new VirtualClock(START);
  const buckets = new Buckets({ now: () => clock.now() });
  let api: Api;
  beforeAll(async () => {
    buckets.create('photos');
    const content = { body: Buffer.from('<p>'), headers: { 'content-type': 'text/html' }, metadata: {} };
    buckets.put('photos', 'a/b', content);
    api = await startApi([s3Route(buckets, 'eu-central-1')], { newRequestId: () => 'r' });
  });
  afterAll(() => api.close());

  const url = (more: object = {}, path = '/photos/a/b') =>
    `${api.endpoint}${path}?${new URLSearchParams({ ...SIGNED, ...more })}`;
  const codeIn = async (response: Response) =>
    `${response.status} ${/<Code>(\w+)</.exec(await response.text())?.[1]}`;

  test('of an object: reads it, and as nothing that a page of another origin could use', async () => {
    const response = await fetch(url());

    expect([response.status, await response.text()]).toEqual([200, '<p>']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html',
      'content-security-policy': 'sandbox',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect((await fetch(url(), { method: 'HEAD' })).status).toBe(200);
  });

  test('by which something would be written: not answered', async () => {
    expect((await fetch(url(), { method: 'PUT', body: 'x' })).status).toBe(400);
    expect(buckets.get('photos', 'a/b')).toMatchObject({ body: Buffer.from('<p>') });
  });

  test('that is incomplete, asks for more, or reads nothing: rejected as by S3', async () => {
    expect(await codeIn(await fetch(url({ 'X-Amz-Date': 'today' })))).toBe(
      '400 AuthorizationQueryParametersError',
    );
    expect(await codeIn(await fetch(url({ 'response-content-type': 'a/b' })))).toBe('501 NotImplemented');
    expect(await codeIn(await fetch(url({}, '/photos/c')))).toBe('404 NoSuchKey');
  });

  test('whose time is over: rejected', async () => {
    expect((await fetch(url())).status).toBe(200);
    buckets.put('photos', 'late', {
      body: Buffer.from('x'),
      headers: { 'content-type': 'a/b' },
      metadata: {},
    });

    const late = url({ 'X-Amz-Date': '20261120T085859Z' }, '/photos/late');

    expect(await codeIn(await fetch(late))).toBe('403 AccessDenied');
  });
});
