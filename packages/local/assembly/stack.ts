import type { AssetTable } from './assets';
import type { Template } from './template';

/** One stack of the assembly: its template and the environment it is resolved in. */
export interface Stack {
  /** Identity within the assembly: two stages may hold stacks of one name. */
  readonly artifactId: string;
  readonly name: string;
  /** The template's path relative to the assembly, for messages. */
  readonly templateFile: string;
  readonly template: Template;
  readonly assets: AssetTable;
  /** The paths of the constructs that resources come from, by logical id; not of all where the CDK wrote none. */
  readonly constructPaths: ReadonlyMap<string, string>;
  readonly environment: Environment;
}

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
