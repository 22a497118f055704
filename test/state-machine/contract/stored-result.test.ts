import { createHash } from 'node:crypto';
import { fetchResult, storeResult } from '../../../state-machine/contract/store-result';
import { resultObjectOf } from '../../../state-machine/contract/stored-result';

const EVENT = { idempotencyKey: 'Report#2026-11', attempt: 2 };
const PLACE = { bucket: 'results', prefix: 'of/' };

/** A bucket, as far as its client is used. */
function bucket() {
  const objects = new Map<string, string>();
  const placeOf = ({ Bucket, Key }: { readonly Bucket: string; readonly Key: string }) => `${Bucket}/${Key}`;
  return {
    objects,
    async putObject(request: { readonly Bucket: string; readonly Key: string; readonly Body: string }) {
      objects.set(placeOf(request), request.Body);
    },
    async getObject(request: { readonly Bucket: string; readonly Key: string }) {
      const text = objects.get(placeOf(request));
      if (text === undefined) throw new Error('NoSuchKey');
      return { Body: { transformToString: async () => text } };
    },
  };
}

describe('storeResult', () => {
  test('a result: in the place of its key, attempt and content; fetchResult gives it back', async () => {
    const s3 = bucket();
    const result = { rows: ['x'.repeat(300_000)], precise: 0.12345678901234568 };
    const pointer = await storeResult(s3, EVENT, result, PLACE);

    const text = JSON.stringify(result);
    const hash = createHash('sha256').update(text);
    const key = createHash('sha256').update(EVENT.idempotencyKey).digest('hex');
    expect([...s3.objects.keys()]).toEqual([`results/of/Report/${key}/2/${hash.copy().digest('hex')}`]);
    expect(pointer.storedResult.sha256).toBe(hash.digest('base64'));
    expect((await fetchResult(s3, pointer)) as object).toEqual(result);
  });

  test('run twice: the same result is the same object, another one another', async () => {
    const s3 = bucket();
    const [one, again, other] = [
      await storeResult(s3, EVENT, 'a', PLACE),
      await storeResult(s3, EVENT, 'a', PLACE),
      await storeResult(s3, EVENT, 'b', PLACE),
    ];

    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect(s3.objects.size).toBe(2);
  });

  test('what JSON cannot hold: rejected, and nothing is put', async () => {
    const s3 = bucket();
    await expect(storeResult(s3, EVENT, undefined, PLACE)).rejects.toThrow(
      '`result` must be a JSON value, got undefined',
    );
    expect(s3.objects.size).toBe(0);
  });
});

describe('fetchResult', () => {
  test('the object was replaced: rejected, with its place', async () => {
    const s3 = bucket();
    const pointer = await storeResult(s3, EVENT, 'a', PLACE);
    s3.objects.set(`results/${pointer.storedResult.key}`, '"forged"');

    await expect(fetchResult(s3, pointer)).rejects.toThrow(
      /^s3:\/\/results\/of\/Report\/.* is another object/,
    );
  });

  test('no pointer: rejected', async () => {
    const none = { storedResult: { bucket: 'results' } } as never;

    await expect(fetchResult(bucket(), none)).rejects.toThrow(
      '`fetchResult` takes what a workflow has answered',
    );
  });
});

describe('the object that a record has its result in', () => {
  const record = { idempotencyKey: EVENT.idempotencyKey, attempt: EVENT.attempt };
  const pointed = async (event = EVENT) => (await storeResult(bucket(), event, 'a', PLACE)).storedResult;

  test('a pointer that the step has returned: that object', async () => {
    const storedResult = await pointed();

    expect(resultObjectOf({ ...record, result: JSON.stringify({ storedResult }) })).toEqual(storedResult);
  });

  test.each<[string, (own: Awaited<ReturnType<typeof pointed>>) => unknown]>([
    [
      'another key',
      async () => ({ storedResult: await pointed({ ...EVENT, idempotencyKey: 'Report#other' }) }),
    ],
    ['another attempt', async () => ({ storedResult: await pointed({ ...EVENT, attempt: 1 }) })],
    ['a place that only ends alike', own => ({ storedResult: { ...own, key: `x${own.key.slice(3)}` } })],
    ['a member more', own => ({ storedResult: own, note: '' })],
    ['a member more within', own => ({ storedResult: { ...own, size: 1 } })],
    ['a member less', ({ bucket: name, key }) => ({ storedResult: { bucket: name, key } })],
    ['a number for a text', own => ({ storedResult: { ...own, sha256: 1 } })],
    ['a list', own => [{ storedResult: own }]],
    ['null', () => null],
  ])('a result with %s: data, not a pointer', async (_, like) => {
    const result = JSON.stringify(await like(await pointed()));

    expect(resultObjectOf({ ...record, result })).toBeUndefined();
  });

  test('a location of another attempt: not its result', () => {
    const located = { resultLocation: 's3://results/Report/0/1/0', resultHash: 'a' };

    expect(resultObjectOf({ ...record, ...located })).toBeUndefined();
    expect(resultObjectOf({ ...record, attempt: 1, ...located })).toMatchObject({ key: 'Report/0/1/0' });
  });
});
