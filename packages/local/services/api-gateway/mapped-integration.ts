import type { JsonObject } from '../../json/json';
import type { MappingEvaluator } from '../../runtime/evaluation/evaluator';
import { atJsonPath } from '../../vtl/json-path';
import { evaluateMappingAtOnce } from '../../vtl/mapping';
import type { RequestParameters, ResponseOverride } from '../../vtl/mapping-context';
import type { Template } from '../../vtl/syntax';
import { type GatewayAnswer, headerValue, type Rejection, reject } from './gateway-response';
import type { IntegrationResponse, Mapping } from './read-method';

/** What mapping a request or an answer goes by. */
export interface MappingInput {
  readonly parameters: RequestParameters;
  readonly context: JsonObject;
  readonly stageVariables: Readonly<Record<string, string>>;
  /** Evaluates the templates that hold up others; a template is whom it does so for. */
  readonly evaluator: MappingEvaluator;
  /** Receives why a template could not be evaluated, which its author must know and no client may. */
  readonly report: (problem: string) => void;
}

export interface IntegrationAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_TYPE = 'application/json';

/**
 * The body that the integration gets: by the template for the request's content type, or as it came if the passthrough
 * behavior allows it.
 */
export async function mapRequest(
  { requestTemplates, passthrough }: Mapping,
  request: { readonly contentType: string | undefined; readonly body: string },
  input: MappingInput,
): Promise<
  { readonly kind: 'body'; readonly body: string; readonly override: ResponseOverride } | Rejection
> {
  const template = requestTemplates.get(mimeType(request.contentType ?? JSON_TYPE));
  if (template) {
    const mapped = await evaluate(template, request.body, input);
    return mapped.kind === 'rejected'
      ? mapped
      : { kind: 'body', body: mapped.text, override: mapped.override };
  }
  const isRejected =
    passthrough === 'NEVER' || (passthrough === 'WHEN_NO_TEMPLATES' && requestTemplates.size > 0);
  if (isRejected) return reject('UNSUPPORTED_MEDIA_TYPE');
  return { kind: 'body', body: request.body, override: { headers: new Map() } };
}

/** The answer that the method gives for the integration's. */
export async function mapResponse(
  { responses }: Mapping,
  answer: IntegrationAnswer,
  request: { readonly accept: string | undefined; readonly statuses: readonly string[] },
  input: MappingInput,
): Promise<GatewayAnswer | Rejection> {
  const response =
    responses.find(({ pattern }) => pattern?.test(String(answer.status))) ??
    responses.find(({ pattern }) => pattern === undefined);
  if (!response) {
    input.report(`no integration response is for the status ${answer.status}`);
    return reject('API_CONFIGURATION_ERROR');
  }
  if (!request.statuses.includes(response.status)) {
    input.report(`the method declares no response of status ${response.status}`);
    return reject('API_CONFIGURATION_ERROR');
  }
  const [contentType, template] = chosenTemplate(response, request.accept);
  const mapped = template
    ? await evaluate(template, answer.body, input)
    : ({ kind: 'text', text: answer.body, override: { headers: new Map<string, string>() } } as const);
  // What the integration answered is not the client's fault.
  if (mapped.kind === 'rejected') return reject('API_CONFIGURATION_ERROR');
  const headers = new Map<string, readonly [string, string]>();
  const set = (name: string, value: string) => headers.set(name.toLowerCase(), [name, value]);
  set('Content-Type', contentType);
  for (const [name, value] of responseHeaders(response, answer, input)) set(name, value);
  for (const [name, value] of mapped.override.headers) set(name, value);
  const status = mapped.override.status ?? Number(response.status);
  return { status, headers: [...headers.values()], body: mapped.text };
}

/** The template for what the client accepts, else the first. */
function chosenTemplate(
  { templates }: IntegrationResponse,
  accept: string | undefined,
): readonly [type: string, template: Template | undefined] {
  const accepted = (accept ?? '').split(',').map(mimeType);
  const wanted = accepted.find(type => templates.has(type)) ?? [...templates.keys()][0] ?? JSON_TYPE;
  return [wanted, templates.get(wanted)];
}

function mimeType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

function responseHeaders(
  { parameters }: IntegrationResponse,
  { headers, body }: IntegrationAnswer,
  { context }: MappingInput,
): readonly (readonly [string, string])[] {
  return Object.entries(parameters).flatMap(([target, source]) => {
    const name = /^method\.response\.header\.(.+)$/.exec(target)?.[1];
    const header = /^integration\.response\.header\.(.+)$/.exec(source)?.[1];
    const path = /^integration\.response\.body(?:\.(.+))?$/.exec(source);
    const value = path
      ? textAt(body, path[1])
      : header === undefined
        ? headerValue(source, context)
        : headers[header.toLowerCase()];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
}

function textAt(body: string, path: string | undefined): string | undefined {
  if (path === undefined) return body;
  try {
    const value = atJsonPath(JSON.parse(body), `$.${path}`);
    return value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return undefined;
  }
}

async function evaluate(
  template: Template,
  body: string,
  { parameters, context, stageVariables, evaluator, report }: MappingInput,
): Promise<
  { readonly kind: 'text'; readonly text: string; readonly override: ResponseOverride } | Rejection
> {
  const job = { template, body, parameters, context, stageVariables };
  const result = evaluateMappingAtOnce(job) ?? (await evaluator.evaluateMapping(job, template));
  if (result.kind === 'mapped') return { kind: 'text', text: result.text, override: result.override };
  if (result.kind === 'unreadable') return reject('BAD_REQUEST_BODY', result.problem);
  report(`a mapping template cannot be evaluated: ${result.problem}`);
  return reject('API_CONFIGURATION_ERROR');
}
