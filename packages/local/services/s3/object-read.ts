import { matches, type StoredObject } from './buckets';
import { Rejection } from './errors';

/** Under which conditions an object is read, and which part of it, as headers give them. */
export interface ReadRequest {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSince?: string | undefined;
  readonly ifUnmodifiedSince?: string | undefined;
  readonly range?: string | undefined;
}

/** A part of an object; without `contentRange` all of it. */
export interface ObjectPart {
  readonly body: Buffer;
  /** E.g. `bytes 0-9/100`. */
  readonly contentRange?: string;
}

/** What a request to read comes to: `notModified` where the reader has it already. */
export function readObject(
  object: StoredObject,
  request: ReadRequest,
  now: number,
): ObjectPart | 'notModified' | Rejection {
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince, range } = request;
  if (ifMatch === undefined ? isAfter(object, ifUnmodifiedSince) : !matches(ifMatch, object.etag)) {
    const Condition = ifMatch === undefined ? 'If-Unmodified-Since' : 'If-Match';
    return new Rejection('PreconditionFailed', undefined, { Condition });
  }
  if (ifNoneMatch !== undefined) {
    if (matches(ifNoneMatch, object.etag)) return 'notModified';
  } else if (isAfter(object, pastOnly(ifModifiedSince, now)) === false) return 'notModified';
  return partOf(object.body, range);
}

/** A time in the future counts as none, as HTTP says. */
function pastOnly(time: string | undefined, now: number): string | undefined {
  return time !== undefined && Date.parse(time) > now ? undefined : time;
}

/** Whether the object is newer than a time; undefined without a time that can be read. */
function isAfter({ modifiedAt }: StoredObject, time: string | undefined): boolean | undefined {
  const at = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(at) ? undefined : modifiedAt > at;
}

/** Anything but one range of bytes is as none. */
function partOf(body: Buffer, range: string | undefined): ObjectPart | Rejection {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range?.trim() ?? '') ?? [];
  if (first === '' && last === '') return { body };
  const size = body.length;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return { body };
  if (start >= size) {
    return new Rejection('InvalidRange', undefined, { RangeRequested: `${range}`, ActualObjectSize: size });
  }
  return { body: body.subarray(start, end + 1), contentRange: `bytes ${start}-${end}/${size}` };
}
