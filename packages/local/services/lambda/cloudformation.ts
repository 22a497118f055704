import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { findAsset } from '../../assembly/assets';
import { arnOf } from '../../assembly/stack';
import type {
  Identity,
  Read,
  ResourceReader,
  ResourceSpec,
  ResourceType,
  ResourceTypes,
} from '../../assembly/types';
import { EVENT_SOURCE_MAPPING } from './event-sources/cloudformation';
import { EXTERNAL, type FunctionSpec } from './function-spec';
import { hasPython } from './python-process';

/** A function, as a template deploys it. */
export interface DeployedFunction extends Omit<FunctionSpec, 'directory'>, ResourceSpec {
  readonly arn: string;
  readonly code: FunctionCode;
  /** As Lambda names it, e.g. `nodejs22.x`. */
  readonly runtime: string;
}

/** The place of a function's code: an unpacked asset of the assembly, or the template itself. */
export type FunctionCode =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'inline'; readonly text: string };

/** Lambda takes no longer name. */
const NAME_CHARACTERS_MAX = 64;
/** What Lambda uses when a function does not say. */
const TIMEOUT_SECONDS_DEFAULT = 3;
const MEMORY_MB_DEFAULT = 128;
const STORAGE_MB_DEFAULT = 512;

/**
 * AWS::Lambda::Function. Those that are not run: images, archives, and runtimes other than Node.js and, where the
 * machine has a `python3`, Python.
 */
export const FUNCTION: ResourceType<DeployedFunction> = {
  nameProperty: 'FunctionName',
  nameLimit: NAME_CHARACTERS_MAX,
  attributes: { Arn: arn },
  read: readFunction,
};

function arn({ environment, name }: Identity): string {
  return arnOf(environment, 'lambda', `function:${name}`);
}

function readFunction(resource: ResourceReader): Read<DeployedFunction> {
  // An image brings its own entry point and its own runtime.
  const isImage = resource.optionalText('PackageType') === 'Image';
  const runtime = isImage ? '' : resource.text('Runtime');
  const reason = runtime === '' ? undefined : reasonNotToRun(runtime);
  if (reason !== undefined) resource.notRun(reason);
  return {
    arn: arn(resource.identity),
    name: resource.identity.name,
    code: reason === undefined ? readCode(resource) : { kind: 'directory', path: '' },
    handler: isImage ? '' : resource.text('Handler'),
    runtime,
    timeoutSeconds: resource.optionalNumber('Timeout') ?? TIMEOUT_SECONDS_DEFAULT,
    memoryMb: resource.optionalNumber('MemorySize') ?? MEMORY_MB_DEFAULT,
    storageMb: resource.object('EphemeralStorage')?.optionalNumber('Size') ?? STORAGE_MB_DEFAULT,
    isThrottled: resource.optionalNumber('ReservedConcurrentExecutions') === 0,
    environment: resource.object('Environment')?.textMap('Variables') ?? {},
  };
}

function reasonNotToRun(runtime: string): string | undefined {
  if (runtime.startsWith('nodejs') || runtime === EXTERNAL) return undefined;
  if (!runtime.startsWith('python')) return `it has the runtime ${runtime}`;
  return hasPython() ? undefined : `it has the runtime ${runtime}, and there is no python3 on the PATH`;
}

function readCode(resource: ResourceReader): FunctionCode {
  const nowhere: FunctionCode = { kind: 'directory', path: '' };
  const reject = (message: string): FunctionCode => {
    return resource.problem('Code', `of function \`${resource.logicalId}\` ${message}`) ?? nowhere;
  };
  const code = resource.object('Code');
  if (code === undefined) return reject('is missing; use Code.fromAsset with a directory');
  if (code.value('ZipFile') !== undefined) return { kind: 'inline', text: code.text('ZipFile') };
  if (code.value('ImageUri') !== undefined) return resource.notRun('it is a container image') ?? nowhere;
  const local = code.optionalText('LocalPath');
  if (local !== undefined) return localCode(local, resource);
  const key = code.text('S3Key');
  if (key === '') return nowhere;
  if (!resource.stack.assets.has(key)) {
    return resource.notRun(`its code is the object ${key} in S3, which is not on this machine`) ?? nowhere;
  }
  const asset = findAsset(resource.stack.assets, key);
  switch (asset.kind) {
    case 'directory':
      return { kind: 'directory', path: asset.path };
    case 'file':
      return resource.notRun(`its code is a packed archive (${key})`) ?? nowhere;
    case 'missing':
      return reject(asset.message);
    default:
      return asset satisfies never;
  }
}

/** Code that a template names by its path. */
function localCode(path: string, resource: ResourceReader): FunctionCode {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) resource.notRun(`its code is a packed archive (${basename(path)})`);
  if (!stats) resource.notRun(`its code is not built: there is no ${path}`);
  return { kind: 'directory', path };
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
