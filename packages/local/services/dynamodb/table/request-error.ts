/** What DynamoDB refuses, in its words. Thrown within the table and caught where the request came in. */
export class RequestError extends Error {
  /** DynamoDB's error code. */
  readonly code: 'ValidationException' | 'ConditionalCheckFailedException';

  constructor(message: string, code: RequestError['code'] = 'ValidationException') {
    super(message);
    this.code = code;
  }
}
