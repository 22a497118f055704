import { S3 } from '@aws-sdk/client-s3';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Results } from '../../infra/index';
import { fetchResult, type ResultPointer, storeResult } from '../../state-machine/contract/index';
import { objectAt } from '../../state-machine/contract/stored-result';
import { openWorld, returns, type World } from './world';

const WAIT = { waitUpTo: 30_000 };
const LONG = 'ä'.repeat(70_000);

describe('startOnce of a workflow with results in a bucket', () => {
  let world: World;
  let s3: S3;
  const open = async (maxInRecord: number) => {
    world = await openWorld({
      name: `results-for-clients-${maxInRecord}`,
      settings: stack => ({
        results: Results.inBucket(new Bucket(stack, 'Results', { bucketName: 'results' }), { maxInRecord }),
      }),
    });
    const credentials = { accessKeyId: 'x', secretAccessKey: 'y' };
    const { endpoint = '', region } = world.stack;
    s3 = new S3({ endpoint, region, credentials, forcePathStyle: true });
  };
  afterEach(async () => {
    s3.destroy();
    await world.close();
  });

  const resultOf = async (more: object) => {
    const answer = await world.startOnce('order-1', { ...WAIT, ...more });
    return 'result' in answer ? answer.result : undefined;
  };

  test('a result that no state can read back: fetched with `s3`, else where it is', async () => {
    await open(50_000);
    world.step = () => returns(LONG);

    const first = await resultOf({ s3 });
    const pointer = await resultOf({});

    expect([first, await resultOf({ s3 })].map(result => result === LONG)).toEqual([true, true]);
    expect(pointer).toEqual({
      storedResult: { bucket: 'results', key: expect.any(String), sha256: expect.any(String) },
    });
    expect((await fetchResult(s3, pointer as ResultPointer)) === LONG).toBe(true);
    expect(world.runs).toHaveLength(1);
  });

  test.each([50_000, 0])(
    'a step stores its result itself, the record holds up to %d: the same',
    async max => {
      await open(max);
      const event = { idempotencyKey: 'ChargePayment#order-1', attempt: 1 };
      world.step = async () => {
        const { storedResult } = await storeResult(s3, event, LONG, { bucket: 'results' });
        return returns({ storedResult: { ...storedResult } });
      };

      expect([await resultOf({ s3 }), await resultOf({ s3 })].map(result => result === LONG)).toEqual([
        true,
        true,
      ]);
      expect(await resultOf({})).toMatchObject({ storedResult: { bucket: 'results' } });
    },
  );

  test('the object is gone: says so, with its place', async () => {
    await open(50_000);
    world.step = () => returns(LONG);
    await resultOf({});
    const { bucket: Bucket = '', key: Key = '' } =
      objectAt((await world.record('order-1'))?.['resultLocation']?.S ?? '') ?? {};
    await s3.deleteObject({ Bucket, Key });

    await expect(resultOf({ s3 })).rejects.toThrow(
      /its result could not be read from s3:\/\/results\/ChargePayment/,
    );
  });
});
