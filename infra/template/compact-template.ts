import type { Plain, PlainObject } from './plain';
import { shortened } from './shortened-text';

/** Bytes that CloudFormation takes in a request (quota "Template body size in a request"). */
export const BODY_BYTES_MAX = 51_200;

/**
 * The same template in fewer bytes. References within a text are written as `Fn::Sub`. If it is still longer than
 * CloudFormation takes in a request, the definitions lose their comments, and texts that a definition repeats become
 * variables of its `Fn::Sub`. What CloudFormation deploys stays the same, apart from these comments.
 */
export function compactTemplate(template: PlainObject): PlainObject {
  const substituted = withSubstitutions(template) as PlainObject;
  if (Buffer.byteLength(JSON.stringify(substituted)) <= BODY_BYTES_MAX) return substituted;
  const resources = Object.entries(substituted['Resources'] as PlainObject).map(([id, resource]) => {
    const { Type, Properties, ...others } = resource as PlainObject;
    return Type === 'AWS::StepFunctions::StateMachine'
      ? [id, { Type, Properties: withShortDefinition(Properties as PlainObject), ...others }]
      : [id, resource];
  });
  return { ...substituted, Resources: Object.fromEntries(resources) };
}

function withShortDefinition({ DefinitionString, ...properties }: PlainObject): PlainObject {
  const sub = (DefinitionString as PlainObject)['Fn::Sub'];
  if (typeof sub !== 'string') return { DefinitionString: DefinitionString ?? null, ...properties };
  // A reference is as good a text within JSON as any other.
  const { text, pieces } = shortened(JSON.stringify(withoutComments(JSON.parse(sub))));
  return { ...properties, DefinitionString: { 'Fn::Sub': [text, pieces] } };
}

/** What holds states, choice rules, retriers and catchers: all that a comment of the States Language can stand in. */
const COMMENTED = ['Choices', 'Retry', 'Catch', 'Branches'];

/** A definition, or a part of one that may have comments. A member `Comment` of a payload is none of them, and stays. */
export function withoutComments({ Comment: _, ...part }: PlainObject): PlainObject {
  const members = Object.entries(part).map(([name, value]): [string, Plain] => {
    if (COMMENTED.includes(name) && Array.isArray(value)) return [name, value.map(commented)];
    if (name === 'ItemProcessor' || name === 'Iterator') return [name, commented(value)];
    if (name !== 'States') return [name, value];
    return [
      name,
      Object.fromEntries(Object.entries(value as PlainObject).map(([id, state]) => [id, commented(state)])),
    ];
  });
  return Object.fromEntries(members);
}

const commented = (value: Plain) => withoutComments(value as PlainObject);

/** The value with each `Fn::Join` of texts and references as a `Fn::Sub`. */
function withSubstitutions(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(withSubstitutions);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as PlainObject;
  const join = members['Fn::Join'];
  const text = Array.isArray(join) ? substitutionOf(join) : undefined;
  if (text !== undefined) return { 'Fn::Sub': text };
  return Object.fromEntries(Object.entries(members).map(([key, one]) => [key, withSubstitutions(one)]));
}

function substitutionOf([separator, parts]: readonly Plain[]): string | undefined {
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.map(part =>
    typeof part === 'string' ? part.replaceAll('${', '${!') : reference(part),
  );
  return texts.includes(undefined) ? undefined : texts.join(String(separator));
}

function reference(part: Plain): string | undefined {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return undefined;
  const { Ref, 'Fn::GetAtt': attribute } = part as PlainObject;
  if (typeof Ref === 'string') return `\${${Ref}}`;
  return Array.isArray(attribute) ? `\${${attribute.join('.')}}` : undefined;
}
