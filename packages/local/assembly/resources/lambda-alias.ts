import type { Identity, ResourceType } from '../resource-type';
import { qualifiedFunctionArn } from './lambda-version';

/** AWS::Lambda::Alias: the function's ARN with the alias; it runs the function's current code. */
export const LAMBDA_ALIAS: ResourceType = { ref: aliasArn, attributes: { AliasArn: aliasArn }, inert: true };

function aliasArn(identity: Identity): string | undefined {
  const alias = identity.property('Name');
  return alias && qualifiedFunctionArn(identity, alias);
}
