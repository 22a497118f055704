import { isJsonObject, type Json, type JsonObject, jsonOr } from '../json/json';
import type { AssemblyContent } from './read-resources';
import type { Stack } from './stack';
import { member, type TemplateResource } from './template';
import type { ReferenceScope } from './types';

/**
 * A resource of another app, which the templates only name.
 *
 * @example
 * for (const { service, message } of stack.assembly.imported) console.log(`${service}: ${message}`);
 */
export interface ImportedResource {
  readonly service: string;
  readonly name: string;
  /** What the local stack has instead of it: an empty one, or nothing. */
  readonly message: string;
}

interface Kind {
  readonly type: string;
  readonly service: string;
  readonly noun: string;
  readonly nameProperty: string;
  /** Which texts name one, with the name in a group. `HERE` is the region and the account of the app. */
  readonly texts: readonly RegExp[];
  /** The member of calls, or of rules, that names one. */
  readonly member?: string;
}

const KINDS: readonly Kind[] = [
  {
    type: 'AWS::SQS::Queue',
    service: 'SQS',
    noun: 'queue',
    nameProperty: 'QueueName',
    texts: [/^arn:[^:]+:sqs:HERE:([\w.-]+)$/, /^https:\/\/sqs\.HERE\/([\w.-]+)$/],
  },
  {
    type: 'AWS::SNS::Topic',
    service: 'SNS',
    noun: 'topic',
    nameProperty: 'TopicName',
    texts: [/^arn:[^:]+:sns:HERE:([\w.-]+)$/],
  },
  {
    type: 'AWS::StepFunctions::Activity',
    service: 'Step Functions',
    noun: 'activity',
    nameProperty: 'Name',
    texts: [/^arn:[^:]+:states:HERE:activity:([^:]+)$/],
  },
  {
    type: 'AWS::S3::Bucket',
    service: 'S3',
    noun: 'bucket',
    nameProperty: 'BucketName',
    texts: [/^arn:[^:]+:s3:::([a-z0-9.-]+)(?:\/.*)?$/],
    member: 'Bucket',
  },
  {
    type: 'AWS::DynamoDB::Table',
    service: 'DynamoDB',
    noun: 'table',
    nameProperty: 'TableName',
    texts: [/^arn:[^:]+:dynamodb:HERE:table\/([\w.-]+)$/],
    member: 'TableName',
  },
  {
    type: 'AWS::Events::EventBus',
    service: 'EventBridge',
    noun: 'event bus',
    nameProperty: 'Name',
    texts: [/^arn:[^:]+:events:HERE:event-bus\/([\w./-]+)$/],
    member: 'eventBusName',
  },
];

/** A name that is written out: neither an expression nor a path. */
const NAME = /^[\w./-]+$/;
/** The bus that every account has. */
const DEFAULT_BUS = 'default';

/** A name in a template, with the call or the rule that has it. */
interface Named {
  readonly kind: Kind;
  readonly name: string;
  readonly within: JsonObject;
}

/**
 * The resources that an app names and does not have, and the stack that makes an empty one for each of them. There is
 * none for a table, unless a call says its key.
 */
export function importedBy(
  scope: ReferenceScope,
  { resources, namedResources }: AssemblyContent,
): { readonly imported: readonly ImportedResource[]; readonly stack: Stack | undefined } {
  const [first] = scope.stacks;
  const found = new Map<string, Named & { readonly properties: JsonObject | undefined }>();
  const isThere = ({ kind, name }: Named) =>
    name === DEFAULT_BUS ||
    namedResources.some(one => one.type.startsWith(serviceOf(kind)) && one.name === name);
  for (const spec of first ? resources.of(...scope.types.values()) : []) {
    for (const named of namesIn(spec as unknown as JsonObject, first as Stack)) {
      const id = `${named.kind.service} ${named.name}`;
      if (isThere(named) || found.get(id)?.properties) continue;
      found.set(id, { ...named, properties: propertiesOf(named) });
    }
  }
  const imported = [...found.values()].map(({ kind: { service, noun }, name, properties }) => {
    const then = properties
      ? 'so an empty one is made here'
      : 'and its key is not known; serve a template that has it beside the app, create it with a client, or mock the state';
    return { service, name, message: `the ${noun} ${name} is not in the templates, ${then}` };
  });
  const made = [...found.values()].flatMap(({ kind: { type }, properties }, index): TemplateResource[] =>
    properties ? [{ logicalId: `Imported${index + 1}`, type, properties }] : [],
  );
  return { imported, stack: first && made.length > 0 ? stackOf(first, made) : undefined };
}

/** `AWS::DynamoDB::`, for a table that is a global one, too. */
function serviceOf({ type }: Kind): string {
  return type.replace(/\w+$/, '');
}

function* namesIn(
  value: Json | undefined,
  stack: Stack,
  name = '',
  within: JsonObject = {},
): Iterable<Named> {
  if (typeof value === 'string') {
    // The problem of a text that is not JSON is said when the state machine is made.
    if (name === 'definitionText') yield* namesIn(jsonOr(value, undefined), stack);
    for (const kind of KINDS) {
      const called =
        nameIn(value, kind, stack) ?? (name === kind.member && NAME.test(value) ? value : undefined);
      if (called !== undefined) yield { kind, name: called, within };
    }
  } else if (Array.isArray(value)) {
    for (const item of value) yield* namesIn(item, stack);
  } else if (isJsonObject(value)) {
    for (const [each, inner] of Object.entries(value)) yield* namesIn(inner, stack, each, value);
  }
}

function nameIn(text: string, { texts }: Kind, { environment }: Stack): string | undefined {
  const { region, account, urlSuffix } = environment;
  const here = text
    .replace(`${region}.${urlSuffix}/${account}`, 'HERE')
    .replace(`${region}:${account}`, 'HERE');
  return texts.map(pattern => pattern.exec(here)?.[1]).find(name => name !== undefined);
}

function propertiesOf({ kind, name, within }: Named): JsonObject | undefined {
  const named = { [kind.nameProperty]: name };
  if (kind.noun === 'queue' && name.endsWith('.fifo')) return { ...named, FifoQueue: true };
  if (kind.noun === 'topic' && name.endsWith('.fifo')) return { ...named, FifoTopic: true };
  return kind.noun === 'table' ? tableOf(name, member(within, 'Key')) : named;
}

/**
 * A table with the key of a call for an item, `{ orderId: { S: … } }`. Of two attributes the first one is taken as the
 * partition key: it makes no difference to calls for an item.
 */
function tableOf(TableName: string, key: Json | undefined): JsonObject | undefined {
  const attributes = isJsonObject(key) ? Object.entries(key) : [];
  const AttributeDefinitions = attributes.map(([name, typed]) => {
    const [type = ''] = isJsonObject(typed) ? Object.keys(typed) : typeof typed === 'string' ? ['S'] : [];
    return { AttributeName: name.replace(/\.\$$/, ''), AttributeType: type.replace(/\.\$$/, '') };
  });
  if (attributes.length === 0 || attributes.length > 2) return undefined;
  if (!AttributeDefinitions.every(({ AttributeType }) => ['S', 'N', 'B'].includes(AttributeType)))
    return undefined;
  const KeySchema = AttributeDefinitions.map(({ AttributeName }, index) => ({
    AttributeName,
    KeyType: index === 0 ? 'HASH' : 'RANGE',
  }));
  return { TableName, AttributeDefinitions, KeySchema, BillingMode: 'PAY_PER_REQUEST' };
}

function stackOf({ environment }: Stack, made: readonly TemplateResource[]): Stack {
  const resources = new Map(made.map(resource => [resource.logicalId, resource]));
  return {
    artifactId: 'imported',
    name: 'imported',
    templateFile: 'imported',
    template: { parameters: {}, mappings: {}, conditions: {}, outputs: {}, resources },
    assets: new Map(),
    constructPaths: new Map(),
    environment,
  };
}
