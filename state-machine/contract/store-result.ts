import { createHash } from 'node:crypto';
import type { StepEvent } from './step-event';
import { attemptPrefix, pointerIn, type ResultObject, type ResultPointer } from './stored-result';

/**
 * What puts an object: the client `S3` of `@aws-sdk/client-s3`, or what is like it.
 *
 * @example
 * const s3: ObjectWriter = new S3();
 */
export interface ObjectWriter {
  putObject(request: {
    readonly Bucket: string;
    readonly Key: string;
    readonly Body: string;
    readonly ContentType: string;
    readonly ChecksumSHA256: string;
  }): Promise<unknown>;
}

/**
 * What gets an object: the same.
 *
 * @example
 * const s3: ObjectReader = new S3();
 */
export interface ObjectReader {
  getObject(request: { readonly Bucket: string; readonly Key: string }): Promise<{
    readonly Body?: { transformToString(): Promise<string> } | undefined;
  }>;
}

/**
 * The bucket of the workflow's `results`, and its prefix there.
 *
 * @example
 * const results: ResultLocation = { bucket: 'results', prefix: 'reports/' };
 */
export interface ResultLocation {
  readonly bucket: string;
  /** @default - nothing */
  readonly prefix?: string;
}

/**
 * For a business step whose result is longer than the 256 KiB that enter a workflow: puts it into the bucket, and
 * gives what the step returns in its place. All deliveries of the key are answered with that.
 *
 * The object's key consists of the key and the attempt of the event and a hash of the object. A second run of the step
 * puts the same result in the same place, and another result in another one. S3 checks what it gets against its hash.
 *
 * @throws TypeError for what JSON cannot hold; what the client throws, where S3 has not taken it
 *
 * @example
 * return await storeResult(new S3(), event, report, { bucket: 'results' });
 */
export async function storeResult(
  s3: ObjectWriter,
  { idempotencyKey, attempt }: Pick<StepEvent, 'idempotencyKey' | 'attempt'>,
  result: unknown,
  { bucket, prefix = '' }: ResultLocation,
): Promise<ResultPointer> {
  const text = JSON.stringify(result) as string | undefined;
  if (text === undefined) throw new TypeError(`\`result\` must be a JSON value, got ${typeof result}`);
  const hash = createHash('sha256').update(text).digest();
  const key = `${prefix}${attemptPrefix(idempotencyKey, attempt)}${hash.toString('hex')}`;
  const sha256 = hash.toString('base64');
  await s3.putObject({
    Bucket: bucket,
    Key: key,
    Body: text,
    ContentType: 'application/json',
    ChecksumSHA256: sha256,
  });
  return { storedResult: { bucket, key, sha256 } };
}

/**
 * The result that a pointer, or the object in it, points to.
 *
 * Take a pointer only from a workflow that you know: whatever it names is read, with your permissions.
 *
 * @throws Error for a value that is not a pointer, and if the object is gone or has been replaced
 *
 * @example
 * const report = await fetchResult(new S3(), pointer);
 */
export async function fetchResult(s3: ObjectReader, from: ResultPointer | ResultObject): Promise<unknown> {
  const object = 'storedResult' in from ? pointerIn(from) : from;
  if (!object) throw new Error('`fetchResult` takes what a workflow has answered with, {storedResult: {…}}');
  const text = await fetchResultText(s3, object);
  if (text === undefined)
    throw new Error(
      `s3://${object.bucket}/${object.key} is another object than the one that was put there as a result`,
    );
  return JSON.parse(text);
}

/**
 * The JSON text of a result, as it is in its object; undefined where that is another one than was put there.
 *
 * @throws what the client throws, also where there is no object
 */
export async function fetchResultText(
  s3: ObjectReader,
  { bucket, key, sha256 }: ResultObject,
): Promise<string | undefined> {
  const { Body } = await s3.getObject({ Bucket: bucket, Key: key });
  const text = (await Body?.transformToString()) ?? '';
  return createHash('sha256').update(text).digest('base64') === sha256 ? text : undefined;
}
