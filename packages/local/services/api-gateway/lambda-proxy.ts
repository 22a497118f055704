import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { ServiceDirectory } from '../local-service';
import { callService } from './call-service';
import { type GatewayAnswer, type Rejection, reject } from './gateway-response';
import { type GatewayRequest, headerOf } from './request';
import type { MethodMatch } from './rest-api';

/** The facts beside the request that a function gets. */
export interface ProxyOptions {
  readonly services: ServiceDirectory;
  readonly functionArn: string;
  readonly context: JsonObject;
  readonly stageVariables: Readonly<Record<string, string>>;
  /** Receives why an answer of the function is none. */
  readonly report: (problem: string) => void;
}

/** What a function answers to a request that it gets whole (integration `AWS_PROXY`, payload format 1.0). */
export async function answerByFunction(
  request: GatewayRequest,
  match: MethodMatch,
  { services, functionArn, context, stageVariables, report }: ProxyOptions,
): Promise<GatewayAnswer | Rejection> {
  const { status, headers, body } = await callService(services, {
    service: 'lambda',
    path: `/2015-03-31/functions/${encodeURIComponent(functionArn)}/invocations`,
    body: Buffer.from(JSON.stringify(eventOf(request, match, { context, stageVariables }))),
    requestId: request.requestId,
  });
  if (status !== 200 || headers['x-amz-function-error'] !== undefined) {
    report(`the function failed: ${String(body)}`);
    return reject('DEFAULT_5XX');
  }
  const answer = readAnswer(JSON.parse(String(body) || 'null') as Json);
  if (answer) return answer;
  report(
    'the function did not return a valid proxy response: it has no statusCode, or its body is not a text',
  );
  return reject('DEFAULT_5XX');
}

function eventOf(
  request: GatewayRequest,
  { resourcePath, pathParameters }: MethodMatch,
  { context, stageVariables }: Pick<ProxyOptions, 'context' | 'stageVariables'>,
): object {
  const isText = isUtf8(request.body) && headerOf(request, 'content-encoding') === undefined;
  return {
    resource: resourcePath,
    path: request.path,
    httpMethod: request.httpMethod,
    headers: Object.fromEntries(request.headers),
    multiValueHeaders: grouped(request.headers),
    queryStringParameters: orNull(Object.fromEntries(request.query)),
    multiValueQueryStringParameters: orNull(grouped([...request.query])),
    pathParameters: orNull(pathParameters),
    stageVariables: orNull(stageVariables),
    requestContext: context,
    body: request.body.length === 0 ? null : request.body.toString(isText ? 'utf8' : 'base64'),
    isBase64Encoded: !isText,
  };
}

function isUtf8(body: Buffer): boolean {
  return Buffer.from(body.toString('utf8'), 'utf8').equals(body);
}

function orNull(members: object): object | null {
  return Object.keys(members).length === 0 ? null : members;
}

function grouped(pairs: readonly (readonly [string, string])[]): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairs) groups.set(name, [...(groups.get(name) ?? []), value]);
  return Object.fromEntries(groups);
}

function readAnswer(answer: Json): GatewayAnswer | undefined {
  if (!isJsonObject(answer)) return undefined;
  const { statusCode, headers, multiValueHeaders, body = '', isBase64Encoded } = answer;
  const status = Number(statusCode);
  const isStatus = Number.isInteger(status) && status >= 100 && status <= 599;
  if (!isStatus || (typeof body !== 'string' && body !== null)) return undefined;
  const several = pairsOf(multiValueHeaders);
  const single = pairsOf(headers).filter(([name]) => !several.some(([other]) => other === name));
  const all = [...single, ...several];
  const isTyped = all.some(([name]) => name.toLowerCase() === 'content-type');
  return {
    status,
    headers: isTyped ? all : [['Content-Type', 'application/json'], ...all],
    body: isBase64Encoded === true ? Buffer.from(body ?? '', 'base64') : (body ?? ''),
  };
}

function pairsOf(headers: Json | undefined): readonly (readonly [string, string])[] {
  if (!isJsonObject(headers)) return [];
  return Object.entries(headers).flatMap(([name, value]) => {
    const values: readonly Json[] = Array.isArray(value) ? value : [value];
    return values.map(one => [name, String(one)] as const);
  });
}
