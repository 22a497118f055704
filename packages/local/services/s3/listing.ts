import type { Buckets, StoredObject } from './buckets';
import { Rejection } from './errors';

/** Which objects of a bucket are listed. */
export interface ListRequest {
  readonly bucket: string;
  readonly prefix?: string | undefined;
  /** Keys with this behind the prefix are rolled up into one common prefix. */
  readonly delimiter?: string | undefined;
  /** Keys up to this one are left out, and so are all keys under this one, if it is a common prefix. */
  readonly after?: string | undefined;
  /** Whether `after` is a marker, which a common prefix must come after itself. @default false */
  readonly isMarker?: boolean;
  /** Objects and common prefixes together. @default 1,000, which is the most */
  readonly max?: number | undefined;
}

/** One page of a listing, in the order of keys. */
export interface Listing {
  readonly objects: readonly StoredObject[];
  readonly commonPrefixes: readonly string[];
  readonly max: number;
  /** What the next page comes after; undefined where this is the last. */
  readonly next: string | undefined;
}

const KEYS_MAX = 1000;

export function listObjects(buckets: Buckets, request: ListRequest): Listing | Rejection {
  const {
    bucket,
    prefix = '',
    delimiter = '',
    after = '',
    isMarker = false,
    max: asked = KEYS_MAX,
  } = request;
  const stored = buckets.objectsOf(bucket);
  if (!stored) return new Rejection('NoSuchBucket');
  const max = Math.min(asked, KEYS_MAX);
  const objects: StoredObject[] = [];
  const commonPrefixes: string[] = [];
  const start = Buffer.from(after);
  let last = '';
  for (const key of stored.keys) {
    if (!key.startsWith(prefix)) continue;
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const name = end < 0 ? key : key.slice(0, end + delimiter.length);
    const isListed = name !== key && name === commonPrefixes.at(-1);
    const isBefore = Buffer.compare(Buffer.from(isMarker ? name : key), start) <= 0;
    if (isListed || name === after || isBefore) continue;
    const count = objects.length + commonPrefixes.length;
    if (count === max) return { objects, commonPrefixes, max, next: max === 0 ? undefined : last };
    if (end < 0) objects.push(stored.get(key));
    else commonPrefixes.push(name);
    last = name;
  }
  return { objects, commonPrefixes, max, next: undefined };
}
