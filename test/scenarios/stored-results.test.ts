import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Json } from '@onceflow/local';
import { Duration } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Recovery, Results } from '../../infra/index';
import { objectAt, resultObjectOf } from '../../state-machine/contract/stored-result';
import { at, failing, loseFirstAnswer, noFault, stopping } from '../support/faults';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const LONG = { text: 'x'.repeat(100_000), precise: 0.12345678901234568, of: [null, 1e21, 5e-324] };
/** So that a failure does not print it. */
const isLong = ({ output }: { readonly output?: string | undefined }) =>
  isDeepStrictEqual(JSON.parse(output ?? 'null'), LONG);

const IN_BUCKET: Variant = {
  name: 'results-in-a-bucket',
  workflow: { recovery: Recovery.automatic() },
  settings: stack => ({ results: Results.inBucket(new Bucket(stack, 'Results'), { prefix: 'results/' }) }),
};
const PICKED: Variant = {
  ...IN_BUCKET,
  name: 'results-in-a-bucket-picked',
  workflow: { stepResult: '{% $states.result.picked %}' },
};
const EXPRESS: Variant = {
  name: 'results-in-a-bucket-express',
  workflow: { type: 'EXPRESS', timeout: Duration.minutes(2) },
  settings: stack => ({ results: Results.inBucket(new Bucket(stack, 'Results'), { maxInRecord: 10 }) }),
};

describe('results in a bucket', () => {
  let world: World;
  let s3: S3Client;

  async function open(variant = IN_BUCKET) {
    world = await openWorld(variant, { port: 0 });
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const { endpoint = '', region } = world.stack;
    s3 = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  }
  afterEach(async () => {
    s3.destroy();
    await world.close();
  });

  async function deliveredWith(result: Json) {
    world.step = () => returns(result);
    const delivered = await world.delivered(ORDER);
    world.step = () => returns('a second run');
    return delivered;
  }

  async function placeOfRecord() {
    const item = await world.record(KEY);
    return { item, place: objectAt(item?.['resultLocation']?.S ?? '') ?? { bucket: '', key: '' } };
  }

  async function textAt({ bucket: Bucket, key: Key }: { readonly bucket: string; readonly key: string }) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return (await Body?.transformToString()) ?? '';
  }

  test('beyond the record: an object of this key, attempt and claim, then the record; a duplicate reads it', async () => {
    await open();
    const first = await deliveredWith(LONG);

    const duplicate = await world.delivered(ORDER);

    expect(isLong(first)).toBe(true);
    expect(isLong(duplicate)).toBe(true);
    expect(world.runs).toHaveLength(1);
    const { item, place } = await placeOfRecord();
    expect(place.key).toMatch(/^results\/ChargePayment\/[0-9a-f]{64}\/1\/[0-9a-f]{32}$/);
    const text = await textAt(place);
    expect(isLong({ output: text })).toBe(true);
    expect(item).toMatchObject({
      status: { S: 'COMPLETED' },
      result: { S: 'ELSEWHERE' },
      resultHash: { S: createHash('sha256').update(text).digest('base64') },
    });
    const { runtime } = world.stack;
    expect(runtime.billedTransitions(first.executionArn)).toBe(5);
    expect(runtime.billedTransitions(duplicate.executionArn)).toBe(4);
  });

  test('a result that the record holds: as ever, without a request to S3', async () => {
    await open();
    const first = await deliveredWith({ charge: 1 });

    expect(world.stack.runtime.billedTransitions(first.executionArn)).toBe(3);
    expect(await world.record(KEY)).toMatchObject({ result: { S: '{"charge":1}' } });
    expect((await world.delivered(ORDER)).output).toBe('{"charge":1}');
    expect(world.calls.filter(call => call.includes('s3'))).toEqual([]);
  });

  test.each([
    ['Store result', 'before', 1],
    ['Store result', 'after', 1],
    ['Record where the result is', 'before', 1],
    ['Record where the result is', 'after', 0],
  ] as const)('stopped at %s, %s it was done: one run, one result', async (state, when, redriveCount) => {
    await open();
    world.faults = stopping(world, state, when);
    world.step = () => (world.runs.length === 1 ? returns(LONG) : returns('a second run'));
    const { executionArn } = await world.delivered(ORDER);

    expect(await world.execution(executionArn)).toMatchObject({ redriveCount });
    expect(isLong(await world.delivered(ORDER))).toBe(true);
    expect(world.runs).toHaveLength(1);
  });

  test('the answer of the put is lost: it is put again, and nothing else', async () => {
    await open();
    world.faults = loseFirstAnswer('Store result', 'S3.SdkClientException');
    const first = await deliveredWith(LONG);

    expect(first.status).toBe('SUCCEEDED');
    expect(isLong(await world.delivered(ORDER))).toBe(true);
  });

  test('an attempt that has put and failed to finish: another attempt has another object, and its own result', async () => {
    await open();
    world.faults = failing('Record where the result is', 'DynamoDB.ConditionalCheckFailedException', 1);
    await deliveredWith(LONG);
    world.faults = noFault;
    const left = await world.record(KEY);
    await world.putRecord({
      ...left,
      idempotencyKey: { S: KEY },
      status: { S: 'FAILED' },
      error: { S: '{"Error":"Idempotency.Released","Cause":""}' },
      resultLocation: { S: `s3://results/ChargePayment/0/1/0` },
      resultHash: { S: 'of the first attempt' },
    });
    world.step = () => returns({ ...LONG, of: 'the second attempt' });
    const second = await world.delivered(ORDER);

    const { item, place } = await placeOfRecord();
    expect(item).toMatchObject({ attempt: { N: '2' } });
    expect(place.key).toMatch(/\/2\/[0-9a-f]{32}$/);
    expect((await world.delivered(ORDER)).output === second.output).toBe(true);
  });

  test.each([
    ['deleted', (Bucket: string, Key: string) => new DeleteObjectCommand({ Bucket, Key })],
    [
      'replaced',
      (Bucket: string, Key: string) =>
        new PutObjectCommand({ Bucket, Key, Body: '"forged"', ChecksumAlgorithm: 'SHA256' }),
    ],
  ])('the object is %s by hand: Idempotency.ResultUnavailable, nothing runs', async (_, command) => {
    await open();
    await deliveredWith(LONG);
    const { place } = await placeOfRecord();
    await s3.send(command(place.bucket, place.key) as DeleteObjectCommand);

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.ResultUnavailable' });
    expect(world.runs).toHaveLength(1);
  });

  test.each([
    ['60,000 quotes', '"'.repeat(60_000)],
    ['100,000 characters of several bytes', 'ä'.repeat(100_000)],
  ])('%s, which no read brings back: all are answered with where it is', async (_, result) => {
    await open();
    const first = await deliveredWith(result);
    const duplicate = await world.delivered(ORDER);

    const { item, place } = await placeOfRecord();
    const pointer = { storedResult: { ...place, sha256: item?.['resultHash']?.S } };
    expect(JSON.parse(first.output ?? '')).toEqual(pointer);
    expect(JSON.parse(duplicate.output ?? '')).toEqual(pointer);
    expect(JSON.parse(await textAt(place)) === result).toBe(true);
    expect(
      resultObjectOf({
        idempotencyKey: KEY,
        attempt: 1,
        result: item?.['result']?.S,
      }),
    ).toEqual(pointer.storedResult);
  });

  test('S3 tells no hash: nothing is recorded that could not be checked, and the owner has the result', async () => {
    await open();
    world.faults = at('Store result', async () => ({ kind: 'succeeded', output: { ETag: '"1"' } }));
    const first = await deliveredWith(LONG);

    expect(await world.statesOf(first.executionArn)).toContain('Record that it succeeded');
    expect((await world.record(KEY))?.['resultLocation']).toBeUndefined();
    expect(isLong(await world.delivered(ORDER))).toBe(true);
  });

  test('S3 rejects the put: tried for hours, then the execution ends there, and recovery redrives it', async () => {
    await open();
    world.faults = failing('Store result', 'S3.S3Exception', 201);
    const owner = await deliveredWith(LONG);
    expect(isLong(owner)).toBe(true);
    expect(owner.redriveCount).toBe(1);

    expect(isLong(await world.delivered(ORDER))).toBe(true);
    expect(world.runs).toHaveLength(1);
  });

  test('what `stepResult` picks: that is in the bucket, and the answer; a pick that fails: the whole answer', async () => {
    await open(PICKED);
    const first = await deliveredWith({ picked: LONG });
    expect([isLong(first), isLong(await world.delivered(ORDER))]).toEqual([true, true]);
    const { place } = await placeOfRecord();
    expect(isLong({ output: await textAt(place) })).toBe(true);

    world.step = () => returns({ another: 'shape' });
    const other = { ...ORDER, orderId: 'order-8' };
    expect((await world.delivered(other)).output).toBe('{"another":"shape"}');
    expect((await world.delivered(other)).output).toBe('{"another":"shape"}');
  });

  test('a step that fails: as ever', async () => {
    await open();
    world.step = () => fails('CardDeclined');

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'CardDeclined' });
  });

  test('Express: a duplicate gets the result, for which its owner cannot be asked', async () => {
    await open(EXPRESS);
    const started = async () => {
      const stateMachineArn = world.stack.output('StateMachineArn');
      const input = JSON.stringify({ detail: ORDER });
      const start = world.stack.runtime.startSyncExecution({ stateMachineArn, input });
      await world.settle();
      return start;
    };
    world.step = () => returns(LONG);
    const first = await started();
    world.step = () => returns('a second run');

    expect(isLong(first)).toBe(true);
    expect(isLong(await started())).toBe(true);
  });
});
