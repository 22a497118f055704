import type { AssetTable } from './assets';
import { deterministicUuid } from './names';
import type { Template, TemplateResource } from './template';

/** One stack of the assembly: its template and the environment it is resolved in. */
export interface Stack {
  /** Identity within the assembly: two stages may hold stacks of one name. */
  readonly artifactId: string;
  readonly name: string;
  /** The template's path relative to the assembly, for messages. */
  readonly templateFile: string;
  readonly template: Template;
  readonly assets: AssetTable;
  /**
   * The paths of the constructs that resources come from, by logical id; not of all if the CDK wrote none. A stack and
   * those that it nests share them, so that an id can have several.
   */
  readonly constructPaths: ReadonlyMap<string, readonly string[]>;
  /** What the paths of a nested stack begin with, `Main/Nested/`. */
  readonly scope?: string;
  /** The stack that nests it, and the resource there. */
  readonly outer?: { readonly artifactId: string; readonly logicalId: string };
  readonly environment: Environment;
}

/** A stack within another. */
export const NESTED_STACK = 'AWS::CloudFormation::Stack';

/** Where a stack is taken to be deployed. */
export interface Environment {
  readonly account: string;
  readonly region: string;
  readonly partition: string;
  readonly urlSuffix: string;
}

/** The environment of an account and region, with the partition that the region belongs to. */
export function environmentOf(account: string, region: string): Environment {
  const partition = region.startsWith('cn-') ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
  return {
    account,
    region,
    partition,
    urlSuffix: partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com',
  };
}

/** The ARN of a regional resource: `arn:aws:states:us-east-1:111111111111:stateMachine:Name`. */
export function arnOf(environment: Environment, service: string, resource: string): string {
  const { partition, region, account } = environment;
  return `arn:${partition}:${service}:${region}:${account}:${resource}`;
}

/** What CloudFormation calls a stack. */
export function stackIdOf({ environment, name }: Pick<Stack, 'environment' | 'name'>): string {
  return arnOf(environment, 'cloudformation', `stack/${name}/${deterministicUuid(name)}`);
}

/**
 * The path of a resource's construct, `Shop/Orders`, without the `Resource` or `Default` that the CDK adds for the one
 * that makes a construct what it is. The stack and the logical id if the CDK wrote no path.
 */
export function constructPathOf(
  { logicalId, constructPath }: TemplateResource,
  { name, constructPaths, scope = '' }: Stack,
): string {
  const own = (constructPaths.get(logicalId) ?? []).filter(path => path.startsWith(scope));
  // A stack within this one has the same id for the same path below it.
  const [written = constructPath] = own.toSorted((a, b) => a.length - b.length);
  return (written ?? `${name}/${logicalId}`).replace(/\/(?:Resource|Default)$/, '');
}

/** The stack that a resource nests; undefined if its template is not on this machine. */
export function nestedIn(
  stacks: readonly Stack[],
  { artifactId }: Stack,
  logicalId: string,
): Stack | undefined {
  return stacks.find(({ outer }) => outer?.artifactId === artifactId && outer.logicalId === logicalId);
}
