import { CfnResource, Stack, Stage, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { compareEnvironment } from './environment';
import { constructsIn } from './references';

// What a construct tells of its resource while the app is put together is not what is deployed: an aspect of any
// priority, an override or a later line changes the resource. So all that depends on a property is decided on what the
// template has. A test lists every other read of a construct's property, with what protects it.

/** The properties of a resource, under CloudFormation's names. */
export type Properties = Readonly<Record<string, unknown>>;

/** How an import names its resource: the member of the import with the ARN, and the property with the name. */
const IMPORTS = {
  'AWS::DynamoDB::Table': { arn: 'tableArn', name: 'TableName' },
  'AWS::DynamoDB::GlobalTable': { arn: 'tableArn', name: 'TableName' },
  'AWS::Lambda::Function': { arn: 'functionArn', name: 'FunctionName' },
  'AWS::S3::Bucket': { arn: 'bucketArn', name: 'BucketName' },
  'AWS::SNS::Topic': { arn: 'topicArn', name: 'TopicName' },
  'AWS::SQS::Queue': { arn: 'queueArn', name: 'QueueName' },
} as const;

type ImportedType = keyof typeof IMPORTS;

/**
 * The resource of the app behind a construct if it is of one of these types: its own, or the one that an import refers
 * to. Undefined for one that the app does not define.
 */
export function resourceOf(construct: IConstruct, ...types: readonly string[]): CfnResource | undefined {
  const { defaultChild } = construct.node;
  const found = defaultChild
    ? [defaultChild]
    : importsOf(construct, types).flatMap(({ arn }) => targetOf(nameIn(arn)));
  return resourcesIn(found, types)[0];
}

/**
 * The properties of the resource of the app behind a construct, as the template has them: also of one that an import
 * has by its name. Undefined for one that the app does not define. Only at synthesis: see {@link rendered}.
 */
export function propertiesOf(construct: IConstruct, ...types: readonly string[]): Properties | undefined {
  const resource = resourceInTemplate(construct, ...types);
  return resource && renderedProperties(resource);
}

/** The resource with the {@link propertiesOf} a construct. */
export function resourceInTemplate(construct: IConstruct, ...types: readonly string[]) {
  return resourceOf(construct, ...types) ?? namedResource(construct, types);
}

function namedResource(construct: IConstruct, types: readonly string[]): CfnResource | undefined {
  if (construct.node.defaultChild) return undefined;
  const found = importsOf(construct, types).map(({ type, arn }) => resourceWith(arn, type, construct));
  return found.find(one => one !== undefined);
}

/** The resource of the app that has the name and the environment in an ARN. Only at synthesis: see {@link rendered}. */
export function resourceWith(arn: string, type: ImportedType, user: IConstruct): CfnResource | undefined {
  const name = nameIn(arn);
  if (Token.isUnresolved(name)) return undefined;
  const stage = Stage.of(user);
  return resourcesIn(stage?.node.findAll() ?? [], [type]).find(
    one =>
      Stage.of(one) === stage &&
      Object.values(compareEnvironment(user, arn, one)).every(is => is === 'same') &&
      renderedProperties(one)[IMPORTS[type].name] === name,
  );
}

const nameIn = (arn: string): string => arn.split(/[:/]/).at(-1) ?? '';

function resourcesIn(constructs: readonly IConstruct[], types: readonly string[]): CfnResource[] {
  return constructs
    .filter(one => CfnResource.isCfnResource(one))
    .filter(one => types.includes(one.cfnResourceType));
}

/** The ARN that a construct has for each of these types. */
function importsOf(construct: IConstruct, types: readonly string[]) {
  return (Object.keys(IMPORTS) as ImportedType[])
    .filter(type => types.includes(type))
    .flatMap(type => {
      const arn: unknown = Object(construct)[IMPORTS[type].arn];
      return typeof arn === 'string' ? [{ type, arn }] : [];
    });
}

/** What a name refers to that is nothing but a reference. Behind the ARN of a function can be a version. */
const targetOf = (name: string) => (/^\$\{Token\[[^\]]+\]\}$/.test(name) ? constructsIn(name) : []);

/** What the template says of a resource. */
interface Rendered {
  readonly Properties?: Properties;
  readonly DeletionPolicy?: unknown;
}

/**
 * A resource as the template has it. Call it only while the app is validated or resolved: before that the properties
 * can change, and CDK would keep the early value of some.
 */
export function rendered(resource: CfnResource): Rendered {
  const { Resources = {} }: { readonly Resources?: Readonly<Record<string, Rendered>> } = Stack.of(
    resource,
  ).resolve(resource._toCloudFormation());
  return Object.values(Resources)[0] ?? {};
}

/** The properties of a {@link rendered} resource. */
export function renderedProperties(resource: CfnResource): Properties {
  return rendered(resource).Properties ?? {};
}

/** A number of a template; undefined for one that only the deployment knows. */
export function numberIn(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^\d+$/.test(value);
  return typeof value === 'number' || isText ? Number(value) : undefined;
}
