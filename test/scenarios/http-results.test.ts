import { createHash } from 'node:crypto';
import { Duration } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Results } from '../../infra/index';
import type { HttpSourceOptions } from '../../infra/sources/http-source-options';
import { attemptPrefix } from '../../state-machine/contract/stored-result';
import { failing } from '../support/faults';
import { type Answer, type HttpWorld, openHttp } from '../support/http';
import { returns } from '../support/world';

const RECORD = 'ChargePayment#anonymous,k1';
const REQUEST = { headers: { 'Idempotency-Key': 'k1' }, body: { note: 'n'.repeat(120_000) } };
const LONG = { rows: 'x'.repeat(200_000), precise: 0.12345678901234568 };
const UNAVAILABLE = '500 result-unavailable';

/** The status of an answer, and what its problem is: short, also where the answer is not. */
function told({ status, body }: Answer): string {
  const { type = '' } = JSON.parse(body.length > 1000 ? '{}' : body);
  return `${status} ${String(type).split('#')[1] ?? body.slice(0, 50)}`;
}
const hashOf = ({ body }: Answer) => createHash('sha256').update(body).digest('hex');
const hashOfLong = hashOf({ body: JSON.stringify(LONG) } as Answer);

describe('a result in a bucket, by HTTP', () => {
  let world: HttpWorld;
  afterEach(() => world.close());

  async function open(name: string, options: HttpSourceOptions = {}, maxInRecord?: number) {
    world = await openHttp(`result ${name}`, options, {}, stack => ({
      results: Results.inBucket(
        new Bucket(stack, 'Results'),
        maxInRecord === undefined ? {} : { maxInRecord },
      ),
    }));
    world.step = () => returns(LONG);
  }

  test('of 200 kB for a request of 120 kB: its text out of the bucket, first and again', async () => {
    await open('long');
    const first = await world.answered(REQUEST);
    const again = await world.answered(REQUEST);

    expect([first.status, hashOf(first)]).toEqual([200, hashOfLong]);
    expect([again.status, hashOf(again)]).toEqual([200, hashOfLong]);
    expect(again.headers).toEqual({ 'Idempotent-Replayed': 'true' });
    expect(world.runs).toHaveLength(1);
  });

  test('mapped, and asked for: made of the object', async () => {
    const response = { status: 201, body: "{% {'length': $length($result.rows)} %}" };
    await open('mapped', { response });
    const headers = { ...REQUEST.headers, Prefer: 'respond-async' };
    const { headers: answered } = await world.answered({ ...REQUEST, headers });
    const asked = String(answered['Location']?.split('./payments/requests/')[1]);

    expect(await world.answered({ asked })).toMatchObject({ status: 201, body: '{"length":200000}' });
  });

  test.each([
    ['is gone', 'S3.NoSuchKeyException', UNAVAILABLE],
    ['may not be read', 'S3.S3Exception', UNAVAILABLE],
    ['cannot be reached', 'States.Timeout', '202 {"status":"accepted"}'],
  ])('whose object %s: no pointer, and nothing runs again', async (_, error, expected) => {
    await open('long');
    await world.answered(REQUEST);
    world.faults = failing('Read the stored result', error);

    expect(told(await world.answered(REQUEST))).toBe(expected);
    expect(world.runs).toHaveLength(1);
  });

  test('whose record names another object than the one that is there: unavailable', async () => {
    await open('long');
    await world.answered(REQUEST);
    const item = await world.record(RECORD);
    await world.putRecord({ ...item, resultHash: { S: 'another' } });

    expect(told(await world.answered(REQUEST))).toBe(UNAVAILABLE);
  });

  test.each<[string, HttpSourceOptions]>([
    ['as it is', {}],
    ['mapped', { response: { body: "{% {'of': $result.rows} %}" } }],
  ])('too long to be read back, %s: unavailable, and no pointer', async (kind, options) => {
    await open(`too long ${kind}`, options);
    world.step = () => returns({ rows: 'x'.repeat(245_000) });

    expect(told(await world.answered(REQUEST))).toBe(UNAVAILABLE);
    expect(told(await world.answered(REQUEST))).toBe(UNAVAILABLE);
  });

  test.each([undefined, 0])('a pointer of the step, %s characters in the record: unavailable', async max => {
    await open(`pointer ${max}`, {}, max);
    const pointer = (key: string) => ({ storedResult: { bucket: 'b', key, sha256: 'c2hh' } });
    world.step = () => returns(pointer(`${attemptPrefix(RECORD, 1)}of-the-step`));

    expect(told(await world.answered(REQUEST))).toBe(UNAVAILABLE);
    const data = pointer('of/another/key');
    world.step = () => returns(data);
    const other = await world.answered({ ...REQUEST, headers: { 'Idempotency-Key': 'k2' } });
    expect(other).toMatchObject({ status: 200, body: JSON.stringify(data) });
  });
});

describe.each(['STANDARD', 'EXPRESS'] as const)('a result without a bucket, by HTTP, %s', type => {
  test('of 150 kB for a request of 120 kB: unavailable, first and again; for a short request it is answered', async () => {
    const times = type === 'EXPRESS' ? { timeout: Duration.minutes(2) } : {};
    const world = await openHttp(`no bucket ${type}`, {}, { type, ...times });
    world.step = () => returns({ rows: 'x'.repeat(150_000) });
    const short = { headers: { 'Idempotency-Key': 'k2' }, body: { note: 'short' } };

    expect(told(await world.answered(REQUEST))).toBe(UNAVAILABLE);
    expect(told(await world.answered(REQUEST))).toBe(UNAVAILABLE);
    expect(await world.answered(short)).toMatchObject({ status: 200, headers: {} });
    expect(world.runs).toHaveLength(2);
    await world.close();
  });
});
