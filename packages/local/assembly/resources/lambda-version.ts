import type { Identity, ResourceType } from '../resource-type';
import { arnOf } from '../stack';

/** Locally a function has one state of its code, so each published version is the first. */
const ONLY_VERSION = '1';

/** AWS::Lambda::Version: the function's ARN with a version number; it runs the function's current code. */
export const LAMBDA_VERSION: ResourceType = {
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
export function qualifiedFunctionArn(identity: Identity, qualifier: string): string | undefined {
  const name = identity.property('FunctionName');
  if (name === undefined) return undefined;
  const arn = name.startsWith('arn:') ? name : arnOf(identity.environment, 'lambda', `function:${name}`);
  return `${arn}:${qualifier}`;
}
