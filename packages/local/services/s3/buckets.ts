import { createHash } from 'node:crypto';
import type { Checksum } from './checksums';
import { Rejection } from './errors';

/** The object under a key. */
export interface ObjectContent {
  readonly body: Buffer;
  /** The headers that are given back with it, by their names in small letters; `content-type` is always among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The user's own, without `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly checksum?: Checksum;
}

/** An object as it is kept. */
export interface StoredObject extends ObjectContent {
  readonly key: string;
  /** In quotes: the MD5 of the body. */
  readonly etag: string;
  /** Epoch milliseconds, whole seconds. */
  readonly modifiedAt: number;
}

/** The change, in the form in which it is kept; without `createdAt` or `object` it is gone. */
export type BucketChange =
  | { readonly bucket: string; readonly createdAt?: number }
  | { readonly bucket: string; readonly key: string; readonly object?: StoredObject };

/** Under which conditions something is put: ETags as headers give them. */
export interface PutConditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface BucketsOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Called immediately with every change. @default - memory only */
  readonly changed?: (change: BucketChange) => void;
  /** Resolves when all changes so far will outlive the process. @default - immediately */
  readonly written?: () => Promise<void>;
}

interface Bucket {
  readonly createdAt: number;
  readonly objects: Map<string, StoredObject>;
  /** The keys in order, until one comes or goes. */
  sortedKeys: readonly string[] | undefined;
}

const KEY_BYTES_MAX = 1024;
const METADATA_BYTES_MAX = 2048;
/** What HTTP takes. State machines may give anything. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** The buckets of a stack with their objects. Each call is carried out at once. */
export class Buckets {
  readonly #options: BucketsOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: BucketsOptions) {
    this.#options = options;
  }

  /** The time here, in epoch milliseconds. */
  now(): number {
    return this.#options.now();
  }

  /** Takes over what was kept, buckets before their objects. */
  restore(changes: Iterable<BucketChange>): void {
    for (const change of changes) {
      if ('key' in change) this.#apply(change.bucket, change.key, change.object);
      else this.#addBucket(change.bucket, change.createdAt ?? 0);
    }
  }

  /** Makes a bucket; false where there is one of this name. */
  create(name: string): boolean | Rejection {
    if (!BUCKET_NAME.test(name)) return new Rejection('InvalidBucketName');
    if (this.#buckets.has(name)) return false;
    const createdAt = this.#second();
    this.#addBucket(name, createdAt);
    this.#options.changed?.({ bucket: name, createdAt });
    return true;
  }

  /** Takes an empty bucket away; undefined where that went well. */
  deleteBucket(name: string): Rejection | undefined {
    const bucket = this.#buckets.get(name);
    if (!bucket) return new Rejection('NoSuchBucket');
    if (bucket.objects.size > 0) return new Rejection('BucketNotEmpty');
    this.#buckets.delete(name);
    this.#options.changed?.({ bucket: name });
    return undefined;
  }

  has(name: string): boolean {
    return this.#buckets.has(name);
  }

  /** All buckets by name. Times in epoch milliseconds. */
  list(): readonly { readonly name: string; readonly createdAt: number }[] {
    return [...this.#buckets.keys()]
      .sort()
      .map(name => ({ name, createdAt: this.#buckets.get(name)?.createdAt ?? 0 }));
  }

  /** Puts an object, which replaces one of the same key. */
  put(
    bucketName: string,
    key: string,
    content: ObjectContent,
    { ifMatch, ifNoneMatch }: PutConditions = {},
  ): StoredObject | Rejection {
    const bucket = this.#buckets.get(bucketName);
    if (!bucket) return new Rejection('NoSuchBucket');
    const fault = faultOf(key, content);
    if (fault) return fault;
    const known = bucket.objects.get(key);
    if (ifMatch !== undefined) {
      if (!known) return new Rejection('NoSuchKey');
      if (!matches(ifMatch, known.etag)) {
        return new Rejection('PreconditionFailed', undefined, { Condition: 'If-Match' });
      }
    }
    if (ifNoneMatch !== undefined) {
      if (ifNoneMatch !== '*') return new Rejection('NotImplemented');
      if (known) return new Rejection('PreconditionFailed', undefined, { Condition: 'If-None-Match' });
    }
    const etag = `"${createHash('md5').update(content.body).digest('hex')}"`;
    const object = { ...content, key, etag, modifiedAt: this.#second() };
    this.#apply(bucketName, key, object);
    this.#options.changed?.({ bucket: bucketName, key, object });
    return object;
  }

  /** The object under a key. */
  get(bucketName: string, key: string): StoredObject | Rejection {
    const bucket = this.#buckets.get(bucketName);
    if (!bucket) return new Rejection('NoSuchBucket');
    return bucket.objects.get(key) ?? new Rejection('NoSuchKey');
  }

  /** Takes an object away; undefined where that went well, also where there was none. */
  delete(bucketName: string, key: string): Rejection | undefined {
    const bucket = this.#buckets.get(bucketName);
    if (!bucket) return new Rejection('NoSuchBucket');
    if (!bucket.objects.has(key)) return undefined;
    this.#apply(bucketName, key, undefined);
    this.#options.changed?.({ bucket: bucketName, key });
    return undefined;
  }

  /** The objects of a bucket in the order of the bytes of their keys; undefined where there is no such bucket. */
  objectsOf(
    bucketName: string,
  ): { readonly keys: readonly string[]; get(key: string): StoredObject } | undefined {
    const bucket = this.#buckets.get(bucketName);
    if (!bucket) return undefined;
    bucket.sortedKeys ??= inByteOrder(bucket.objects.keys());
    return {
      keys: bucket.sortedKeys,
      get(key) {
        const object = bucket.objects.get(key);
        if (!object) throw new Error(`the bucket ${bucketName} has no ${key} any more`);
        return object;
      },
    };
  }

  /** Resolves when all changes so far survive the end of the process. Rejects where they cannot be written. */
  async written(): Promise<void> {
    await this.#options.written?.();
  }

  #addBucket(name: string, createdAt: number): void {
    this.#buckets.set(name, { createdAt, objects: new Map(), sortedKeys: undefined });
  }

  #apply(bucketName: string, key: string, object: StoredObject | undefined): void {
    const bucket = this.#buckets.get(bucketName);
    if (!bucket) return;
    if (!object || !bucket.objects.has(key)) bucket.sortedKeys = undefined;
    if (object) bucket.objects.set(key, object);
    else bucket.objects.delete(key);
  }

  #second(): number {
    return Math.floor(this.#options.now() / 1000) * 1000;
  }
}

/** Whether one of the ETags in a header is this one; `*` is any. */
export function matches(header: string, etag: string): boolean {
  const bare = (text: string) => text.trim().replace(/^W\//, '').replaceAll('"', '');
  return header.trim() === '*' || header.split(',').some(each => bare(each) === bare(etag));
}

function faultOf(key: string, { headers, metadata }: ObjectContent): Rejection | undefined {
  if (key === '') return new Rejection('InvalidArgument', 'The key is empty');
  if (Buffer.byteLength(key) > KEY_BYTES_MAX) return new Rejection('KeyTooLongError');
  const unsendable = [...Object.entries(headers), ...Object.entries(metadata)].find(
    ([name, value]) => !HEADER_NAME.test(name) || !HEADER_VALUE.test(value),
  );
  if (unsendable) return new Rejection('InvalidArgument', `'${unsendable[0]}' cannot be sent as a header`);
  const bytes = Object.entries(metadata).map(([name, value]) => Buffer.byteLength(name + value));
  return bytes.reduce((sum, each) => sum + each, 0) > METADATA_BYTES_MAX
    ? new Rejection('MetadataTooLarge')
    : undefined;
}

// Text compares by UTF-16 units, which put what lies beyond the first plane before the end of it.
function inByteOrder(keys: Iterable<string>): readonly string[] {
  return [...keys]
    .map(key => ({ key, bytes: Buffer.from(key) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ key }) => key);
}
