import type { ServiceResult } from '../../runtime/service';
import type { FunctionError, LambdaServiceError } from './outcome';

/**
 * How Step Functions spells a service error: its name behind `Lambda.`, and the status that its cause
 * repeats.
 */
const SERVICE_ERRORS: Record<LambdaServiceError, { readonly name: string; readonly statusCode: number }> = {
  ResourceNotFoundException: { name: 'ResourceNotFoundException', statusCode: 404 },
  RequestTooLargeException: { name: 'RequestTooLargeException', statusCode: 413 },
  TooManyRequestsException: { name: 'TooManyRequestsException', statusCode: 429 },
  ServiceException: { name: 'ServiceException', statusCode: 500 },
  // The SDK of the optimized integration has no class of its own for this one.
  ValidationException: { name: 'AWSLambdaException', statusCode: 400 },
};

/**
 * How a state fails whose function failed: by the error type the function reported, with the payload's text.
 */
export function functionFailure({ errorType, payloadText }: FunctionError): ServiceResult {
  if (errorType !== '') return { kind: 'failed', error: errorType, cause: payloadText };
  const reason = 'The cause could not be determined because Lambda did not return an error type.';
  return { kind: 'failed', error: 'Lambda.Unknown', cause: `${reason} Returned payload: ${payloadText}` };
}

/** How a state fails that Lambda refused to run a function for. */
export function serviceFailure(error: LambdaServiceError, message: string, requestId: string): ServiceResult {
  const { name, statusCode } = SERVICE_ERRORS[error];
  const code = `Status Code: ${statusCode}; Error Code: ${error}`;
  const cause = `${message} (Service: AWSLambda; ${code}; Request ID: ${requestId}; Proxy: null)`;
  return { kind: 'failed', error: `Lambda.${name}`, cause };
}

/** How a state fails whose arguments never make a call. */
export function malformedFailure(argumentsText: string, reason: string): ServiceResult {
  const cause = `The Arguments '${argumentsText}' could not be used to start the Task: [${reason}]`;
  return { kind: 'failed', error: 'States.Runtime', cause };
}
