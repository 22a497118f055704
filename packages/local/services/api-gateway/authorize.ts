import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { HttpPrincipal, ServiceDirectory } from '../local-service';
import { callService } from './call-service';
import { type Rejection, reject } from './gateway-response';
import type { AuthorizerSpec } from './read-authorizer';
import { type Caller, type GatewayRequest, headerOf, joinedHeaders } from './request';
import { findMethod, type MethodMatch, type RestApi } from './rest-api';

/** What says who callers are. */
export interface AuthorizeOptions {
  readonly services: ServiceDirectory;
  /** Whom callers are taken for where AWS would look into a signature or a token. */
  readonly principal: HttpPrincipal;
  readonly authorizers: ReadonlyMap<string, AuthorizerSpec>;
  /** The ARN that policies name, e.g. `arn:aws:execute-api:us-east-1:111111111111:a1b2c3d4e5/prod/POST/payments`. */
  readonly methodArn: string;
  readonly account: string;
  readonly context: JsonObject;
}

/**
 * The caller of a request: undefined if the method has no authorizer, its answer if it has a Lambda authorizer.
 * Signatures and tokens are not looked into: there the caller is whom the stack takes it for.
 */
export async function callerOf(
  request: GatewayRequest,
  { method, pathParameters, resourcePath }: MethodMatch,
  options: AuthorizeOptions,
): Promise<{ readonly kind: 'caller'; readonly caller: Caller | undefined } | Rejection> {
  if (method.authorization === 'NONE') return { kind: 'caller', caller: undefined };
  if (method.authorization === 'CUSTOM') {
    const authorizer = options.authorizers.get(method.authorizerId ?? '');
    if (!authorizer) return reject('AUTHORIZER_CONFIGURATION_ERROR');
    return askFunction(authorizer, request, { ...options, pathParameters, resourcePath });
  }
  const name = principalOf(options.principal, request);
  if (method.authorization === 'AWS_IAM') {
    if (name === undefined) return reject('MISSING_AUTHENTICATION_TOKEN');
    const userArn = name.startsWith('arn:') ? name : `arn:aws:iam::${options.account}:user/${name}`;
    const identity = { accountId: options.account, caller: name, user: name, userArn };
    return { kind: 'caller', caller: { authorizer: {}, identity } };
  }
  if (name === undefined) return reject('UNAUTHORIZED');
  const claims = { sub: name, 'cognito:username': name };
  return { kind: 'caller', caller: { authorizer: { claims }, identity: {} } };
}

/**
 * Why a request that a page of another origin has made a browser send is not answered; undefined if it is.
 *
 * A page can send a POST without a question, and the developer does not see the request. So a method that takes its
 * callers for `principal`, without a check of a signature or a token, answers a page only if the request has an
 * `Authorization`. No browser sends that header before the API has allowed it in a preflight. Any other method answers
 * pages if the API answers preflights for its path, as the APIs that are made for pages do.
 */
export function foreignPageProblem(
  api: RestApi,
  request: GatewayRequest,
  { method }: MethodMatch,
  principal: HttpPrincipal,
): string | undefined {
  const page = foreignPageOf(request);
  if (page === undefined) return undefined;
  const isUnevaluated = method.authorization === 'AWS_IAM' || method.authorization === 'COGNITO_USER_POOLS';
  if (isUnevaluated && typeof principal === 'string') {
    // `Basic` can come out of the address that a page leads to.
    if (/^(?!basic )./i.test(headerOf(request, 'authorization') ?? '')) return undefined;
    return `${page} sends no Authorization, and signatures and tokens are not looked into here`;
  }
  if (findMethod(api, 'OPTIONS', request.path)) return undefined;
  return `${page} is not answered, because the API has no OPTIONS method for this path`;
}

function foreignPageOf(request: GatewayRequest): string | undefined {
  const origin = headerOf(request, 'origin');
  const host = headerOf(request, 'host') ?? '';
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    return `a page of the origin ${origin}`;
  }
  const site = headerOf(request, 'sec-fetch-site')?.toLowerCase() ?? '';
  return ['cross-site', 'same-site'].includes(site) ? 'a page of another origin' : undefined;
}

function principalOf(principal: HttpPrincipal, request: GatewayRequest): string | undefined {
  if (typeof principal === 'string') return principal;
  return principal({
    method: request.httpMethod,
    path: request.path,
    headers: new Headers(request.headers.map(([name, value]) => [name, asByteString(value)])),
  });
}

/** `Headers` rejects characters beyond Latin-1, and takes one character for each byte that was sent. */
function asByteString(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}

type Asked = AuthorizeOptions & Pick<MethodMatch, 'pathParameters' | 'resourcePath'>;

async function askFunction(
  { type, functionArn = '', identitySources }: AuthorizerSpec,
  request: GatewayRequest,
  { services, methodArn, context, pathParameters, resourcePath }: Asked,
): ReturnType<typeof callerOf> {
  const identities = identitySources.map(source => identityAt(source, request));
  if (identities.some(identity => identity === undefined)) return reject('UNAUTHORIZED');
  const event =
    type === 'TOKEN'
      ? { type, methodArn, authorizationToken: identities[0] ?? '' }
      : {
          type,
          methodArn,
          resource: resourcePath,
          path: request.path,
          httpMethod: request.httpMethod,
          headers: joinedHeaders(request),
          queryStringParameters: Object.fromEntries(request.query),
          pathParameters,
          requestContext: context,
        };
  const { status, headers, body } = await callService(services, {
    service: 'lambda',
    path: `/2015-03-31/functions/${encodeURIComponent(functionArn)}/invocations`,
    body: Buffer.from(JSON.stringify(event)),
    requestId: request.requestId,
  });
  const answer = JSON.parse(String(body) || 'null') as Json;
  if (status !== 200) return reject('AUTHORIZER_FAILURE');
  if (headers['x-amz-function-error'] !== undefined) {
    const isRejected = isJsonObject(answer) && answer['errorMessage'] === 'Unauthorized';
    return reject(isRejected ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE');
  }
  if (!isJsonObject(answer) || typeof answer['principalId'] !== 'string') {
    return reject('AUTHORIZER_CONFIGURATION_ERROR');
  }
  if (!allows(answer['policyDocument'], methodArn)) return reject('ACCESS_DENIED');
  const more = isJsonObject(answer['context']) ? answer['context'] : {};
  const authorizer = { ...more, principalId: answer['principalId'] };
  return { kind: 'caller', caller: { authorizer, identity: {} } };
}

function identityAt(source: string, request: GatewayRequest): string | undefined {
  const [, place, name = ''] = /^method\.request\.(header|querystring)\.(.+)$/.exec(source) ?? [];
  const value =
    place === 'header' ? headerOf(request, name.toLowerCase()) : (request.query.get(name) ?? undefined);
  return value === '' ? undefined : value;
}

/** Whether a policy lets the method be invoked: a statement allows it, and none denies it. */
function allows(policy: Json | undefined, methodArn: string): boolean {
  const statements = isJsonObject(policy) ? listOf(policy['Statement']) : [];
  const effects = statements.flatMap(statement => {
    if (!isJsonObject(statement)) return [];
    const names = (member: string, value: string) =>
      listOf(statement[member]).some(pattern => fits(String(pattern), value));
    const isMeant = names('Action', 'execute-api:Invoke') && names('Resource', methodArn);
    return isMeant ? [statement['Effect']] : [];
  });
  return effects.includes('Allow') && !effects.includes('Deny');
}

function listOf(value: Json | undefined): readonly Json[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
}

function fits(pattern: string, value: string): boolean {
  const parts = pattern.split(/([*?])/).map(part => {
    return part === '*' ? '.*' : part === '?' ? '.' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 'is').test(value);
}
