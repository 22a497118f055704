import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { ServiceResult } from '../../runtime/service';

/** The two integrations of DynamoDB name and describe the same failure differently. */
export type Flavour = 'optimized' | 'aws-sdk';

/**
 * A failed DynamoDB call as the Task state of this flavour reports it.
 *
 * @throws what is neither an answer of the service nor a broken connection: then the fault is here
 */
export function failureOf(error: unknown, flavour: Flavour): ServiceResult {
  if (error instanceof DynamoDBServiceException) {
    const name = `${PREFIX[flavour]}.${className(error, flavour)}`;
    return { kind: 'failed', error: name, cause: causeOf(error, flavour) };
  }
  if (!isConnectionError(error)) throw error;
  const cause = `Unable to execute HTTP request: ${error.message}`;
  return { kind: 'failed', error: `${PREFIX[flavour]}.SdkClientException`, cause };
}

// Node's socket errors have a code (ECONNRESET); the SDK's own timeouts a name.
function isConnectionError(error: unknown): error is { readonly message: string } {
  if (typeof error !== 'object' || error === null) return false;
  if (!('message' in error)) return false;
  const { message } = error;
  return (
    'code' in error || ('name' in error && error.name === 'TimeoutError') || WRAPPED.test(String(message))
  );
}

// The SDK wraps errors of another realm and keeps only their text.
const WRAPPED = /^AWS SDK error wrapper for (TimeoutError|Error: (socket|connect|read|write) )/;

const PREFIX = { optimized: 'DynamoDB', 'aws-sdk': 'DynamoDb' } as const;
/** What an error is called that the service does not declare, such as ValidationException. */
const UNDECLARED = { optimized: 'AmazonDynamoDBException', 'aws-sdk': 'DynamoDbException' } as const;

function className(error: DynamoDBServiceException, flavour: Flavour): string {
  const isDeclared = error.constructor !== DynamoDBServiceException;
  if (!isDeclared) return UNDECLARED[flavour];
  // The integrations name Java's exception class, which always ends so; the error code may not (InternalServerError).
  return error.name.endsWith('Exception') ? error.name : `${error.name}Exception`;
}

function causeOf(error: DynamoDBServiceException, flavour: Flavour): string {
  const status = error.$metadata.httpStatusCode ?? 400;
  const requestId = error.$metadata.requestId ?? '';
  return flavour === 'optimized'
    ? `${error.message} (Service: AmazonDynamoDBv2; Status Code: ${status}; Error Code: ${error.name}; ` +
        `Request ID: ${requestId}; Proxy: null)`
    : `${error.message} (Service: DynamoDb, Status Code: ${status}, Request ID: ${requestId})`;
}
