import type { Json } from '../../json/json';

/**
 * How an invocation ended, as the Invoke API reports it.
 *
 * `functionError` is the answer with `FunctionError: Unhandled`; `payloadText` is the JSON text of its
 * payload and `errorType` the payload's member of that name, empty when the function's error had none.
 * `serviceError` means that the function did not run, or that its answer will never come.
 */
export type InvokeOutcome =
  | { readonly kind: 'succeeded'; readonly payload: Json }
  | FunctionError
  | { readonly kind: 'serviceError'; readonly error: LambdaServiceError; readonly message: string };

/** The answer of a function that failed, whichever of the handler, the runtime and Lambda says so. */
export interface FunctionError {
  readonly kind: 'functionError';
  readonly errorType: string;
  readonly payloadText: string;
}

/** The errors of the Invoke API that can happen here, without the prefix that Step Functions gives them. */
export type LambdaServiceError =
  | 'InvalidRequestContentException'
  | 'InvalidRuntimeException'
  | 'ResourceNotFoundException'
  | 'RequestTooLargeException'
  | 'TooManyRequestsException'
  | 'ServiceException'
  | 'ValidationException';

/** AWS quota: 6 MB for a synchronous request, in bytes of its JSON text. */
export const REQUEST_BYTES_MAX = 6_291_456;

/** AWS quota: 6 MB for a response plus 100 bytes of envelope, in bytes of its JSON text. */
export const RESPONSE_BYTES_MAX = 6_291_556;

/** The failure whose payload the process has written. */
export function functionError(payloadText: string): FunctionError {
  const payload: unknown = JSON.parse(payloadText);
  const hasType = typeof payload === 'object' && payload !== null && 'errorType' in payload;
  const errorType = hasType && typeof payload.errorType === 'string' ? payload.errorType : '';
  return { kind: 'functionError', errorType, payloadText };
}

/** The function did not answer within its timeout. */
export function timedOut(requestId: string, timeoutSeconds: number): FunctionError {
  const seconds = timeoutSeconds.toFixed(2);
  return processError('Sandbox.Timedout', requestId, `Task timed out after ${seconds} seconds`);
}

/** The function's process ended before it answered, with an exit code or by a signal. */
export function exited(requestId: string, end: number | NodeJS.Signals): FunctionError {
  const status = typeof end === 'number' ? `exit status ${end}` : `signal: ${SIGNALS[end] ?? end}`;
  // Lambda has no reason to give for an exit with status 0: nothing failed, and yet there is no answer.
  const reason = end === 0 ? 'without providing a reason' : `with error: ${status}`;
  return processError('Runtime.ExitError', requestId, `Runtime exited ${reason}`);
}

const SIGNALS: Readonly<Partial<Record<NodeJS.Signals, string>>> = {
  SIGABRT: 'aborted',
  SIGKILL: 'killed',
  SIGSEGV: 'segmentation fault',
  SIGTERM: 'terminated',
};

/** The function needed more memory than it has. */
export function outOfMemory(requestId: string): FunctionError {
  return processError('Runtime.OutOfMemory', requestId, 'Runtime exited with error: signal: killed');
}

/** The function's response, or the description of its error, is larger than Lambda carries. */
export function responseTooLarge(): FunctionError {
  const limit = `maximum allowed payload size (${RESPONSE_BYTES_MAX} bytes)`;
  return functionErrorOf('Function.ResponseSizeTooLarge', `Response payload size exceeded ${limit}.`);
}

/** The environment was taken away under the invocation, because the whole runtime closes. */
export function runtimeClosed(): InvokeOutcome {
  const message = 'The local Lambda runtime was closed before the function answered.';
  return { kind: 'serviceError', error: 'ServiceException', message };
}

function processError(errorType: string, requestId: string, reason: string): FunctionError {
  return functionErrorOf(errorType, `RequestId: ${requestId} Error: ${reason}`);
}

function functionErrorOf(errorType: string, errorMessage: string): FunctionError {
  return { kind: 'functionError', errorType, payloadText: JSON.stringify({ errorType, errorMessage }) };
}
