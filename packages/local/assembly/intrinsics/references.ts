import type { Json } from '../../json/json';
import { identify } from '../identity';
import { report, reportForeign } from '../reading';
import { arnOf, NESTED_STACK, nestedIn, stackIdOf } from '../stack';
import { member, type TemplateResource } from '../template';
import type { Identity, Reading, Resolve } from '../types';
import { conditionHolds } from './conditions';
import { outputValue } from './exports';
import { isList, resolveText } from './intrinsic';
import { resolveParameter } from './parameters';

/** Ref: a pseudo parameter, a parameter, or a resource's physical name (or ARN, if that is the value of Ref). */
export function resolveRef(argument: Json, reading: Reading, resolve: Resolve): Json | undefined {
  if (typeof argument !== 'string') return report(reading, 'must be a name');
  if (argument.startsWith('AWS::')) return pseudoParameter(argument, reading);
  if (member(reading.stack.template.parameters, argument) !== undefined) {
    return resolveParameter(argument, reading, resolve);
  }
  const resource = findResource(argument, reading, resolve);
  if (resource === undefined) return undefined;
  const identity = identify(resource, reading, resolve);
  // Most types yield their name. For a type we do not know that is a guess, but a telling one.
  const ref = reading.scope.types.get(resource.type)?.ref;
  return identity && (ref ? ref(identity) : identity.name);
}

/** Fn::GetAtt: `[logical id, attribute]` or `logicalId.Attribute`. */
export function resolveGetAtt(argument: Json, reading: Reading, resolve: Resolve): Json | undefined {
  const parts = typeof argument === 'string' ? splitOnce(argument) : isList(argument) ? argument : [];
  const [logicalId, attributeName] = parts;
  if (typeof logicalId !== 'string' || attributeName === undefined) {
    return report(reading, 'must be [logical id, attribute] or "logicalId.Attribute"');
  }
  const attribute = resolveText(attributeName, reading, resolve);
  const resource = findResource(logicalId, reading, resolve);
  if (attribute === undefined || resource === undefined) return undefined;
  const [, output] = resource.type === NESTED_STACK ? (/^Outputs\.(.+)$/.exec(attribute) ?? []) : [];
  const nested = nestedIn(reading.scope.stacks, reading.stack, logicalId);
  if (output !== undefined && nested) return outputValue(nested, output, reading, resolve);
  const type = reading.scope.types.get(resource.type);
  const read = type && Object.hasOwn(type.attributes, attribute) ? type.attributes[attribute] : undefined;
  const identity = identify(resource, reading, resolve);
  if (read) return identity && read(identity);
  // A text that nothing here leads to, so that what only hands it on can run.
  if (type === undefined && resource.type.startsWith('AWS::') && NAMING.test(attribute))
    return identity && unknownValue(identity, resource.type, attribute);
  return reportForeign(reading, unknownAttribute(resource, attribute, type !== undefined));
}

/** Attributes that are a text, never a list. */
const NAMING = /(?:Arn|Id|Name|Ur[il]|URL|Endpoint|Address|Port)$/;

/** As most ARNs are made (`arn:aws:glue:us-east-1:111111111111:job/Name`), or `Name.Endpoint.Address`. */
function unknownValue({ environment, name }: Identity, type: string, attribute: string): string {
  if (!attribute.endsWith('Arn')) return `${name}.${attribute}`;
  const [, service = '', kind = ''] = type.split('::');
  const resource = kind.charAt(0).toLowerCase() + kind.slice(1);
  return arnOf(environment, service.toLowerCase(), `${resource}/${name}`);
}

function unknownAttribute(resource: TemplateResource, attribute: string, typeIsKnown: boolean): string {
  const what = `refers to the attribute \`${attribute}\` of \`${resource.logicalId}\` (${resource.type})`;
  const why = typeIsKnown ? 'an attribute without a local value' : 'a type without a local counterpart';
  return `${what}, ${why}; pass the value in by parameter, or leave the reference out of what runs locally`;
}

function findResource(logicalId: string, reading: Reading, resolve: Resolve): TemplateResource | undefined {
  const resource = reading.stack.template.resources.get(logicalId);
  if (resource === undefined) {
    return report(
      reading,
      `refers to \`${logicalId}\`, which stack \`${reading.stack.name}\` does not define`,
    );
  }
  if (resource.condition === undefined) return resource;
  const exists = conditionHolds(resource.condition, reading, resolve);
  if (exists !== false) return exists ? resource : undefined;
  const why = `because the condition \`${resource.condition}\` is false`;
  return report(
    reading,
    `refers to \`${logicalId}\`, which is not created ${why}; guard the reference with Fn::If`,
  );
}

function pseudoParameter(name: string, reading: Reading): Json | undefined {
  const { stack } = reading;
  const { account, region, partition, urlSuffix } = stack.environment;
  switch (name) {
    case 'AWS::AccountId':
      return account;
    case 'AWS::Region':
      return region;
    case 'AWS::Partition':
      return partition;
    case 'AWS::URLSuffix':
      return urlSuffix;
    case 'AWS::StackName':
      return stack.name;
    case 'AWS::StackId':
      return stackIdOf(stack);
    case 'AWS::NotificationARNs':
      return [];
    case 'AWS::NoValue':
      return undefined;
    default:
      return report(reading, `refers to \`${name}\`, which is not a pseudo parameter of CloudFormation`);
  }
}

function splitOnce(text: string): string[] {
  const dot = text.indexOf('.');
  return dot < 0 ? [text] : [text.slice(0, dot), text.slice(dot + 1)];
}
