import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { NESTED_STACK } from '../stack';
import { type ApiMethod, apiResources, restApiResources } from './apis';
import { eventResources } from './events';
import { codeOf, definitionOf, nestedProperties, withIncluded } from './files';
import { objectOf, type Resource, type SamFile, withoutUndefined } from './resource';

/** What one resource of SAM becomes. */
interface Expanded {
  readonly resources: Readonly<Record<string, Resource>>;
  /** Methods that its events add to REST APIs. */
  readonly methods: readonly ApiMethod[];
}

/** The REST API of events that name none. */
const IMPLICIT_API = 'ServerlessRestApi';

/**
 * A template of SAM as one of CloudFormation. Definitions and OpenAPI documents stand in the template, and code is
 * named by its path, also in templates for `aws cloudformation package`. Types of SAM that have no counterpart stay.
 */
export function expandSam(document: JsonObject, file: SamFile): JsonObject {
  // A section without an entry is null in YAML, and published templates have some.
  const sections = Object.entries(document).filter(([, section]) => section !== null);
  const included = withIncluded(Object.fromEntries(sections), file) as JsonObject;
  const globals = objectOf(included['Globals']);
  const expanded = Object.entries(objectOf(included['Resources'])).map(([id, resource]) => {
    return isResource(resource)
      ? expandResource(id, withGlobals(resource, globals), file)
      : keep(id, resource);
  });
  const methods = expanded.flatMap(one => one.methods);
  const resources: Record<string, Json> = Object.assign({}, ...expanded.map(one => one.resources));
  if (methods.some(({ api }) => api === IMPLICIT_API) && resources[IMPLICIT_API] === undefined) {
    Object.assign(resources, apiResources(IMPLICIT_API, { StageName: 'Prod' }));
  }
  for (const [id, resource] of Object.entries(resources)) {
    if (!isResource(resource) || resource.Type !== 'AWS::ApiGateway::RestApi') continue;
    Object.assign(
      resources,
      restApiResources(
        id,
        resource,
        methods.filter(({ api }) => api === id),
      ),
    );
  }
  return { ...included, Resources: resources };
}

function expandResource(id: string, resource: Resource, file: SamFile): Expanded {
  const { Type: type, Properties: properties } = resource;
  const as = (Type: string, Properties: JsonObject): Resource => ({ ...resource, Type, Properties });
  switch (type) {
    case 'AWS::Serverless::Function': {
      const Properties = {
        ...properties,
        Code: codeOf(id, properties, file),
        ...roleOf(id, properties, 'Role'),
      };
      const made = withEvents(id, as('AWS::Lambda::Function', Properties), { 'Fn::GetAtt': [id, 'Arn'] });
      return {
        ...made,
        resources: { ...made.resources, ...publishedAlias(id, properties['AutoPublishAlias']) },
      };
    }
    case 'AWS::Lambda::Function':
      if (typeof properties['Code'] !== 'string') return keep(id, resource);
      return keep(id, as(type, { ...properties, Code: codeOf(id, { CodeUri: properties['Code'] }, file) }));
    case 'AWS::Serverless::StateMachine': {
      const { Name, Type: StateMachineType, Logging, Tracing } = properties;
      const Properties = withoutUndefined({
        ...definitionOf(id, properties, 'DefinitionUri', file),
        DefinitionSubstitutions: properties['DefinitionSubstitutions'],
        StateMachineName: Name,
        StateMachineType,
        LoggingConfiguration: Logging,
        TracingConfiguration: Tracing,
        ...roleOf(id, properties, 'RoleArn'),
        Events: properties['Events'],
      });
      const { AutoPublishAlias: alias, UseAliasAsEventTarget: byAlias } = properties;
      const target = { Ref: byAlias === true && alias !== undefined ? `${id}Alias${String(alias)}` : id };
      const made = withEvents(id, as('AWS::StepFunctions::StateMachine', Properties), target);
      return { ...made, resources: { ...made.resources, ...publishedMachine(id, alias) } };
    }
    case 'AWS::StepFunctions::StateMachine': {
      const definition = definitionOf(id, properties, 'DefinitionS3Location', file);
      return keep(id, as(type, { ...properties, ...definition }));
    }
    case 'AWS::Serverless::SimpleTable':
      return keep(id, as('AWS::DynamoDB::Table', tableOf(properties)));
    case 'AWS::Serverless::Api':
      return { resources: apiResources(id, properties, resource), methods: [] };
    case 'AWS::Serverless::HttpApi':
      return keep(id, as('AWS::ApiGatewayV2::Api', { ...properties, ProtocolType: 'HTTP' }));
    case 'AWS::Serverless::Application':
    case NESTED_STACK:
      return keep(id, as(NESTED_STACK, nestedProperties(properties, file)));
    case 'AWS::Serverless::Connector':
      return { resources: {}, methods: [] };
    default:
      // A type of SAM without a counterpart is listed by its name: what AWS makes of its properties is not known here.
      return keep(id, type.startsWith('AWS::Serverless::') ? as(type, {}) : resource);
  }
}

function keep(id: string, resource: Json): Expanded {
  return { resources: { [id]: resource as Resource }, methods: [] };
}

function withEvents(id: string, resource: Resource, target: JsonObject): Expanded {
  const { Events, ...properties } = resource.Properties;
  const own: Resource = { ...resource, Properties: properties };
  const role = roleResource(id, properties);
  const expanded = Object.entries(objectOf(Events)).map(([name, event]) => {
    const { Type: type, Properties: of } = objectOf(event);
    return eventResources(
      { id: `${id}${name}`, type: String(type), properties: objectOf(of) },
      { id, arn: target, isFunction: resource.Type === 'AWS::Lambda::Function', implicitApi: IMPLICIT_API },
    );
  });
  const condition = resource['Condition'];
  const conditional = (made: Readonly<Record<string, Resource>>) =>
    condition === undefined
      ? made
      : Object.fromEntries(
          Object.entries(made).map(([name, one]) => [name, { ...one, Condition: condition }]),
        );
  const resources = Object.assign({}, ...expanded.map(one => conditional(one.resources)));
  return { resources: { [id]: own, ...role, ...resources }, methods: expanded.flatMap(one => one.methods) };
}

/** The version and the alias of a function that SAM publishes. */
function publishedAlias(id: string, alias: Json | undefined): Record<string, Resource> {
  if (alias === undefined) return {};
  const FunctionName = { Ref: id };
  const FunctionVersion = { 'Fn::GetAtt': [`${id}Version`, 'Version'] };
  return {
    [`${id}Version`]: { Type: 'AWS::Lambda::Version', Properties: { FunctionName } },
    [`${id}Alias${String(alias)}`]: {
      Type: 'AWS::Lambda::Alias',
      Properties: { FunctionName, FunctionVersion, Name: alias },
    },
  };
}

/** The version and the alias of a state machine that SAM publishes. */
function publishedMachine(id: string, alias: Json | undefined): Record<string, Resource> {
  if (alias === undefined) return {};
  const StateMachineVersionArn = { Ref: `${id}Version` };
  return {
    [`${id}Version`]: {
      Type: 'AWS::StepFunctions::StateMachineVersion',
      Properties: { StateMachineArn: { Ref: id } },
    },
    [`${id}Alias${String(alias)}`]: {
      Type: 'AWS::StepFunctions::StateMachineAlias',
      Properties: { Name: alias, RoutingConfiguration: [{ StateMachineVersionArn, Weight: 100 }] },
    },
  };
}

/** The role that SAM makes where none is given. */
function roleResource(id: string, properties: JsonObject): Record<string, Resource> {
  const role = properties['Role'] ?? properties['RoleArn'];
  const isOwn = isJsonObject(role) && JSON.stringify(role) === JSON.stringify(arnOfRole(id));
  return isOwn ? { [`${id}Role`]: { Type: 'AWS::IAM::Role', Properties: {} } } : {};
}

function roleOf(id: string, properties: JsonObject, as: string): JsonObject {
  return { [as]: properties['Role'] ?? arnOfRole(id) };
}

function arnOfRole(id: string): JsonObject {
  return { 'Fn::GetAtt': [`${id}Role`, 'Arn'] };
}

const KEY_TYPES: Readonly<Record<string, string>> = { Number: 'N', Binary: 'B' };

function tableOf(properties: JsonObject): JsonObject {
  const { Name: name = 'id', Type: type = 'String' } = objectOf(properties['PrimaryKey']);
  const { PrimaryKey: _key, ProvisionedThroughput: _capacity, ...others } = properties;
  return {
    ...others,
    AttributeDefinitions: [{ AttributeName: name, AttributeType: KEY_TYPES[String(type)] ?? 'S' }],
    KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  };
}

/** The resource with the `Globals` of its type: objects are joined, and what the resource says counts. */
function withGlobals(resource: Resource, globals: JsonObject): Resource {
  const [, kind = ''] = /^AWS::Serverless::(\w+)$/.exec(resource.Type) ?? [];
  const Properties = merged(objectOf(globals[kind]), objectOf(resource.Properties)) as JsonObject;
  return { ...resource, Properties };
}

function merged(global: Json | undefined, own: Json | undefined): Json | undefined {
  if (own === undefined) return global;
  if (Array.isArray(global) && Array.isArray(own)) return [...global, ...own];
  if (!isJsonObject(global) || !isJsonObject(own) || isCall(global) || isCall(own)) return own;
  const names = [...new Set([...Object.keys(global), ...Object.keys(own)])];
  return Object.fromEntries(names.map(name => [name, merged(global[name], own[name]) as Json]));
}

function isCall(value: JsonObject): boolean {
  const [name = '', ...others] = Object.keys(value);
  return others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'));
}

function isResource(value: Json | undefined): value is Resource {
  return isJsonObject(value) && typeof value['Type'] === 'string';
}
