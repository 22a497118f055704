import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { GatewayResponseSpec } from './cloudformation';
import { type GatewayRequest, headerOf } from './request';

/** An answer as it goes to the client; a header may come twice. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Buffer;
}

/** The answers that API Gateway gives itself, with their status and what they say. */
const TYPES = {
  ACCESS_DENIED: [403, 'User is not authorized to access this resource'],
  API_CONFIGURATION_ERROR: [500, 'Internal server error'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'Internal server error'],
  AUTHORIZER_FAILURE: [500, 'Internal server error'],
  BAD_REQUEST_BODY: [400, 'Invalid request body'],
  BAD_REQUEST_PARAMETERS: [400, 'Missing required request parameters'],
  INTEGRATION_FAILURE: [504, 'Endpoint request timed out'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out'],
  INVALID_API_KEY: [403, 'Forbidden'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long'],
  UNAUTHORIZED: [401, 'Unauthorized'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported Media Type'],
  // An answer of a function that is not an answer for a proxy.
  DEFAULT_5XX: [502, 'Internal server error'],
} as const;

/** A type of answer that is API Gateway's own. */
export type GatewayResponseType = keyof typeof TYPES;

/** Why API Gateway answers itself. */
export interface Rejection {
  readonly kind: 'rejected';
  readonly type: GatewayResponseType;
  /** @default - what the type says */
  readonly message?: string;
}

export function reject(type: GatewayResponseType, message?: string): Rejection {
  return { kind: 'rejected', type, ...(message !== undefined && { message }) };
}

const TEMPLATE_DEFAULT = '{"message":$context.error.messageString}';
const CLIENT_ERROR_TO = 500;

/**
 * A rejection as the API words it: by its gateway response of that type, else by its `DEFAULT_4XX` or `DEFAULT_5XX`.
 *
 * @param context - the `$context` of the request
 * @param request - its headers, of which the response may repeat one
 */
export function gatewayAnswer(
  { type, message }: Rejection,
  custom: ReadonlyMap<string, GatewayResponseSpec>,
  context: JsonObject,
  request: Pick<GatewayRequest, 'headers'>,
): GatewayAnswer {
  const [statusDefault, messageDefault] = TYPES[type];
  const fallback = statusDefault < CLIENT_ERROR_TO ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  // Only of an answer that is too large nothing can be changed.
  const isFixed = type === 'REQUEST_TOO_LARGE';
  const spec = isFixed ? undefined : (custom.get(type) ?? custom.get(fallback));
  const said = message ?? messageDefault;
  const error = { message: said, messageString: JSON.stringify(said), responseType: type };
  const filled = { ...context, error };
  const [contentType, template] = Object.entries(spec?.templates ?? {})[0] ?? [
    'application/json',
    TEMPLATE_DEFAULT,
  ];
  const headers = Object.entries(spec?.parameters ?? {}).flatMap(([name, value]) => {
    const header = /^gatewayresponse\.header\.(.+)$/.exec(name)?.[1];
    const sent = /^method\.request\.header\.(.+)$/.exec(value)?.[1];
    const text = sent === undefined ? headerValue(value, filled) : headerOf(request, sent.toLowerCase());
    return header === undefined || text === undefined ? [] : [[header, text] as const];
  });
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return {
    status: spec?.status ?? statusDefault,
    headers: [...(isTyped ? [] : [['Content-Type', contentType] as const]), ...headers],
    // No VTL: names are replaced, and nothing is evaluated.
    body: template.replace(/\$context\.([\w.]*\w)/g, (_whole, path: string) => textAt(filled, path) ?? ''),
  };
}

/** A value of a mapped header: a text in quotes, or a member of `$context`. */
export function headerValue(mapped: string, context: JsonObject): string | undefined {
  const fixed = /^'(.*)'$/s.exec(mapped)?.[1];
  return fixed ?? textAt(context, mapped.replace(/^\$?context\./, ''));
}

function textAt(context: JsonObject, path: string): string | undefined {
  let value: Json | undefined = context;
  for (const name of path.split('.')) value = isJsonObject(value) ? value[name] : undefined;
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value);
}
