import type { JsonObject } from '../../json/json';
import type { MappingEvaluator } from '../../runtime/evaluation/evaluator';
import type { Clock } from '../../runtime/time/clock';
import type { WorkTracker } from '../../runtime/time/work-tracker';
import type { Environment, HttpPrincipal, ServiceDirectory } from '../local-service';
import { callerOf, foreignPageProblem } from './authorize';
import { callService } from './call-service';
import { idOf } from './cloudformation';
import { type GatewayAnswer, gatewayAnswer, type Rejection, reject } from './gateway-response';
import { answerByFunction } from './lambda-proxy';
import { type IntegrationAnswer, type MappingInput, mapRequest, mapResponse } from './mapped-integration';
import type { Integration, Mapping } from './read-method';
import {
  type Caller,
  type GatewayRequest,
  headerOf,
  methodContext,
  parametersOf,
  requestContext,
} from './request';
import { findMethod, type MethodMatch, type RestApi } from './rest-api';

/** What answering requests takes. */
export interface GatewayOptions {
  readonly environment: Environment;
  readonly services: ServiceDirectory;
  readonly clock: Clock;
  readonly work: WorkTracker;
  readonly evaluator: MappingEvaluator;
  readonly principal: HttpPrincipal;
  /** Receives the faults of an API, which its author must know and no client may. */
  readonly report: (problem: string) => void;
}

/** The answer to a request for a stage of an API, or why API Gateway answers itself. */
export async function answerRequest(
  api: RestApi,
  request: GatewayRequest,
  options: GatewayOptions,
): Promise<GatewayAnswer> {
  const { account } = options.environment;
  const context = requestContext(request, { id: api.spec.id, account });
  const outcome = await outcomeOf(api, request, context, options);
  return 'kind' in outcome ? gatewayAnswer(outcome, api.gatewayResponses, context, request) : outcome;
}

async function outcomeOf(
  api: RestApi,
  request: GatewayRequest,
  known: JsonObject,
  options: GatewayOptions,
): Promise<GatewayAnswer | Rejection> {
  const { services, principal, environment, report } = options;
  const match = findMethod(api, request.httpMethod, request.path);
  if (!match) return reject('MISSING_AUTHENTICATION_TOKEN');
  const foreign = foreignPageProblem(api, request, match, principal);
  if (foreign !== undefined) {
    report(`${request.httpMethod} ${match.resourcePath}: ${foreign}`);
    return reject('ACCESS_DENIED', foreign);
  }
  const { region, account } = environment;
  const path = `${api.spec.id}/${request.stage}/${request.httpMethod}${request.path}`;
  const authorized = await callerOf(request, match, {
    services,
    principal,
    authorizers: api.authorizers,
    methodArn: `arn:aws:execute-api:${region}:${account}:${path}`,
    account,
    context: methodContext(known, match, undefined),
  });
  if (authorized.kind === 'rejected') return authorized;
  const apiKey = headerOf(request, 'x-api-key') ?? '';
  if (match.method.needsApiKey && apiKey === '') return reject('INVALID_API_KEY');
  const missing = missingParameters(request, match);
  if (missing.length > 0) {
    return reject('BAD_REQUEST_PARAMETERS', `Missing required request parameters: [${missing.join(', ')}]`);
  }
  const input: MappingInput = {
    parameters: parametersOf(request, match),
    context: methodContext(
      known,
      match,
      withApiKey(authorized.caller, match.method.needsApiKey ? apiKey : ''),
    ),
    stageVariables: api.stages.get(request.stage)?.variables ?? {},
    evaluator: options.evaluator,
    report: problem => report(`${request.httpMethod} ${match.resourcePath}: ${problem}`),
  };
  return answerByIntegration(match, request, input, options);
}

/** The caller with its API key, which is taken as it comes: the id of a key is always the same. */
function withApiKey(caller: Caller | undefined, apiKey: string): Caller | undefined {
  if (apiKey === '') return caller;
  const identity = { ...caller?.identity, apiKey, apiKeyId: idOf(apiKey) };
  return { authorizer: caller?.authorizer ?? {}, identity };
}

function missingParameters(request: GatewayRequest, { method }: MethodMatch): readonly string[] {
  return Object.entries(method.requestParameters).flatMap(([parameter, isRequired]) => {
    const [, , place, ...rest] = parameter.split('.');
    const name = rest.join('.');
    if (!isRequired || place === 'path') return [];
    const isThere =
      place === 'header'
        ? headerOf(request, name.toLowerCase()) !== undefined
        : request.query.get(name) !== null;
    return isThere ? [] : [name];
  });
}

async function answerByIntegration(
  match: MethodMatch,
  request: GatewayRequest,
  input: MappingInput,
  options: GatewayOptions,
): Promise<GatewayAnswer | Rejection> {
  const { integration, statuses } = match.method;
  if (integration.kind === 'proxy') {
    const { functionArn, timeoutMs } = integration;
    const { context, stageVariables, report } = input;
    const call = answerByFunction(request, match, {
      services: options.services,
      functionArn,
      context,
      stageVariables,
      report,
    });
    // A function takes the machine's time: a clock that is moved waits for it.
    if (!options.clock.isReal) return call;
    return (await withinTime(call, timeoutMs, options)) ?? reject('INTEGRATION_TIMEOUT');
  }
  if (integration.kind === 'missing') return notImplemented(match, integration.reason);
  const { mapping } = integration;
  const contentType = headerOf(request, 'content-type');
  const mapped = await mapRequest(mapping, { contentType, body: request.body.toString('utf8') }, input);
  if (mapped.kind === 'rejected') return mapped;
  const answer =
    integration.kind === 'mock'
      ? mockAnswer(mapped.body, input)
      : await callAction(integration, mapping, { ...mapped, requestId: request.requestId }, options);
  if ('kind' in answer) return answer;
  return mapResponse(mapping, answer, { accept: headerOf(request, 'accept'), statuses }, input);
}

/** What no API Gateway answers: the method is there, and this runtime cannot do what it says. */
function notImplemented({ method, resourcePath }: MethodMatch, reason: string): GatewayAnswer {
  const message = `${method.httpMethod} ${resourcePath} is not run here: ${reason}`;
  const headers = [['content-type', 'application/json']] as const;
  return { status: 501, headers, body: JSON.stringify({ message }) };
}

/** A MOCK answers with the status that its request template gives. */
function mockAnswer(body: string, { report }: MappingInput): IntegrationAnswer | Rejection {
  // CDK writes it without quotes.
  const status = /["']?statusCode["']?\s*:\s*["']?(\d{3})/.exec(body)?.[1];
  if (status !== undefined) return { status: Number(status), headers: {}, body: '' };
  report('the request template of a MOCK gives no statusCode');
  return reject('API_CONFIGURATION_ERROR');
}

async function callAction(
  { service, operation }: Integration & { readonly kind: 'action' },
  { timeoutMs }: Mapping,
  { body, requestId }: { readonly body: string; readonly requestId: string },
  options: GatewayOptions,
): Promise<IntegrationAnswer | Rejection> {
  const call = callService(options.services, { service, operation, body: Buffer.from(body), requestId });
  const answer = await withinTime(call, timeoutMs, options);
  // The call continues: a caller that leaves does not end the started work.
  if (!answer) return reject('INTEGRATION_TIMEOUT');
  return { status: answer.status, headers: answer.headers, body: String(answer.body) };
}

/** The awaited value, or undefined when clock time is up. It does not count as work meanwhile. */
async function withinTime<Value>(
  awaited: Promise<Value>,
  ms: number,
  { clock, work }: Pick<GatewayOptions, 'clock' | 'work'>,
): Promise<Value | undefined> {
  let cancel = (): void => undefined;
  const over = new Promise<undefined>(resolve => {
    cancel = clock.at(clock.now() + ms, () => resolve(undefined));
  });
  try {
    return await work.release(Promise.race([awaited, over]));
  } finally {
    cancel();
  }
}
