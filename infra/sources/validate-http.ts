import { Duration, Token } from 'aws-cdk-lib';
import {
  AuthorizationType,
  type CorsOptions,
  type IResource,
  type MethodOptions,
  type ThrottleSettings,
} from 'aws-cdk-lib/aws-apigateway';
import { literal } from '../../state-machine/contract/jsonata';
import type { KeyExpressions } from '../../state-machine/expression/key-expressions';
import { REPLAYED } from '../../state-machine/front-door/answers';
import type { ResponseMapping } from '../../state-machine/front-door/front-door-props';
import { PROBLEM_TYPE } from '../../state-machine/front-door/problems';
import { parseResultExpression } from '../../state-machine/front-door/request';
import { describeValue } from '../../state-machine/words/describe-value';
import { documentation } from '../../state-machine/words/documentation';
import { validateNames } from '../../state-machine/words/validate-names';
import {
  isFilledListOf,
  isListOf,
  isRecord,
  type Kind,
  requireKind,
  requireKnown,
  validateKinds,
} from '../validation/kinds';
import { CHANGING_HEADERS, HEADERS_OF_MANY } from './envelope/headers';
import type { HttpProblems, HttpResponse, HttpSourceOptions } from './http-source-options';
import { IAM_CALLER } from './http-templates';

/** The name of every option of `Source.http`. */
const HTTP_SOURCE_OPTIONS: Readonly<Record<keyof HttpSourceOptions, true>> = {
  id: true,
  method: true,
  methodOptions: true,
  throttle: true,
  header: true,
  idempotencyKey: true,
  principal: true,
  input: true,
  waitUpTo: true,
  cors: true,
  response: true,
  errors: true,
  problems: true,
};

const METHODS: readonly unknown[] = ['POST', 'PUT', 'PATCH', 'DELETE', undefined];
/** A start and the last read have their time before API Gateway gives up after 29 seconds. */
const WAIT_SECONDS_MAX = 25;

/**
 * Rejects a value that is neither a resource nor a path, and options that cannot work. @throws Error with the remedy
 */
export function validateHttp(resource: IResource | string, options: HttpSourceOptions): void {
  const isPath = typeof resource === 'string' && /^\/?[^/{}][^{}]*$/.test(resource);
  const unusable = isPath ? resource.replace(/^\//, '').split('/').find(isNoSegment) : undefined;
  if (!isPath && typeof (resource as IResource)?.addMethod !== 'function') {
    throw new Error(
      "`Source.http` takes a resource such as api.root.addResource('payments'), or a path such as 'payments', got " +
        describeValue(resource),
    );
  }
  if (unusable !== undefined) {
    throw new Error(
      "the path of `Source.http` must have segments of letters, digits and . _ - : $ such as 'shop/payments', got " +
        `${describeValue(unusable)} in ${describeValue(resource)}`,
    );
  }
  validateNames('Source.http', options, HTTP_SOURCE_OPTIONS);
  const { method, header, idempotencyKey, throttle, cors, errors = {} } = options;
  if (!METHODS.includes(method)) {
    throw new Error(`\`method\` must be 'POST', 'PUT', 'PATCH' or 'DELETE', got ${describeValue(method)}`);
  }
  if (header !== undefined && !isHeader(header)) {
    throw new Error(
      `\`header\` must be the name of a header such as 'Idempotency-Key', got ${describeValue(header)}`,
    );
  }
  const isChanging = CHANGING_HEADERS.has(header?.toLowerCase() ?? '');
  if (isChanging || HEADERS_OF_MANY.has(header?.toLowerCase() ?? '')) {
    throw new Error(
      `\`header\` must be a header that names one request, and that the client sends again as it was, such as ` +
        `'Idempotency-Key'; ${header} ${isChanging ? 'differs between two tries of a request' : 'is the same in many requests'}`,
    );
  }
  if (header !== undefined && idempotencyKey !== undefined) {
    throw new Error('`header` and `idempotencyKey` both select the key. Leave one of them out');
  }
  requireThrottle(throttle, isPath);
  if (cors !== undefined) requireCors(cors);
  requireKind('errors', errors, [isRecord, 'an object such as { CardDeclined: 402 }']);
  for (const [name, status] of Object.entries(errors)) requireStatus(`errors.${name}`, status, 400);
}

function requireThrottle(throttle: ThrottleSettings | undefined, isPath: boolean): void {
  if (throttle === undefined) return;
  if (!isPath) {
    throw new Error(
      '`throttle` works only for the API that is created for a path. Give your own API `deployOptions` with `throttlingRateLimit` and ' +
        '`throttlingBurstLimit`, or a usage plan',
    );
  }
  validateNames('throttle', throttle, { rateLimit: true, burstLimit: true });
  validateKinds(throttle, THROTTLE_SETTINGS, 'throttle.');
}

/** API Gateway has its rate as a double, and its burst as an integer. */
const THROTTLE_SETTINGS: Readonly<Record<keyof ThrottleSettings, Kind>> = {
  rateLimit: [value => Number.isFinite(value) && Number(value) > 0, 'a number greater than 0'],
  burstLimit: [value => Number.isInteger(value) && Number(value) >= 1, 'a whole number of at least 1'],
};

function requireCors(cors: CorsOptions): void {
  if (cors.allowMethods !== undefined) {
    throw new Error(
      '`cors.allowMethods` cannot be set, because `Source.http` allows the method that it adds to a resource. Leave it out',
    );
  }
  for (const name of ['allowOrigins', 'allowHeaders', 'exposeHeaders'] as const) {
    if (!Token.isUnresolved(cors[name])) continue;
    throw new Error(
      `\`cors.${name}\` must be a list that is known at synthesis, got a token. Its elements may be tokens`,
    );
  }
  requireKind('cors.allowOrigins', cors.allowOrigins, ORIGINS);
  validateKinds(cors, { allowHeaders: HEADERS, exposeHeaders: HEADERS }, 'cors.');
}

/** Rejects a wait that is over after API Gateway's own. @throws Error with the remedy */
export function requireWait(waitUpTo: unknown): void {
  if (waitUpTo === undefined) return;
  const seconds = waitUpTo instanceof Duration ? waitUpTo.toSeconds({ integral: false }) : undefined;
  if (Number.isInteger(seconds) && Number(seconds) <= WAIT_SECONDS_MAX) return;
  const given = seconds === undefined ? describeValue(waitUpTo) : `${seconds} seconds`;
  throw new Error(
    `\`waitUpTo\` must be a Duration of whole seconds, at most ${WAIT_SECONDS_MAX}, got ${given}, because API ` +
      'Gateway waits for only 29 seconds. A request that takes longer gets 202',
  );
}

/**
 * Rejects a step that takes longer than a request waits for an Express workflow: nothing would answer later.
 *
 * @throws Error with the remedy
 */
export function requireTimeOfCall(waitUpTo: Duration, stepSeconds: number): void {
  const waited = waitUpTo.toSeconds();
  const needed = stepSeconds + CLAIM_AND_RECORD_SECONDS;
  if (waited > CALL_SECONDS_MAX) {
    throw new Error(
      `\`waitUpTo\` must be at most ${CALL_SECONDS_MAX} seconds with \`type: 'EXPRESS'\`, got ${waited}, because the ` +
        'record is read after it, and API Gateway waits for only 29 seconds',
    );
  }
  if (needed <= waited) return;
  throw new Error(
    `\`Source.http\` waits for ${waited} seconds, and with \`type: 'EXPRESS'\` an answer can take ${needed}: ` +
      `${stepSeconds} for the step with its retries, ${CLAIM_AND_RECORD_SECONDS} for the states around it. A request ` +
      `cannot wait longer than ${CALL_SECONDS_MAX} seconds, because API Gateway waits for only 29. Use a longer \`waitUpTo\`, ` +
      'a shorter timeout of the function, a shorter `stepTimeout`, fewer retries, or a STANDARD workflow, which answers 202',
  );
}

/** How long a call of a workflow may take: two tries to read the record follow, and a second between them. */
const CALL_SECONDS_MAX = 20;
/** What an execution has beside its step: two writes, and the way to a function that may be cold. */
const CLAIM_AND_RECORD_SECONDS = 5;

/** The headers that every answer may have. */
export const ANSWER_HEADERS = ['Content-Type', 'Location', 'Retry-After', REPLAYED] as const;

/** What API Gateway takes for no part of a path. */
const isNoSegment = (part: string) => !/^[A-Za-z0-9._:$-]+$/.test(part);
/** A header whose name is neither the end of a text nor a reference in what API Gateway reads. */
const isHeader = (name: unknown) => typeof name === 'string' && /^[\w.-]+$/.test(name);
/** Names of headers that can stand in a reference of a template of API Gateway. */
const IN_A_TEMPLATE = /^[A-Za-z][\w-]*$/;
/** Printable ASCII: API Gateway and clients drop the spaces at the ends. */
const HEADER_TEXT: Kind = [
  value => typeof value === 'string' && /^[!-~]([ -~]*[!-~])?$/.test(value),
  'an expression in {% %}, or a text of printable ASCII that is not empty, and neither begins nor ends with a space',
];

const isOrigin = (value: unknown) => typeof value === 'string' && ORIGIN.test(value);
const ORIGIN = /^(\*|null|file:\/\/|[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]+)$/i;
const ORIGINS: Kind = [
  value => isFilledListOf(value, isOrigin),
  "a list of origins such as ['https://shop.example'], without a path, or ['*']",
];
const HEADERS: Kind = [
  value => isListOf(value, name => name === '*' || isHeader(name)),
  "a list of names of headers such as ['ETag']",
];
function requireStatus(option: string, status: unknown, least: number): void {
  requireKnown(option, status);
  if (Number.isInteger(status) && Number(status) >= least && Number(status) <= 599) return;
  throw new Error(`\`${option}\` must be a status from ${least} to 599, got ${describeValue(status)}`);
}

/** Rejects a workflow whose key is not the one that the source hands over: callers would share it. */
export function requireKeyOfTheSource({ kind, parts }: KeyExpressions): void {
  if (kind === 'single' && parts[0].jsonata === '$states.input.idempotencyKey') return;
  const given = parts.map(({ text }) => text).join(', ');
  const got = { single: given, composite: `a list of ${given}`, payload: `Key.ofPayload of ${given}` }[kind];
  throw new Error(
    "with `Source.http`, the workflow's `idempotencyKey` must be '{% $states.input.idempotencyKey %}', because the source " +
      `adds the caller to the key; got ${got}. Use it, or set \`input\` of the ` +
      `source to the input that you expect: ${documentation('docs/guide/http.md#the-key')}`,
  );
}

/** What the name of a problem is appended to. @throws Error with the remedy */
export function problemTypeOf(problems: HttpProblems | undefined): string {
  if (problems === undefined) return PROBLEM_TYPE;
  validateNames('`problems`', problems, { type: true });
  requireKnown('problems.type', problems.type);
  requireKind('problems.type', problems.type, PROBLEM_TYPES);
  return problems.type;
}

/** A URI that a name can be appended to, of characters that are plain in JSON and in templates of API Gateway. */
const PROBLEM_TYPES: Kind = [
  value => typeof value === 'string' && /^[a-z][a-z\d+.-]*:[\w.~:/?#@&+,;=%-]*[/#=:]$/i.test(value),
  "a URI that ends with /, #, = or :, to which the name of the problem is appended, such as 'https://api.example/problems/'",
];

/** The mapping of results, without `{% %}`; undefined: the result's text. @throws Error with the remedy */
export function responseOf(response: HttpResponse | undefined): ResponseMapping | undefined {
  if (response === undefined) return undefined;
  validateNames('`response`', response, { status: true, headers: true, body: true });
  const { status = 200, headers = {}, body } = response;
  if (typeof status === 'number') requireStatus('response.status', status, 200);
  requireKind('response.headers', headers, [isRecord, "an object such as { ETag: '{% $result.tag %}' }"]);
  const names = Object.keys(headers).map(name => name.toLowerCase());
  const texts = Object.entries(headers).map(([name, value], index) => {
    if (!IN_A_TEMPLATE.test(name)) {
      throw new Error(
        `\`response.headers\` must have names of letters, digits, '-' and '_' such as 'ETag', got ${describeValue(name)}`,
      );
    }
    if (names.indexOf(name.toLowerCase()) !== index) {
      throw new Error(
        `\`response.headers\` has ${name} twice, in upper and lower case. Leave one of them out`,
      );
    }
    const isText = typeof value !== 'string' || !value.startsWith('{%');
    if (isText) requireKind(`response.headers.${name}`, value, HEADER_TEXT);
    return [
      ANSWER_HEADERS.find(own => own.toLowerCase() === name.toLowerCase()) ?? name,
      isText ? literal(value) : parseResultExpression(value, `response.headers.${name}`),
    ];
  });
  return {
    status: typeof status === 'number' ? status : parseResultExpression(status, 'response.status'),
    headers: Object.fromEntries(texts),
    body: body === undefined ? undefined : parseResultExpression(body, 'response.body'),
  };
}

/** What of an authorizer or an identity is of many callers, or of one request or token. */
const NOT_A_CALLER: ReadonlySet<string> = new Set([
  ...['auth_time', 'aud', 'cognitoAuthenticationType'],
  ...['cognitoIdentityPoolId', 'error', 'exp', 'iat', 'integrationLatency', 'iss', 'jti', 'latency', 'nbf'],
  ...['requestId', 'sourceIp', 'status', 'token_use', 'userAgent', 'vpcId', 'vpceId'],
]);

/**
 * The reference to who the caller is: what the authorizer says, else the id of the API key that is required. Undefined:
 * the method has neither, and callers are one.
 */
export function principalOf(given: string | undefined, options: MethodOptions): string | undefined {
  if (given !== undefined) {
    const name = given.slice(given.lastIndexOf('.') + 1);
    if (NOT_A_CALLER.has(name)) {
      throw new Error(
        `\`principal\` must say who the caller is, such as $context.authorizer.claims.sub; ${given} is the same for many ` +
          'callers, or differs between two requests of one',
      );
    }
    if (/^\$context\.(authorizer|identity)(\.[A-Za-z_][A-Za-z0-9_-]*)+$/.test(given)) return given;
    throw new Error(
      '`principal` must be a reference to the caller in API Gateway, such as $context.authorizer.claims.sub, got ' +
        describeValue(given),
    );
  }
  const { authorizationType, authorizer, apiKeyRequired } = options;
  const type = authorizationType ?? authorizer?.authorizationType;
  if (type === AuthorizationType.COGNITO) return '$context.authorizer.claims.sub';
  if (type === AuthorizationType.CUSTOM) return '$context.authorizer.principalId';
  if (type === AuthorizationType.IAM) return IAM_CALLER;
  return apiKeyRequired ? '$context.identity.apiKeyId' : undefined;
}
