import { createHash } from 'node:crypto';
import type { Identity, ResourceSpec, ResourceType, ResourceTypes } from '../../assembly/types';
import { present } from '../../json/present';
import { type AuthorizerSpec, readAuthorizer } from './read-authorizer';
import { type MethodSpec, readMethod } from './read-method';

/** A REST API, as a template deploys it. */
export interface RestApiSpec extends ResourceSpec {
  readonly id: string;
  readonly name: string;
  readonly rootId: string;
}

/** One segment of an API's paths, e.g. `payments`, `{id}` or `{proxy+}`. */
export interface PathSpec extends ResourceSpec {
  readonly id: string;
  readonly apiId: string;
  readonly parentId: string;
  readonly part: string;
}

/** A stage, under whose name an API is reached. */
export interface StageSpec extends ResourceSpec {
  readonly apiId: string;
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** How an API words an answer of its own. */
export interface GatewayResponseSpec extends ResourceSpec {
  readonly apiId: string;
  /** E.g. `UNSUPPORTED_MEDIA_TYPE` or `DEFAULT_4XX`. */
  readonly type: string;
  /** @default - the type's own */
  readonly status?: number;
  /** By `gatewayresponse.header.Name`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** By content type. */
  readonly templates: Readonly<Record<string, string>>;
}

/** AWS::ApiGateway::RestApi whose resources and methods are in the template; one of OpenAPI is not run. */
export const REST_API: ResourceType<RestApiSpec> = {
  ref: id,
  attributes: { RestApiId: id, RootResourceId: rootId },
  read(resource) {
    for (const name of ['Body', 'BodyS3Location'] as const) {
      if (resource.value(name) !== undefined) resource.notRun('it is defined by OpenAPI');
    }
    return {
      id: id(resource.identity),
      name: resource.optionalText('Name') ?? resource.logicalId,
      rootId: rootId(resource.identity),
    };
  },
};

/** AWS::ApiGateway::Resource. */
export const RESOURCE: ResourceType<PathSpec> = {
  ref: id,
  attributes: { ResourceId: id },
  read: resource => ({
    id: id(resource.identity),
    apiId: resource.text('RestApiId'),
    parentId: resource.text('ParentId'),
    part: resource.text('PathPart'),
  }),
};

/** AWS::ApiGateway::Method, with an integration that is run here. */
export const METHOD: ResourceType<MethodSpec> = { attributes: {}, read: readMethod };

/** AWS::ApiGateway::Stage. */
export const STAGE: ResourceType<StageSpec> = {
  ref: ({ property }) => property('StageName'),
  attributes: {},
  read: resource => ({
    apiId: resource.text('RestApiId'),
    name: resource.text('StageName'),
    variables: resource.textMap('Variables'),
  }),
};

/** AWS::ApiGateway::Deployment; it is one's stage as well that names a stage. */
export const DEPLOYMENT: ResourceType<StageSpec> = {
  ref: id,
  attributes: { DeploymentId: id },
  read: resource => ({
    apiId: resource.text('RestApiId'),
    name: resource.optionalText('StageName') ?? '',
    variables: resource.object('StageDescription')?.textMap('Variables') ?? {},
  }),
};

/** AWS::ApiGateway::GatewayResponse. */
export const GATEWAY_RESPONSE: ResourceType<GatewayResponseSpec> = {
  ref: id,
  attributes: { Id: id },
  read: resource => ({
    apiId: resource.text('RestApiId'),
    type: resource.text('ResponseType'),
    ...present({ status: resource.optionalNumber('StatusCode') }),
    parameters: resource.textMap('ResponseParameters'),
    templates: resource.textMap('ResponseTemplates'),
  }),
};

/** AWS::ApiGateway::Authorizer. */
export const AUTHORIZER: ResourceType<AuthorizerSpec> = {
  ref: id,
  attributes: { AuthorizerId: id },
  read: resource => readAuthorizer(resource, id(resource.identity)),
};

const INERT: ResourceType = { ref: id, attributes: {}, inert: true };

/** The types of CloudFormation that belong to API Gateway. */
export const API_GATEWAY_RESOURCE_TYPES: ResourceTypes = new Map<string, ResourceType>([
  ['AWS::ApiGateway::RestApi', REST_API],
  ['AWS::ApiGateway::Resource', RESOURCE],
  ['AWS::ApiGateway::Method', METHOD],
  ['AWS::ApiGateway::Deployment', DEPLOYMENT],
  ['AWS::ApiGateway::Stage', STAGE],
  ['AWS::ApiGateway::GatewayResponse', GATEWAY_RESPONSE],
  ['AWS::ApiGateway::Authorizer', AUTHORIZER],
  ['AWS::ApiGateway::Account', INERT],
  ['AWS::ApiGateway::RequestValidator', { ...INERT, attributes: { RequestValidatorId: id }, inert: false }],
  ['AWS::ApiGateway::Model', { ...INERT, nameProperty: 'Name', inert: false }],
  ['AWS::ApiGateway::UsagePlan', { ...INERT, attributes: { Id: id }, inert: false }],
  ['AWS::ApiGateway::UsagePlanKey', { ...INERT, attributes: { Id: id }, inert: false }],
  ['AWS::ApiGateway::ApiKey', { ...INERT, attributes: { APIKeyId: id }, inert: false }],
  ['AWS::ApiGatewayV2::Api', httpApi()],
]);

function httpApi(): ResourceType {
  return {
    ref: id,
    attributes: {
      ApiId: id,
      ApiEndpoint: identity => {
        const { region, urlSuffix } = identity.environment;
        return `https://${id(identity)}.execute-api.${region}.${urlSuffix}`;
      },
    },
    read(resource) {
      resource.notRun('it is an HTTP or WebSocket API; of API Gateway, REST APIs are run');
      return {};
    },
  };
}

function id({ name }: Identity): string {
  return idOf(name);
}

function rootId({ name }: Identity): string {
  return idOf(`${name}/`);
}

const ID_CHARACTERS = 10;

/** Ten letters and digits as AWS draws them, here the same in every run. */
export function idOf(name: string): string {
  const digits = createHash('sha256')
    .update(name)
    .digest('hex')
    .slice(0, 2 * ID_CHARACTERS);
  return BigInt(`0x${digits}`).toString(36).padStart(ID_CHARACTERS, '0').slice(-ID_CHARACTERS);
}
