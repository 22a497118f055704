import type { FunctionSpec } from '../assembly';
import { findAsset } from '../assets';
import type { ResourceReader } from '../resource-reader';
import type { Identity, ResourceType } from '../resource-type';
import { arnOf } from '../stack';

/** Lambda takes no longer name. */
const NAME_CHARACTERS_MAX = 64;
/** What Lambda uses when a function does not say. */
const TIMEOUT_SECONDS_DEFAULT = 3;
const MEMORY_MB_DEFAULT = 128;

/** AWS::Lambda::Function whose code is an unpacked asset of the assembly. */
export const LAMBDA_FUNCTION: ResourceType = {
  nameProperty: 'FunctionName',
  nameLimit: NAME_CHARACTERS_MAX,
  attributes: { Arn: arn },
  read: resource => ({ kind: 'function', spec: readFunction(resource) }),
};

function arn({ environment, name }: Identity): string {
  return arnOf(environment, 'lambda', `function:${name}`);
}

function readFunction(resource: ResourceReader): FunctionSpec {
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
