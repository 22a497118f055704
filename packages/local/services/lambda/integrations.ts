import { randomUUID } from 'node:crypto';
import type { Json } from '../../json/json';
import type { Service, ServiceCall, ServiceResult, ServiceTable } from '../../runtime/calls/service';
import { type InvokeArguments, readArguments, rejectionOf } from './arguments';
import type { LambdaFunctions } from './functions';
import { InvocationLog } from './invocation-log';
import type { FunctionError, InvokeOutcome, LambdaServiceError } from './outcome';
import { type ReadPayload, readPayload } from './payload';
import { emptyResult, invokeResult, type ResponseIdentity } from './result-shape';

/** What an answer carries besides the function's own. Give both where histories must come out the same twice. */
export interface AnswerOptions {
  /** @default - random UUIDs */
  readonly newRequestId?: () => string;
  /**
   * Epoch milliseconds, for the `Date` header.
   *
   * @default - the machine's clock
   */
  readonly now?: () => number;
}

/** The integration `lambda:invoke`, and that of states that name a function by its bare ARN. */
export function lambdaIntegrations(functions: LambdaFunctions, options: AnswerOptions = {}): ServiceTable {
  return new Map([
    ['lambda:invoke', invokeIntegration(functions, options)],
    ['lambda:function', functionIntegration(functions, options)],
  ]);
}

/**
 * The integration `lambda:invoke`.
 *
 * A function that fails makes its state fail with the error type it reported, a call that Lambda rejects with
 * `Lambda.<Exception>`. An aborted call leaves the function running, as on AWS; `Event` calls are made once,
 * without Lambda's two repetitions after a failure.
 */
function invokeIntegration(
  functions: LambdaFunctions,
  { newRequestId = randomUUID, now = Date.now }: AnswerOptions,
): Service {
  async function call({ arguments: given }: ServiceCall): Promise<ServiceResult> {
    const requestId = newRequestId();
    const read = readArguments(given);
    return read.kind === 'invalid'
      ? serviceFailure(read.error, read.message, requestId)
      : invokeWith(read.arguments, requestId);
  }

  async function invokeWith(read: InvokeArguments, requestId: string): Promise<ServiceResult> {
    const body = requestPayload(read.payload);
    return body.kind === 'invalid'
      ? serviceFailure('InvalidRequestContentException', body.message, requestId)
      : invoke({ ...read, payload: body.value }, requestId);
  }

  async function invoke(read: InvokeArguments, requestId: string): Promise<ServiceResult> {
    const { functionName, payload, invocationType, tailsLog } = read;
    const spec = functions.find(functionName);
    if (invocationType === 'RequestResponse' || !spec) {
      const log = tailsLog && spec ? new InvocationLog(spec, requestId) : undefined;
      const startedAt = now();
      const outcome = await functions.invoke(functionName, payload, requestId, line => log?.add(line));
      const answeredAt = now();
      const logResult = log?.tail(answeredAt - startedAt);
      return resultOf(outcome, { requestId, answeredAt, ...(logResult !== undefined && { logResult }) });
    }
    const identity = { requestId, answeredAt: now() };
    if (invocationType === 'DryRun') return { kind: 'succeeded', output: emptyResult(204, identity) };
    void functions.invoke(functionName, payload, requestId);
    return { kind: 'succeeded', output: emptyResult(202, identity) };
  }

  return { rejectionOf, call };
}

/** What the function gets: Step Functions sends a text as it is for the request's body, all else as JSON. */
function requestPayload(payload: Json): ReadPayload {
  return typeof payload === 'string'
    ? readPayload(Buffer.from(payload))
    : { kind: 'payload', value: payload };
}

/** A function that a state names by its bare ARN: the result is the payload alone. */
function functionIntegration(
  functions: LambdaFunctions,
  { newRequestId = randomUUID }: AnswerOptions,
): Service {
  return {
    async call({ arguments: given }: ServiceCall): Promise<ServiceResult> {
      const requestId = newRequestId();
      const read = readArguments(given);
      if (read.kind !== 'arguments') throw new Error(`no function in ${JSON.stringify(given)}`);
      const { functionName, payload } = read.arguments;
      const outcome = await functions.invoke(functionName, payload, requestId);
      if (outcome.kind === 'succeeded') return { kind: 'succeeded', output: outcome.payload };
      return resultOf(outcome, { requestId, answeredAt: 0 });
    },
  };
}

function resultOf(outcome: InvokeOutcome, identity: ResponseIdentity): ServiceResult {
  switch (outcome.kind) {
    case 'succeeded':
      return { kind: 'succeeded', output: invokeResult(outcome.payload, identity) };
    case 'functionError':
      return functionFailure(outcome);
    case 'serviceError':
      return serviceFailure(outcome.error, outcome.message, identity.requestId);
  }
}

/**
 * How Step Functions spells a service error: its name behind `Lambda.`, and the status that its cause
 * repeats.
 */
const SERVICE_ERRORS: Record<LambdaServiceError, { readonly name: string; readonly statusCode: number }> = {
  InvalidRequestContentException: { name: 'InvalidRequestContentException', statusCode: 400 },
  ResourceNotFoundException: { name: 'ResourceNotFoundException', statusCode: 404 },
  RequestTooLargeException: { name: 'RequestTooLargeException', statusCode: 413 },
  TooManyRequestsException: { name: 'TooManyRequestsException', statusCode: 429 },
  ServiceException: { name: 'ServiceException', statusCode: 500 },
  InvalidRuntimeException: { name: 'InvalidRuntimeException', statusCode: 502 },
  // The SDK of the optimized integration has no class of its own for this one.
  ValidationException: { name: 'AWSLambdaException', statusCode: 400 },
};

/**
 * How a state fails whose function failed: by the error type the function reported, with the payload's text.
 */
function functionFailure({ errorType, payloadText }: FunctionError): ServiceResult {
  if (errorType !== '') return { kind: 'failed', error: errorType, cause: payloadText };
  const reason = 'The cause could not be determined because Lambda did not return an error type.';
  return { kind: 'failed', error: 'Lambda.Unknown', cause: `${reason} Returned payload: ${payloadText}` };
}

/** How a state fails for which Lambda did not run the function. */
function serviceFailure(error: LambdaServiceError, message: string, requestId: string): ServiceResult {
  const { name, statusCode } = SERVICE_ERRORS[error];
  const code = `Status Code: ${statusCode}; Error Code: ${error}`;
  const cause = `${message} (Service: AWSLambda; ${code}; Request ID: ${requestId}; Proxy: null)`;
  return { kind: 'failed', error: `Lambda.${name}`, cause };
}
