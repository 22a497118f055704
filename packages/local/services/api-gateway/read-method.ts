import type { Read, ResourceReader, ResourceSpec, Section } from '../../assembly/types';
import { present } from '../../json/present';
import { parseTemplate } from '../../vtl/parse';
import type { Template } from '../../vtl/syntax';
import { functionIn } from './read-authorizer';

/** A method of a path, as a template deploys it. */
export interface MethodSpec extends ResourceSpec {
  readonly apiId: string;
  readonly pathId: string;
  /** In capitals; `ANY` for all that have none of their own. */
  readonly httpMethod: string;
  readonly authorization: 'NONE' | 'AWS_IAM' | 'CUSTOM' | 'COGNITO_USER_POOLS';
  readonly authorizerId?: string;
  readonly needsApiKey: boolean;
  /** By `method.request.header.Name`: whether it is required. */
  readonly requestParameters: Readonly<Record<string, boolean>>;
  /** The statuses that the method may answer. */
  readonly statuses: readonly string[];
  readonly integration: Integration;
}

/** What answers a method. */
export type Integration =
  | { readonly kind: 'mock'; readonly mapping: Mapping }
  /** An operation of Step Functions, e.g. `StartSyncExecution`. */
  | {
      readonly kind: 'action';
      readonly service: string;
      readonly operation: string;
      readonly mapping: Mapping;
    }
  | { readonly kind: 'proxy'; readonly functionArn: string; readonly timeoutMs: number }
  /** Not built here: each request is answered with 501 and the reason. */
  | { readonly kind: 'missing'; readonly reason: string };

/** How requests become those of the integration, and its answers those of the method. */
export interface Mapping {
  readonly passthrough: 'WHEN_NO_MATCH' | 'WHEN_NO_TEMPLATES' | 'NEVER';
  /** By content type. */
  readonly requestTemplates: ReadonlyMap<string, Template>;
  readonly responses: readonly IntegrationResponse[];
  readonly timeoutMs: number;
}

/** The answer for the statuses of the integration that a pattern fits. */
export interface IntegrationResponse {
  readonly status: string;
  /** @default - it is for all that no other fits */
  readonly pattern?: RegExp;
  /** By `method.response.header.Name`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** By content type. */
  readonly templates: ReadonlyMap<string, Template>;
}

/**
 * The ARN of the state machine that a method starts; undefined where it starts none, or its templates do not all say
 * one and the same.
 */
export function startedMachineOf({ integration }: MethodSpec): string | undefined {
  if (integration.kind !== 'action' || !/^Start(?:Sync)?Execution$/.test(integration.operation))
    return undefined;
  const templates = [...integration.mapping.requestTemplates.values()];
  const named = templates.map(({ pieces }) => {
    const text = pieces.filter(piece => typeof piece === 'string').join('');
    return /"stateMachineArn"\s*:\s*"(arn:[^"]+)"/.exec(text)?.[1];
  });
  return new Set(named).size === 1 ? named[0] : undefined;
}

/** What API Gateway waits for an integration when nothing is said. */
const TIMEOUT_MS_DEFAULT = 29_000;

const ACTION = /^arn:[\w-]+:apigateway:[\w-]+:([\w.-]+):action\/(\w+)$/;
/** The services whose actions are run. */
const SERVICES: readonly string[] = ['states'];

/** AWS::ApiGateway::Method. Those with an integration that is not built answer 501. */
export function readMethod(resource: ResourceReader): Read<MethodSpec> {
  const authorization =
    resource.oneOf('AuthorizationType', ['NONE', 'AWS_IAM', 'CUSTOM', 'COGNITO_USER_POOLS']) ?? 'NONE';
  const required = Object.entries(resource.textMap('RequestParameters'));
  return {
    apiId: resource.text('RestApiId'),
    pathId: resource.text('ResourceId'),
    httpMethod: resource.text('HttpMethod').toUpperCase(),
    authorization,
    ...present({ authorizerId: resource.optionalText('AuthorizerId') }),
    needsApiKey: resource.optionalText('ApiKeyRequired') === 'true',
    requestParameters: Object.fromEntries(required.map(([name, value]) => [name, value === 'true'])),
    statuses: resource.objects('MethodResponses').map(response => response.text('StatusCode')),
    integration: readIntegration(resource),
  };
}

function readIntegration(resource: ResourceReader): Integration {
  const section = resource.object('Integration');
  const type = section?.optionalText('Type') ?? '';
  if (section && type === 'MOCK') return { kind: 'mock', mapping: readMapping(section) };
  const uri = section?.optionalText('Uri') ?? '';
  const timeoutMs = section?.optionalNumber('TimeoutInMillis') ?? TIMEOUT_MS_DEFAULT;
  if (section && type === 'AWS_PROXY') {
    const functionArn = functionIn(uri);
    if (functionArn !== undefined) return { kind: 'proxy', functionArn, timeoutMs };
  }
  const [, service = '', operation = ''] = (type === 'AWS' && ACTION.exec(uri)) || [];
  if (section && SERVICES.includes(service)) {
    return { kind: 'action', service, operation, mapping: readMapping(section) };
  }
  const reason = `it has an integration of type ${type || 'none'}${uri && ` with ${uri}`}`;
  return { kind: 'missing', reason };
}

function readMapping(section: Section): Mapping {
  return {
    passthrough:
      section.oneOf('PassthroughBehavior', ['WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES', 'NEVER']) ??
      'WHEN_NO_MATCH',
    requestTemplates: readTemplates(section, 'RequestTemplates'),
    responses: section.objects('IntegrationResponses').map(readResponse),
    timeoutMs: section.optionalNumber('TimeoutInMillis') ?? TIMEOUT_MS_DEFAULT,
  };
}

function readResponse(section: Section): IntegrationResponse {
  const pattern = readPattern(section);
  return {
    status: section.text('StatusCode'),
    ...(pattern && { pattern }),
    parameters: section.textMap('ResponseParameters'),
    templates: readTemplates(section, 'ResponseTemplates'),
  };
}

function readPattern(section: Section): RegExp | undefined {
  const pattern = section.optionalText('SelectionPattern') ?? '';
  if (pattern === '') return undefined;
  try {
    return new RegExp(`^(?:${pattern})$`, 's');
  } catch {
    return section.problem('SelectionPattern', `is not a valid regular expression: ${pattern}`);
  }
}

function readTemplates(section: Section, name: string): ReadonlyMap<string, Template> {
  const templates = Object.entries(section.textMap(name)).flatMap(([type, text]) => {
    const parsed = parseTemplate(text);
    if (parsed.kind === 'template') return [[type.toLowerCase(), parsed.template] as const];
    section.problem(name, `for ${type} ${parsed.message}`);
    return [];
  });
  return new Map(templates);
}
