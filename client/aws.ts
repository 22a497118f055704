import { StartOnceError } from './errors';

/** The operations of AWS that `startOnce` calls, and the permission each of them needs. */
const PERMISSION = {
  StartExecution: 'states:StartExecution on the state machine',
  StartSyncExecution: 'states:StartSyncExecution on the state machine',
  DescribeExecution: "states:DescribeExecution on the state machine's executions",
  GetItem: 'dynamodb:GetItem on the table, and, if it has an encryption key, kms:Decrypt on the key',
} as const;

/** One of the operations that `startOnce` calls. */
export type Operation = keyof typeof PERMISSION;

/**
 * The answer of AWS, or undefined where it is the one error that the caller expects.
 *
 * @throws StartOnceError for any other error, with the SDK's as its cause
 */
export async function answerOf<Answer>(
  operation: Operation,
  call: Promise<Answer>,
  expectedError?: string,
  executionArn?: string,
): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    // By name: the client may come from another copy of the SDK, with classes of its own.
    if (expectedError !== undefined && nameOf(error) === expectedError) return undefined;
    // The SDK's message is left to the cause: a validation error may quote what it rejects.
    const message = `${operation} failed with ${nameOf(error)}: ${remedyFor(operation, error)}`;
    throw new StartOnceError(message, {
      operation,
      cause: error,
      ...(executionArn !== undefined && { executionArn }),
    });
  }
}

/** Whether the same call may succeed in a moment: AWS did not answer, is not well, or has too much to do. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof StartOnceError) || error.operation === undefined) return false;
  const status = statusOf(error.cause);
  return status === undefined || status >= 500 || status === 429 || isThrottling(error.cause);
}

function remedyFor(operation: Operation, error: unknown): string {
  const name = nameOf(error);
  if (/^AccessDenied/.test(name)) return `allow ${PERMISSION[operation]}`;
  if (/^StateMachine(?:DoesNotExist|Deleting)$|^InvalidArn$/.test(name)) {
    return 'check `stateMachineArn`, and the region and account of the client';
  }
  if (name === 'StateMachineTypeNotSupported') return 'check `type`: the state machine has the other type';
  if (name === 'ResourceNotFoundException') return 'check `table`, and the region and account of the client';
  if (/Token|Credential|Signature/.test(name)) return 'check the credentials of the client';
  if (name === 'ValidationException') return 'check the options; the cause says which value AWS rejected';
  return 'see the cause; calling again with the same key is safe';
}

function isThrottling(error: unknown): boolean {
  return /Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded/.test(nameOf(error));
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'no error';
}

function statusOf(error: unknown): number | undefined {
  const metadata =
    typeof error === 'object' && error !== null && '$metadata' in error ? error.$metadata : undefined;
  return (metadata as { readonly httpStatusCode?: number } | undefined)?.httpStatusCode;
}
