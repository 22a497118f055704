import {
  type CfnMethod,
  Cors,
  type CorsOptions,
  type IResource,
  PassthroughBehavior,
  ResponseType,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { PROBLEM, problemDocument, REJECTED } from '../../state-machine/front-door/problems';

// CDK makes the answer to a preflight. That of the request itself has to name the origin as well, and what a page may
// read of it.

/** The parts of requests and answers that a page needs permission for. */
export interface PageAccess {
  /** The headers of answers. */
  readonly headers: readonly string[];
  /** Headers of requests beside the usual ones. */
  readonly sent: readonly string[];
}

/** The options with what requests of the source need, unless they say otherwise. */
export function corsOf(cors: CorsOptions, { headers, sent }: PageAccess): CorsOptions {
  return {
    allowHeaders: [...Cors.DEFAULT_HEADERS, 'Prefer', ...sent],
    exposeHeaders: headers.filter(name => name !== 'Content-Type'),
    ...cors,
  };
}

/**
 * Answers preflights of a resource. A browser sends none with a content type. If there is one other than JSON, CDK lets
 * the body through in place of the status, and API Gateway answers 500: here it answers 415.
 *
 * @throws Error for a resource that has a method OPTIONS already
 */
export function addPreflight(resource: IResource, cors: CorsOptions): void {
  if (resource.node.tryFindChild('OPTIONS')) {
    throw new Error(
      `\`cors\` adds the method OPTIONS, but ${resource.path} already has one, as by \`defaultCorsPreflightOptions\` or ` +
        '`addCorsPreflight`. Leave these out for the resource, because only `cors` adds its headers to the answers, too',
    );
  }
  const { node } = resource.addCorsPreflight(cors);
  (node.defaultChild as CfnMethod).addPropertyOverride(
    'Integration.PassthroughBehavior',
    PassthroughBehavior.NEVER,
  );
}

/** The headers of every answer for pages; the origin is the first that is allowed. */
export function pageHeaders({ allowOrigins, allowCredentials, exposeHeaders = [] }: CorsOptions) {
  return {
    'Access-Control-Allow-Origin': allowOrigins[0] ?? '*',
    'Access-Control-Expose-Headers': exposeHeaders.join(','),
    ...(allowCredentials && { 'Access-Control-Allow-Credentials': 'true' }),
    ...(allowOrigins[0] !== '*' && { Vary: 'Origin' }),
  };
}

/** Names the other origin that has sent the request, if it is one of them. */
export function originTemplate(allowOrigins: readonly string[]): string {
  const [, ...others] = allowOrigins;
  if (others.length === 0) return '';
  const branches = others.map(
    (origin, index) =>
      `${index === 0 ? '#if' : '#elseif'}($origin=="${origin}")` +
      `#set($context.responseOverride.header.Access-Control-Allow-Origin="${origin}")`,
  );
  const read =
    '#set($origin=$input.params("Origin"))#if($origin=="")#set($origin=$input.params("origin"))#end';
  return `${read}${branches.join('')}#end`;
}

const CONTENT_TYPE = { 'Content-Type': "'application/problem+json'" };
const { retryAfter } = PROBLEM.notStarted;
const LATER = { ...CONTENT_TYPE, 'Retry-After': `'${retryAfter}'` };

/**
 * API Gateway's own answers: problem documents, which a page of `cors` may read. So the page can tell what to send
 * again from what is rejected for good. API Gateway replaces names in them, and evaluates nothing.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export function wordOwnAnswers(api: RestApi, cors: CorsOptions | undefined, problemType: string): void {
  const headers = cors ? ofPages(cors) : {};
  // The status is API Gateway's, and another for each reason.
  const reason = { status: undefined, reason: '$context.error.responseType' };
  const rejected = problemDocument(problemType, REJECTED, reason);
  const again = problemDocument(problemType, PROBLEM.notStarted, reason);
  for (const [id, type, responseHeaders, document] of [
    ['Rejected', ResponseType.DEFAULT_4XX, CONTENT_TYPE, rejected],
    ['Throttled', ResponseType.THROTTLED, LATER, again],
    ['NotAnswered', ResponseType.DEFAULT_5XX, LATER, again],
  ] as const) {
    const templates = { 'application/json': document };
    api.addGatewayResponse(id, { type, responseHeaders: { ...headers, ...responseHeaders }, templates });
  }
}

/** No template can choose among several origins: these answers say nothing but why, so any page may read them. */
function ofPages(cors: CorsOptions): Record<string, string> {
  const texts = Object.entries(pageHeaders(cors)).map(([name, value]) => [name, `'${value}'`] as const);
  const several = { 'Access-Control-Allow-Origin': 'method.request.header.Origin' };
  return { ...Object.fromEntries(texts), ...(cors.allowOrigins.length > 1 && several) };
}
