import { Rejection } from '../../../services/s3/errors';
import { S3 } from '../../../services/s3/service';
import { DamagedState } from '../../../state/damage';
import type { StateDirectory } from '../../../state/directory';
import { cleanUp, newPath, open, reopen } from '../../state/world';
import { contextOf } from '../service-context';

afterEach(cleanUp);

async function bucketsIn(directory: StateDirectory) {
  const service = await S3.open(contextOf({ directory }));
  await service.restore?.();
  return service.buckets;
}

const content = (text: string) => ({
  body: Buffer.from(text),
  headers: { 'content-type': 'a/b' },
  metadata: {},
});

describe('buckets in a state directory', () => {
  test('objects that were put, replaced and deleted, and buckets that were deleted: as they were', async () => {
    const path = newPath();
    const buckets = await bucketsIn(await open(path));
    for (const name of ['photos', 'gone']) buckets.create(name);
    for (const key of ['a', 'b', 'c!d']) buckets.put('photos', key, content(key));
    buckets.put('photos', 'a', content('again'));
    buckets.delete('photos', 'b');
    buckets.deleteBucket('gone');
    await buckets.written();

    const again = await bucketsIn(await reopen(path));

    expect(again.list()).toEqual(buckets.list());
    expect(again.objectsOf('photos')?.keys).toEqual(['a', 'c!d']);
    expect(again.get('photos', 'a')).toEqual(buckets.get('photos', 'a'));
    expect(again.get('photos', 'b')).toBeInstanceOf(Rejection);
  });

  test.each([
    ['bucket', 'photos', { bucket: 'other', createdAt: 0 }, 'bucket "photos" is not what was written'],
    ['object', 'photos!b', { bucket: 'photos', key: 'a' }, 'object "photos!b" is not what was written'],
    ['bucket', 'photos', undefined, 'the bucket photos is lost, of which there are objects'],
  ] as const)('a %s %s that is %j: rejected by name', async (kind, key, value, message) => {
    const path = newPath();
    const first = await open(path);
    const buckets = await bucketsIn(first);
    buckets.create('photos');
    buckets.put('photos', 'a', content('a'));
    await buckets.written();
    await first.write([{ kind, key, value }]);

    await expect(bucketsIn(await reopen(path))).rejects.toThrow(new DamagedState([message]));
  });
});
