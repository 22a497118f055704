import type { ApiAnswer, ApiRequest } from '../../../api/exchange';
import { xmlOf } from '../../../api/xml';
import type { Buckets } from '../buckets';
import type { Rejection, RejectionCode } from '../errors';

/** A request with the bucket and the key that its path names. */
export interface S3Request extends ApiRequest {
  /** Empty where the path names none. */
  readonly bucket: string;
  /** Decoded. Empty where the path names none. */
  readonly key: string;
}

/** What operations are carried out on. */
export interface Target {
  readonly buckets: Buckets;
  readonly region: string;
}

/** An operation of the REST API. */
export interface Operation {
  /** What of the query it knows. A request with anything else is for another operation. */
  readonly query?: readonly string[];
  perform(target: Target, request: S3Request): ApiAnswer | Rejection;
}

/** An answer without a body. */
export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): ApiAnswer {
  return { status, headers, body: '' };
}

export function xmlAnswer(name: string, content: object): ApiAnswer {
  const body = `<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${xmlOf(content)}</${name}>`;
  return { status: 200, headers: XML, body: XML_HEAD + body };
}

/** What a path names, decoded; undefined where it is not encoded as it should be. */
export function namesIn(path: string): { readonly bucket: string; readonly key: string } | undefined {
  const [, bucket = '', key = ''] = /^\/?([^/]*)\/?(.*)$/s.exec(path) ?? [];
  try {
    return { bucket: decodeURIComponent(bucket), key: decodeURIComponent(key) };
  } catch {
    return undefined;
  }
}

/** The ID that S3 gives a request beside the first. */
export function hostIdOf(requestId: string): string {
  return Buffer.from(requestId).toString('base64');
}

/** The rejections that name the bucket, or the key. */
const NAMING: { readonly [Code in RejectionCode]?: 'BucketName' | 'Key' } = {
  BucketAlreadyOwnedByYou: 'BucketName',
  BucketNotEmpty: 'BucketName',
  InvalidBucketName: 'BucketName',
  NoSuchBucket: 'BucketName',
  NoSuchKey: 'Key',
};

/** A rejection in XML, of a request for the thing at this path. */
export function rejectionAnswer(
  { code, message, status, details }: Rejection,
  { path = '', requestId }: { readonly path?: string; readonly requestId: string },
): ApiAnswer {
  const names = namesIn(path);
  const naming = NAMING[code];
  const error = xmlOf({
    Code: code,
    Message: message,
    ...details,
    ...(naming && { [naming]: naming === 'Key' ? names?.key : names?.bucket }),
    RequestId: requestId,
    HostId: hostIdOf(requestId),
  });
  return { status, headers: XML, body: `${XML_HEAD}<Error>${error}</Error>` };
}

const XML = { 'content-type': 'application/xml' };
const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
