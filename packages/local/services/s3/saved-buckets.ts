import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { DamagedState } from '../../state/damage';
import type { StateDirectory } from '../../state/directory';
import type { ValueChange } from '../../state/persistent-values';
import type { BucketChange, BucketsOptions, StoredObject } from './buckets';
import type { Checksum } from './checksums';

/** Buckets in a state directory: each bucket and each object is a value of its own. */
export interface SavedBuckets extends Required<Pick<BucketsOptions, 'changed' | 'written'>> {
  /** Buckets with their objects, as changes. @throws DamagedState for what was not written here */
  load(): Promise<readonly BucketChange[]>;
}

/** The buckets that a directory has. */
export function savedBuckets(directory: StateDirectory): SavedBuckets {
  return {
    changed: change =>
      directory.writeBehind.write(['key' in change ? valueOfObject(change) : valueOfBucket(change)]),
    written: () => directory.writeBehind.written(),
    async load() {
      const made = (await directory.load('bucket')).map(([key, value]) => bucketFrom(key, value as Json));
      const known = new Set(made.map(({ bucket }) => bucket));
      const found = (await directory.load('object')).map(([key, value]) => objectFrom(key, value as Json));
      const lost = found.find(({ bucket }) => !known.has(bucket));
      if (lost) throw new DamagedState([`the bucket ${lost.bucket} is lost, of which there are objects`]);
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

function bucketFrom(name: string, value: Json): BucketChange {
  const { bucket, createdAt }: JsonObject = isJsonObject(value) ? value : {};
  if (bucket === name && typeof createdAt === 'number') return { bucket, createdAt };
  throw new DamagedState([`bucket ${JSON.stringify(name)} is not what was written`]);
}

function objectFrom(name: string, value: Json): BucketChange {
  const saved: JsonObject = isJsonObject(value) ? value : {};
  const { bucket, key, body, etag, modifiedAt, headers, metadata, checksum } = saved;
  if (
    typeof bucket === 'string' &&
    typeof key === 'string' &&
    `${bucket}!${key}` === name &&
    typeof body === 'string' &&
    typeof etag === 'string' &&
    typeof modifiedAt === 'number' &&
    isJsonObject(headers) &&
    isJsonObject(metadata)
  ) {
    const object: StoredObject = {
      key,
      body: Buffer.from(body, 'base64'),
      etag,
      modifiedAt,
      // What was written here, and is sealed with the rest.
      headers: headers as Readonly<Record<string, string>>,
      metadata: metadata as Readonly<Record<string, string>>,
      ...(isJsonObject(checksum) && { checksum: checksum as unknown as Checksum }),
    };
    return { bucket, key, object };
  }
  throw new DamagedState([`object ${JSON.stringify(name)} is not what was written`]);
}
