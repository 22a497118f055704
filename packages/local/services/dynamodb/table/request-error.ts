import type { JsonObject } from '../../../json/json';

/** What DynamoDB rejects, in its words. Thrown within a request and caught where the request came in. */
export class RequestError extends Error {
  /** DynamoDB's error code, such as `ConditionalCheckFailedException`. */
  readonly code: RequestErrorCode;
  /** What the answer holds beside the message: the item that failed a condition, the reasons of a transaction. */
  readonly members: JsonObject;

  constructor(message: string, code: RequestErrorCode = 'ValidationException', members: JsonObject = {}) {
    super(message);
    this.code = code;
    this.members = members;
  }
}

/** The errors that the local DynamoDB answers with. */
export type RequestErrorCode =
  | 'AccessDeniedException'
  | 'ConditionalCheckFailedException'
  | 'IdempotentParameterMismatchException'
  | 'MissingAuthenticationTokenException'
  | 'PolicyNotFoundException'
  | 'ResourceInUseException'
  | 'ResourceNotFoundException'
  | 'SerializationException'
  | 'TransactionCanceledException'
  | 'UnknownOperationException'
  | 'UnsupportedOperationException'
  | 'ValidationException';
