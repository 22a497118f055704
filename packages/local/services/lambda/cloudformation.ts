import { findAsset } from '../../assembly/assets';
import { arnOf } from '../../assembly/stack';
import type {
  Identity,
  ResourceReader,
  ResourceSpec,
  ResourceType,
  ResourceTypes,
} from '../../assembly/types';
import { EVENT_SOURCE_MAPPING } from './event-sources/cloudformation';
import type { FunctionSpec } from './function-spec';

/** A function, as a template deploys it. */
export interface DeployedFunction extends FunctionSpec, ResourceSpec {
  readonly arn: string;
  /** As Lambda names it, e.g. `nodejs22.x`. */
  readonly runtime: string;
}

/** Lambda takes no longer name. */
const NAME_CHARACTERS_MAX = 64;
/** What Lambda uses when a function does not say. */
const TIMEOUT_SECONDS_DEFAULT = 3;
const MEMORY_MB_DEFAULT = 128;

/** AWS::Lambda::Function whose code is an unpacked asset of the assembly. */
export const FUNCTION: ResourceType<DeployedFunction> = {
  nameProperty: 'FunctionName',
  nameLimit: NAME_CHARACTERS_MAX,
  attributes: { Arn: arn },
  read: readFunction,
};

function arn({ environment, name }: Identity): string {
  return arnOf(environment, 'lambda', `function:${name}`);
}

function readFunction(resource: ResourceReader): DeployedFunction {
  const directory = codeDirectory(resource);
  // An image brings its own entry point; its one problem is enough.
  const isImage = resource.optionalText('PackageType') === 'Image';
  return {
    logicalId: resource.logicalId,
    stack: resource.stack.name,
    arn: arn(resource.identity),
    name: resource.identity.name,
    directory,
    handler: isImage ? '' : resource.text('Handler'),
    runtime: isImage ? '' : resource.text('Runtime'),
    timeoutSeconds: resource.optionalNumber('Timeout') ?? TIMEOUT_SECONDS_DEFAULT,
    memoryMb: resource.optionalNumber('MemorySize') ?? MEMORY_MB_DEFAULT,
    environment: resource.object('Environment')?.textMap('Variables') ?? {},
  };
}

function codeDirectory(resource: ResourceReader): string {
  const refuse = (message: string): string => {
    return resource.problem('Code', `of function \`${resource.logicalId}\` ${message}`) ?? '';
  };
  const code = resource.object('Code');
  if (code === undefined) return refuse('is missing; use Code.fromAsset with a directory');
  if (code.value('ZipFile') !== undefined) {
    return refuse('is inline (ZipFile); put it into a directory and use Code.fromAsset');
  }
  if (code.value('ImageUri') !== undefined) {
    return refuse('is a container image; only directories of code run locally, use Code.fromAsset');
  }
  const key = code.text('S3Key');
  if (key === '') return '';
  const asset = findAsset(resource.stack.assets, key);
  if (asset.kind === 'missing') return refuse(asset.message);
  if (asset.kind === 'directory') return asset.path;
  return refuse(`is a packed archive (${key}); use Code.fromAsset with the directory it was made from`);
}

/** Locally a function has one state of its code, so each published version is the first. */
const ONLY_VERSION = '1';

/** AWS::Lambda::Version: the function's ARN with a version number; it runs the function's current code. */
const VERSION: ResourceType = {
  ref: versionArn,
  attributes: { Version: () => ONLY_VERSION, FunctionArn: versionArn },
  inert: true,
};

function versionArn(identity: Identity): string | undefined {
  return qualifiedFunctionArn(identity, ONLY_VERSION);
}

/**
 * The ARN of the function that the property `FunctionName` (a name or an ARN) points at, with a qualifier.
 */
function qualifiedFunctionArn(identity: Identity, qualifier: string): string | undefined {
  const name = identity.property('FunctionName');
  if (name === undefined) return undefined;
  const arn = name.startsWith('arn:') ? name : arnOf(identity.environment, 'lambda', `function:${name}`);
  return `${arn}:${qualifier}`;
}

/** AWS::Lambda::Alias: the function's ARN with the alias; it runs the function's current code. */
const ALIAS: ResourceType = { ref: aliasArn, attributes: { AliasArn: aliasArn }, inert: true };

function aliasArn(identity: Identity): string | undefined {
  const alias = identity.property('Name');
  return alias && qualifiedFunctionArn(identity, alias);
}

/** The types of CloudFormation that belong to Lambda. */
export const LAMBDA_RESOURCE_TYPES: ResourceTypes = new Map<string, ResourceType>([
  ['AWS::Lambda::Function', FUNCTION],
  ['AWS::Lambda::Version', VERSION],
  ['AWS::Lambda::Alias', ALIAS],
  ['AWS::Lambda::EventSourceMapping', EVENT_SOURCE_MAPPING],
  ['AWS::Lambda::Permission', { attributes: {}, inert: true }],
]);
