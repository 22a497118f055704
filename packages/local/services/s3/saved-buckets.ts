import { isJsonObject, type JsonObject } from '../../json/json';
import type { StateDirectory } from '../../state/directory';
import type { ValueChange } from '../../state/persistent-values';
import { loadItems, requireOwners } from '../../state/saved-values';
import type { BucketChange, BucketsOptions, StoredObject } from './buckets';
import type { Checksum } from './checksums';

/** Buckets in a state directory: each bucket and each object is a value of its own. */
export interface SavedBuckets extends Required<Pick<BucketsOptions, 'changed' | 'written'>> {
  /** Buckets with their objects, as changes. @throws DamagedState for content from elsewhere */
  load(): Promise<readonly BucketChange[]>;
}

export function savedBuckets(directory: StateDirectory): SavedBuckets {
  return {
    changed: change =>
      directory.writeBehind.write(['key' in change ? valueOfObject(change) : valueOfBucket(change)]),
    written: () => directory.writeBehind.written(),
    async load() {
      const made = await loadItems(directory, 'bucket', bucketFrom);
      const found = await loadItems(directory, 'object', objectFrom);
      requireOwners(
        { owner: 'bucket', items: 'objects' },
        made.map(({ bucket }) => bucket),
        found.map(({ bucket }) => bucket),
      );
      return [...made, ...found];
    },
  };
}

function valueOfBucket(change: Exclude<BucketChange, { readonly key: string }>): ValueChange {
  const { bucket, createdAt } = change;
  return { kind: 'bucket', key: bucket, value: createdAt === undefined ? undefined : change };
}

/** Names of buckets have no exclamation mark. */
function valueOfObject({
  bucket,
  key,
  object,
}: Extract<BucketChange, { readonly key: string }>): ValueChange {
  return {
    kind: 'object',
    key: `${bucket}!${key}`,
    value: object && { ...object, bucket, body: object.body.toString('base64') },
  };
}

function bucketFrom({ bucket, createdAt }: JsonObject, name: string): BucketChange | undefined {
  return bucket === name && typeof createdAt === 'number' ? { bucket, createdAt } : undefined;
}

function objectFrom(saved: JsonObject, name: string): BucketChange | undefined {
  const { bucket, key, body, etag, modifiedAt, headers, metadata, checksum } = saved;
  if (typeof bucket !== 'string' || typeof key !== 'string' || `${bucket}!${key}` !== name) return undefined;
  if (typeof body !== 'string' || typeof etag !== 'string' || typeof modifiedAt !== 'number')
    return undefined;
  if (!isJsonObject(headers) || !isJsonObject(metadata)) return undefined;
  const object: StoredObject = {
    ...{ key, etag, modifiedAt },
    body: Buffer.from(body, 'base64'),
    // A write of this process, which is sealed with the rest.
    headers: headers as Readonly<Record<string, string>>,
    metadata: metadata as Readonly<Record<string, string>>,
    ...(isJsonObject(checksum) && { checksum: checksum as unknown as Checksum }),
  };
  return { bucket, key, object };
}
