import { findAsset } from '../../assembly/assets';
import { isList } from '../../assembly/intrinsics/intrinsic';
import { readText } from '../../assembly/json-file';
import { arnOf } from '../../assembly/stack';
import { member } from '../../assembly/template';
import type {
  Identity,
  Read,
  ResourceReader,
  ResourceSpec,
  ResourceType,
  ResourceTypes,
  Section,
} from '../../assembly/types';
import { isJsonObject, type Json } from '../../json/json';
import { present } from '../../json/present';
import type { RoutingConfiguration } from '../../runtime/catalogue/catalogue-item';
import { WEIGHT_SUM } from '../../runtime/catalogue/routing';
import { INITIAL_REVISION } from '../../runtime/catalogue/versions';
import { splitMachineArn } from '../../runtime/requests/arns';

/** A state machine; `definitionText` is the definition as Step Functions receives it, not yet parsed. */
export interface StateMachineSpec extends ResourceSpec {
  readonly arn: string;
  readonly name: string;
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly definitionText: string;
  readonly roleArn?: string;
  /** The logging configuration, as CreateStateMachine takes it. */
  readonly loggingConfiguration?: LoggingSpec;
  readonly tracingConfiguration?: { readonly enabled: boolean };
}

/** The logging configuration of a state machine, as CreateStateMachine takes it. */
export interface LoggingSpec {
  readonly level?: 'ALL' | 'ERROR' | 'FATAL' | 'OFF';
  readonly includeExecutionData?: boolean;
  readonly destinations?: readonly { readonly cloudWatchLogsLogGroup: { readonly logGroupArn: string } }[];
}

/** An activity: what workers ask for tasks by. */
export interface ActivitySpec extends ResourceSpec {
  readonly arn: string;
  readonly name: string;
}

/** A version of a state machine: the definition that the templates have now, under a number. */
export interface MachineVersionSpec extends ResourceSpec {
  readonly arn: string;
  readonly machineArn: string;
  readonly number: number;
  readonly description?: string;
}

/** An alias of a state machine, as CreateStateMachineAlias takes it. */
export interface MachineAliasSpec extends ResourceSpec {
  readonly arn: string;
  readonly name: string;
  readonly description?: string;
  readonly routingConfiguration: RoutingConfiguration;
}

/** Step Functions takes no longer name. */
const NAME_CHARACTERS_MAX = 80;

/** AWS::StepFunctions::StateMachine, its definition given as text, as an object, or as an asset. */
export const STATE_MACHINE: ResourceType<StateMachineSpec> = {
  nameProperty: 'StateMachineName',
  nameLimit: NAME_CHARACTERS_MAX,
  ref: arn,
  attributes: { Arn: arn, Name: ({ name }) => name, StateMachineRevisionId: () => INITIAL_REVISION },
  read: readStateMachine,
};

/** AWS::StepFunctions::Activity. */
export const ACTIVITY: ResourceType<ActivitySpec> = {
  nameProperty: 'Name',
  nameLimit: NAME_CHARACTERS_MAX,
  ref: activityArn,
  attributes: { Arn: activityArn, Name: ({ name }) => name },
  read: resource => ({
    arn: activityArn(resource.identity),
    name: resource.identity.name,
  }),
};

/**
 * AWS::StepFunctions::StateMachineVersion. A machine's versions have the numbers 1, 2 and so on, in the order of the
 * template.
 */
export const MACHINE_VERSION: ResourceType<MachineVersionSpec> = {
  ref: versionArn,
  attributes: { Arn: versionArn },
  read: resource => ({
    arn: versionArn(resource.identity),
    machineArn: resource.text('StateMachineArn'),
    number: resource.identity.ordinal('StateMachineArn'),
    ...present({ description: resource.optionalText('Description') }),
  }),
};

/** AWS::StepFunctions::StateMachineAlias. A gradual deployment shifts all executions at once. */
export const MACHINE_ALIAS: ResourceType<MachineAliasSpec> = {
  nameProperty: 'Name',
  nameLimit: NAME_CHARACTERS_MAX,
  ref: aliasArn,
  attributes: { Arn: aliasArn },
  read: resource => ({
    arn: aliasArn(resource.identity),
    name: resource.identity.name,
    ...present({ description: resource.optionalText('Description') }),
    routingConfiguration: readRouting(resource),
  }),
};

/** The types of CloudFormation that belong to Step Functions. */
export const STATES_RESOURCE_TYPES: ResourceTypes = new Map<string, ResourceType>([
  ['AWS::StepFunctions::StateMachine', STATE_MACHINE],
  ['AWS::StepFunctions::StateMachineVersion', MACHINE_VERSION],
  ['AWS::StepFunctions::StateMachineAlias', MACHINE_ALIAS],
  ['AWS::StepFunctions::Activity', ACTIVITY],
]);

function arn({ environment, name }: Identity): string {
  return arnOf(environment, 'states', `stateMachine:${name}`);
}

function activityArn({ environment, name }: Identity): string {
  return arnOf(environment, 'states', `activity:${name}`);
}

function versionArn(identity: Identity): string {
  return `${identity.property('StateMachineArn') ?? ''}:${identity.ordinal('StateMachineArn')}`;
}

/** An alias is called by its machine, which only the versions that it routes to name. */
function aliasArn(identity: Identity): string {
  const routing = identity.value('RoutingConfiguration');
  const [first] = isList(routing) ? routing : [identity.value('DeploymentPreference')];
  const version = member(first, 'StateMachineVersionArn');
  return `${splitMachineArn(typeof version === 'string' ? version : '').machineArn}:${identity.name}`;
}

function readRouting(resource: ResourceReader): RoutingConfiguration {
  const deployment = resource.object('DeploymentPreference');
  if (deployment)
    return [{ stateMachineVersionArn: deployment.text('StateMachineVersionArn'), weight: WEIGHT_SUM }];
  const routes = resource.objects('RoutingConfiguration');
  if (routes.length === 0)
    resource.problem('RoutingConfiguration', 'is missing; name the version that executions run');
  return routes.map(route => ({
    stateMachineVersionArn: route.text('StateMachineVersionArn'),
    weight: route.optionalNumber('Weight') ?? WEIGHT_SUM,
  }));
}

function readStateMachine(resource: ResourceReader): Read<StateMachineSpec> {
  const logging = resource.object('LoggingConfiguration');
  const tracing = resource.object('TracingConfiguration');
  return {
    arn: arn(resource.identity),
    name: resource.identity.name,
    type: resource.oneOf('StateMachineType', ['STANDARD', 'EXPRESS']) ?? 'STANDARD',
    definitionText: substitute(definitionText(resource), resource.textMap('DefinitionSubstitutions')),
    ...present({ roleArn: resource.optionalText('RoleArn') }),
    ...(logging && { loggingConfiguration: readLogging(logging) }),
    ...(tracing && { tracingConfiguration: { enabled: tracing.optionalText('Enabled') === 'true' } }),
  };
}

function readLogging(logging: Section): LoggingSpec {
  const destinations = logging.objects('Destinations').flatMap(destination => {
    const group = destination.object('CloudWatchLogsLogGroup');
    return group ? [{ cloudWatchLogsLogGroup: { logGroupArn: group.text('LogGroupArn') } }] : [];
  });
  return {
    ...present({ level: logging.oneOf('Level', ['ALL', 'ERROR', 'FATAL', 'OFF']) }),
    includeExecutionData: logging.optionalText('IncludeExecutionData') === 'true',
    ...(destinations.length > 0 && { destinations }),
  };
}

function definitionText(resource: ResourceReader): string {
  const location = resource.object('DefinitionS3Location');
  if (location) return textFromAsset(location, resource);
  const definition: Json | undefined = resource.value('Definition');
  if (isJsonObject(definition)) return JSON.stringify(definition);
  return resource.text('DefinitionString');
}

function textFromAsset(location: Section, resource: ResourceReader): string {
  const key = location.text('Key');
  if (key === '') return '';
  if (!resource.stack.assets.has(key)) {
    return resource.notRun(`its definition is the object ${key} in S3, which is not on this machine`) ?? '';
  }
  const asset = findAsset(resource.stack.assets, key);
  if (asset.kind === 'missing') return location.problem('Key', asset.message) ?? '';
  if (asset.kind === 'directory') return location.problem('Key', 'is a directory; give a single file') ?? '';
  return readText(asset.path, key, resource.problems) ?? '';
}

/**
 * CloudFormation replaces plain text, without quoting, and leaves names it has no value for as they stand.
 */
function substitute(text: string, values: Record<string, string>): string {
  return text.replace(/\$\{([A-Za-z0-9_]+)\}/g, (whole: string, name: string) => {
    return Object.hasOwn(values, name) ? (values[name] ?? whole) : whole;
  });
}
