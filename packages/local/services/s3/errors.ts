/** The rejections of S3 that there are here, each with its status and what it says. */
const REJECTIONS = {
  AccessDenied: [403, 'Access Denied'],
  AuthorizationQueryParametersError: [
    400,
    'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, ' +
      'X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
  ],
  BadDigest: [400, 'The Content-MD5 you specified did not match what we received.'],
  BucketAlreadyOwnedByYou: [
    409,
    'Your previous request to create the named bucket succeeded and you already own it.',
  ],
  BucketNotEmpty: [409, 'The bucket you tried to delete is not empty'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed size'],
  IncompleteBody: [
    400,
    'You did not provide the number of bytes specified by the Content-Length HTTP header',
  ],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidBucketName: [400, 'The specified bucket is not valid.'],
  InvalidDigest: [400, 'The Content-MD5 you specified was invalid.'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRequest: [400, 'Invalid Request'],
  InvalidURI: [400, "Couldn't parse the specified URI."],
  KeyTooLongError: [400, 'Your key is too long'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size'],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NotImplemented: [501, 'A header you provided implies functionality that is not implemented'],
  /** No rejection over HTTP, but one for state machines: there is no content. */
  NotModified: [304, 'null'],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold'],
  XAmzContentSHA256Mismatch: [
    400,
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  ],
} as const satisfies Readonly<Record<string, readonly [status: number, message: string]>>;

export type RejectionCode = keyof typeof REJECTIONS;

/** A request that S3 rejects. */
export class Rejection {
  readonly code: RejectionCode;
  readonly message: string;
  /** Of HTTP. */
  readonly status: number;
  /** What an answer over HTTP has beside the message. */
  readonly details: Readonly<Record<string, string | number>>;

  /** @param message - instead of what S3 mostly says with this code */
  constructor(code: RejectionCode, message?: string, details: Rejection['details'] = {}) {
    const [status, usual] = REJECTIONS[code];
    this.code = code;
    this.message = message ?? usual;
    this.status = status;
    this.details = details;
  }
}
