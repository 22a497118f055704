import { CfnResource, Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

// What a construct tells of its resource while the app is put together is not what is deployed: an aspect of any
// priority, an override or a later line changes the resource. So all that depends on a property is decided on what the
// template has. A test lists every other read of a construct's property, with what protects it.

/** The properties of a resource, under CloudFormation's names. */
export type Properties = Readonly<Record<string, unknown>>;

/** The resource behind a construct if it is of one of these types; undefined for one that the app does not define. */
export function resourceOf(
  { node: { defaultChild } }: Pick<IConstruct, 'node'>,
  ...types: readonly string[]
): CfnResource | undefined {
  const isResource = defaultChild !== undefined && CfnResource.isCfnResource(defaultChild);
  return isResource && types.includes(defaultChild.cfnResourceType) ? defaultChild : undefined;
}

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
