import { RequestError } from '../../api/errors';
import type { ApiAnswer, ApiRequest, ServiceRoute } from '../../api/exchange';
import type { Json } from '../../json/json';
import { enumViolation, INVOCATION_TYPES } from './arguments';
import type { LambdaFunctions } from './functions';
import { InvocationLog } from './invocation-log';
import { type LambdaServiceError, REQUEST_BYTES_MAX } from './outcome';
import { readPayload } from './payload';

/** The path of Invoke; the group is the function's name or ARN. */
const INVOKE_PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations\/?$/;

/** Lambda Invoke: `POST /2015-03-31/functions/<name>/invocations`. */
export function lambdaRoute(functions: LambdaFunctions): ServiceRoute {
  return {
    service: { title: 'Lambda', signingName: 'lambda' },
    requests: { path: INVOKE_PATH },
    contentTypes: ['application/json', 'application/octet-stream'],
    bodyBytesMax: REQUEST_BYTES_MAX,
    async handle(request) {
      const name = functionName(request);
      const payload = readPayload(request.body);
      if (payload.kind === 'invalid') return rejection('InvalidRequestContentException', payload.message);
      const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
      const logType = request.headers['x-amz-log-type'] ?? 'None';
      if (logType !== 'None' && logType !== 'Tail') return notInEnum(logType, 'logType', ['None', 'Tail']);
      switch (type) {
        case 'RequestResponse':
          return logType === 'Tail'
            ? invokeWithLog(functions, name, payload.value, request.requestId)
            : invoke(functions, name, payload.value, request.requestId);
        case 'Event':
        case 'DryRun':
          // Whether there is such a function is said at once; what becomes of the event is not waited for.
          if (!functions.find(name)) return invoke(functions, name, payload.value, request.requestId);
          if (type === 'DryRun') return { status: 204, headers: {}, body: '' };
          void functions.invoke(name, payload.value, request.requestId);
          return { status: 202, headers: {}, body: '' };
        default:
          return notInEnum(type, 'invocationType', INVOCATION_TYPES);
      }
    },
  };
}

function notInEnum(given: string | string[], member: string, values: readonly string[]): ApiAnswer {
  return rejection('ValidationException', enumViolation(String(given), member, values));
}

/** An answer with the end of the invocation's log, if there was an invocation. */
async function invokeWithLog(
  functions: LambdaFunctions,
  name: string,
  payload: Json,
  requestId: string,
): Promise<ApiAnswer> {
  const spec = functions.find(name);
  if (!spec) return invoke(functions, name, payload, requestId);
  const log = new InvocationLog(spec, requestId);
  const start = performance.now();
  const answer = await invoke(functions, name, payload, requestId, line => log.add(line));
  if (answer.status !== 200) return answer;
  const tail = log.tail(performance.now() - start);
  return { ...answer, headers: { ...answer.headers, 'x-amz-log-result': tail } };
}

async function invoke(
  functions: LambdaFunctions,
  name: string,
  payload: Json,
  requestId: string,
  log?: (line: string) => void,
): Promise<ApiAnswer> {
  const outcome = await functions.invoke(name, payload, requestId, log);
  const headers = { 'content-type': 'application/json', 'x-amz-executed-version': '$LATEST' };
  switch (outcome.kind) {
    case 'succeeded':
      return { status: 200, headers, body: JSON.stringify(outcome.payload) };
    case 'functionError':
      return {
        status: 200,
        headers: { ...headers, 'x-amz-function-error': 'Unhandled' },
        body: outcome.payloadText,
      };
    case 'serviceError':
      return rejection(outcome.error, outcome.message);
    default:
      return outcome satisfies never;
  }
}

function functionName({ path, query }: ApiRequest): string {
  const name = decode(INVOKE_PATH.exec(path)?.[1] ?? '');
  const qualifier = query.get('Qualifier');
  return qualifier === null ? name : `${name}:${qualifier}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RequestError('SerializationException', `'${text}' is not a well-formed path segment.`);
  }
}

const STATUS: { readonly [Name in LambdaServiceError]: number } = {
  InvalidRequestContentException: 400,
  ValidationException: 400,
  ResourceNotFoundException: 404,
  RequestTooLargeException: 413,
  TooManyRequestsException: 429,
  InvalidRuntimeException: 502,
  ServiceException: 500,
};

// Lambda speaks REST with JSON: the error's name is in a header, and its message begins with a capital.
function rejection(name: keyof typeof STATUS, message: string): ApiAnswer {
  const type = STATUS[name] >= 500 ? 'Service' : 'User';
  return {
    status: STATUS[name],
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': name },
    body: JSON.stringify({ Type: type, Message: message }),
  };
}
