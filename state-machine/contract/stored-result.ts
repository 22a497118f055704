import { bothSpellings } from './error-names';
import { expression, literal } from './jsonata';
import { claimIdOf, RECORD, type ResultAttributes } from './record';
import { sha256 } from './sha256';

// The place of an object with a result, and the check that it does not belong to another key or attempt.

/**
 * An object in a bucket that holds a result as JSON.
 *
 * @example
 * const object = resultObjectOf(record);
 * if (object) console.log(object.bucket, object.key);
 */
export interface ResultObject {
  readonly bucket: string;
  readonly key: string;
  /** SHA-256 of the object's bytes, in base64: S3's checksum. */
  readonly sha256: string;
}

/**
 * In place of a result that is too long for what Step Functions passes on: where it is.
 *
 * @example
 * const report = await fetchResult(new S3(), pointer);
 */
export interface ResultPointer {
  readonly storedResult: ResultObject;
}

/** What the objects of one attempt have in front of their keys' last part, below the prefix of the bucket. */
export function attemptPrefix(recordKey: string, attempt: number): string {
  const scope = recordKey.slice(0, Math.max(recordKey.indexOf('#'), 0));
  return `${scope}/${sha256(recordKey)}/${attempt}/`;
}

/**
 * JSONata of the key of the object that an execution puts its result under, of the variables `idempotencyKey` and
 * `attempt`. Its last part tells one claim from another of the same attempt, as after a record has expired.
 */
export function objectKey(prefix: string, scope: string, variant: Parameters<typeof claimIdOf>[0]): string {
  const claim = `$hash($states.context.Execution.Id & '#' & ${claimIdOf(variant)}, 'SHA-256')`;
  return (
    `${literal(`${prefix}${scope}/`)} & $hash($idempotencyKey, 'SHA-256') & '/' & $formatBase($attempt, 10) & '/' & ` +
    `$substring(${claim}, 0, ${CLAIM_LENGTH})`
  );
}

const CLAIM_LENGTH = 32;

/** JSONata of the pointer to the object whose place and hash are in the variables of the record's attributes. */
export function storedPointer(bucket: string): string {
  const key = `$substringAfter($${RECORD.resultLocation}, ${literal(`s3://${bucket}/`)})`;
  const members = `'bucket': ${literal(bucket)}, 'key': ${key}, 'sha256': $${RECORD.resultHash}`;
  return `{'storedResult': {${members}}}`;
}

/** The bucket and key in a location; undefined for any other text. */
export function objectAt(location: string): Omit<ResultObject, 'sha256'> | undefined {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/su.exec(location) ?? [];
  return bucket === undefined || key === undefined ? undefined : { bucket, key };
}

const LOCATION = `$record.${RECORD.resultLocation}.S`;
const WITHOUT_SCHEME = `$substringAfter(${LOCATION}, 's3://')`;
/** Bucket and key of the record's object, as arguments of a request to S3. */
export const OBJECT_OF_RECORD = {
  Bucket: expression(`$substringBefore(${WITHOUT_SCHEME}, '/')`),
  Key: expression(`$substringAfter(${WITHOUT_SCHEME}, '/')`),
} as const;

/** How Step Functions names what S3 says of an object that there is not. */
export const OBJECT_GONE = [...bothSpellings('S3.NoSuchKey'), ...bothSpellings('S3.NoSuchBucket')];

/** JSONata of `body`, made of the read object, if it is the object that the attempt has put; else it fails. */
export function textOfObject(body: string): string {
  return (
    `$states.result.ChecksumSHA256 = $record.${RECORD.resultHash}.S ? ${body} : ` +
    "$error('the object is another one than the attempt has put')"
  );
}

/**
 * JSONata: true where the result in the variable `text` is a pointer to an object of this very key and attempt, of the
 * variables `recordKey` and `record`. What merely looks like one is data.
 */
export const IS_POINTER =
  '($contains($text, /^\\s*\\{\\s*"storedResult"/) ? ' +
  '( $given := $parse($text); $at := $given.storedResult; ' +
  "$count($keys($given)) = 1 and $type($at) = 'object' and $count($keys($at)) = 3 and " +
  "$type($at.bucket) & $type($at.sha256) & $type($at.key) = 'stringstringstring' and " +
  "( $parts := $split($at.key, '/'); $parts[-2] = $record.attempt.N and " +
  "$parts[-3] = $hash($recordKey, 'SHA-256') ) ) : false)";

/** A finished record, as far as it says where its result is. */
export interface FinishedRecord extends ResultAttributes {
  /** The partition key, `<scope>#<key>`. */
  readonly idempotencyKey: string;
  /** The attribute's text; absent where only the owner's execution has the result. */
  readonly result?: string | undefined;
}

/**
 * The object that holds a record's result; undefined where the result is not in a bucket.
 *
 * An object that the step has put there itself is known by the pointer that is the result. Only a pointer to a place of
 * this very key and attempt is one: a result that merely looks so, or a pointer out of another record, is data.
 *
 * @example
 * const object = resultObjectOf(record);
 * if (object) console.log(object.bucket, object.key);
 */
export function resultObjectOf(record: FinishedRecord): ResultObject | undefined {
  const { attempt, resultLocation, resultHash } = record;
  if (resultLocation?.split('/').at(-2) === String(attempt) && resultHash !== undefined) {
    const object = objectAt(resultLocation);
    if (object) return { ...object, sha256: resultHash };
  }
  const pointer = pointerIn(parsed(record.result));
  if (!pointer || attempt === undefined) return undefined;
  const own = attemptPrefix(record.idempotencyKey, attempt);
  const folder = pointer.key.slice(0, pointer.key.lastIndexOf('/') + 1);
  return folder === own || folder.endsWith(`/${own}`) ? pointer : undefined;
}

/** The object that a value points to; undefined for any value that is not exactly a {@link ResultPointer}. */
export function pointerIn(value: unknown): ResultObject | undefined {
  const pointed = onlyMembers(value, ['storedResult'])?.['storedResult'];
  const { bucket, key, sha256: hash } = onlyMembers(pointed, ['bucket', 'key', 'sha256']) ?? {};
  const isOne = typeof bucket === 'string' && typeof key === 'string' && typeof hash === 'string';
  return isOne ? { bucket, key, sha256: hash } : undefined;
}

function onlyMembers(value: unknown, names: readonly string[]): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = value as Record<string, unknown>;
  const isExact =
    Object.keys(members).length === names.length && names.every(name => Object.hasOwn(members, name));
  return isExact ? members : undefined;
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}
