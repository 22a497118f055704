import type { Json, JsonObject } from '../../json/json';
import { objectOf, type Resource, withoutUndefined } from './resource';

/** A method of a REST API, with its integration as OpenAPI has it. */
export interface ApiMethod {
  /** The logical id of the API. */
  readonly api: string;
  readonly path: string;
  readonly method: string;
  readonly integration: JsonObject;
}

/** A REST API of SAM: the API with its document, a deployment and a stage. */
export function apiResources(
  id: string,
  properties: JsonObject,
  resource: object = {},
): Readonly<Record<string, Resource>> {
  const { Name, DefinitionBody, StageName: stage = 'Prod', Variables } = properties;
  const as = (Type: string, of: Readonly<Record<string, Json | undefined>>) => {
    return { ...resource, Type, Properties: withoutUndefined(of) };
  };
  const RestApiId = { Ref: id };
  return {
    [id]: as('AWS::ApiGateway::RestApi', { Name, Body: DefinitionBody ?? {} }),
    [`${id}Deployment`]: as('AWS::ApiGateway::Deployment', { RestApiId }),
    [`${id}Stage`]: as('AWS::ApiGateway::Stage', {
      RestApiId,
      StageName: stage,
      DeploymentId: { Ref: `${id}Deployment` },
      Variables,
    }),
  };
}

/** The API without its OpenAPI document, and the paths and methods of that, and of events. */
export function restApiResources(
  id: string,
  api: Resource,
  ofEvents: readonly ApiMethod[],
): Readonly<Record<string, Resource>> {
  const { Body, ...properties } = api.Properties;
  if (Body === undefined && ofEvents.length === 0) return {};
  const document = objectOf(withPseudoParameters(Body ?? {}));
  const methods = [...methodsIn(id, document), ...ofEvents.map(method => ({ ...method, details: {} }))];
  const title = objectOf(document['info'])['title'];
  const own: Resource = { ...api, Properties: withoutUndefined({ Name: title ?? id, ...properties }) };
  const resources: Record<string, Resource> = { [id]: own };
  for (const { path, method, integration, details } of methods) {
    const pathId = addPath(resources, id, path);
    const HttpMethod = isAny(method) ? 'ANY' : method.toUpperCase();
    const methodId = `${idOf(id, path)}${HttpMethod}`;
    resources[methodId] = {
      Type: 'AWS::ApiGateway::Method',
      Properties: withoutUndefined({
        RestApiId: { Ref: id },
        ResourceId: pathId,
        HttpMethod,
        AuthorizationType: authorizationOf(details),
        MethodResponses: statusesOf(details, integration).map(StatusCode => ({ StatusCode })),
        Integration: integrationOf(integration),
      }),
    };
  }
  return resources;
}

/** API Gateway fills in `${AWS::Region}` and its like also where a document has no `Fn::Sub`. */
function withPseudoParameters(value: Json): Json {
  if (typeof value === 'string') {
    return value.includes('${AWS::') ? { 'Fn::Sub': value.replace(/\$\{(?!AWS::)/g, '${!') } : value;
  }
  if (Array.isArray(value)) return value.map(withPseudoParameters);
  const [name = '', ...others] = Object.keys(objectOf(value));
  if (typeof value !== 'object' || value === null || (others.length === 0 && name.startsWith('Fn::')))
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPseudoParameters(inner)]));
}

const METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'x-amazon-apigateway-any-method',
];

function isAny(method: string): boolean {
  return ['any', 'x-amazon-apigateway-any-method'].includes(method.toLowerCase());
}

function methodsIn(
  api: string,
  document: JsonObject,
): readonly (ApiMethod & { readonly details: JsonObject })[] {
  return Object.entries(objectOf(document['paths'])).flatMap(([path, item]) =>
    Object.entries(objectOf(item)).flatMap(([method, value]) => {
      if (!METHODS.includes(method.toLowerCase())) return [];
      const details = objectOf(value);
      return [
        { api, path, method, details, integration: objectOf(details['x-amazon-apigateway-integration']) },
      ];
    }),
  );
}

/** Adds the resources of a path, one for each of its parts; what the last of them is referred to by. */
function addPath(resources: Record<string, Resource>, id: string, path: string): Json {
  let parent: Json = { 'Fn::GetAtt': [id, 'RootResourceId'] };
  let at = '';
  for (const part of path.split('/').filter(text => text !== '')) {
    at += `/${part}`;
    const pathId = `${idOf(id, at)}Path`;
    const Properties = { RestApiId: { Ref: id }, ParentId: parent, PathPart: part };
    resources[pathId] ??= { Type: 'AWS::ApiGateway::Resource', Properties };
    parent = { Ref: pathId };
  }
  return parent;
}

/** A logical id for a path: each character that an id cannot have by its number. */
function idOf(api: string, path: string): string {
  return api + path.replace(/[^A-Za-z0-9]/g, character => `x${character.codePointAt(0)?.toString(16)}`);
}

function authorizationOf(details: JsonObject): string {
  const auth = objectOf(details['x-amazon-apigateway-auth'])['type'];
  return String(auth ?? '').toUpperCase() === 'AWS_IAM' ? 'AWS_IAM' : 'NONE';
}

/** The statuses that a method answers: those of the document, and those that its integration answers with. */
function statusesOf(details: JsonObject, integration: JsonObject): readonly string[] {
  const declared = Object.keys(objectOf(details['responses'])).filter(status => /^\d{3}$/.test(status));
  const answered = Object.values(objectOf(integration['responses'])).map(response => {
    return String(objectOf(response)['statusCode'] ?? '200');
  });
  return [...new Set([...declared, ...answered])];
}

function integrationOf(integration: JsonObject): JsonObject {
  const { type, httpMethod, uri, credentials, requestTemplates, requestParameters, timeoutInMillis } =
    integration;
  const { passthroughBehavior, responses } = integration;
  const IntegrationResponses = Object.entries(objectOf(responses)).map(([pattern, response]) => {
    const { statusCode = '200', responseTemplates, responseParameters } = objectOf(response);
    return withoutUndefined({
      StatusCode: String(statusCode),
      SelectionPattern: pattern === 'default' ? undefined : pattern,
      ResponseTemplates: responseTemplates,
      ResponseParameters: responseParameters,
    });
  });
  return withoutUndefined({
    Type: String(type ?? '').toUpperCase(),
    IntegrationHttpMethod: httpMethod,
    Uri: uri,
    Credentials: credentials,
    RequestTemplates: requestTemplates,
    RequestParameters: requestParameters,
    TimeoutInMillis: timeoutInMillis,
    PassthroughBehavior:
      passthroughBehavior === undefined ? undefined : String(passthroughBehavior).toUpperCase(),
    IntegrationResponses,
  });
}
