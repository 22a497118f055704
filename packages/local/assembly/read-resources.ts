import type { Json } from '../json/json';
import { identify } from './identity';
import { resolve } from './intrinsics';
import { conditionHolds } from './intrinsics/conditions';
import { scalarText } from './intrinsics/intrinsic';
import type { NotRunResource } from './not-run';
import type { Problem } from './problem';
import { into, reportForeign } from './reading';
import { exportName } from './reference-scope';
import { createSection } from './section';
import { constructPathOf, type Stack } from './stack';
import { member, type TemplateResource } from './template';
import type { Reading, ReferenceScope, ResourceReader, ResourceSpec, ResourceType } from './types';

/** The resources of an assembly that the local runtime runs, as their types read them. */
export interface DeployedResources {
  /** The resources of these types, in the order of the templates. */
  of<Spec extends ResourceSpec>(...types: readonly ResourceType<Spec>[]): readonly Spec[];
  /** The resources that are not run, in the order of the templates. */
  readonly notRun: readonly NotRunResource[];
  /** The resources that are missed nowhere though they do nothing here, such as log groups. */
  readonly inert: readonly NotRunResource[];
}

/** A stack output; `value` is absent when it hangs on something that has no local value. */
export interface OutputSpec {
  readonly stack: string;
  readonly name: string;
  readonly value?: Json;
  readonly exportName?: string;
}

/** What the templates of an assembly deploy, with every reference resolved. */
export interface AssemblyContent {
  readonly resources: DeployedResources;
  readonly outputs: readonly OutputSpec[];
  /** The names that the templates leave to CloudFormation, as they are here: those of a deployment are others. */
  readonly generatedNames: readonly string[];
  /** Every resource that has a name here, run or not, in the order of the templates. */
  readonly namedResources: readonly NamedResource[];
}

/**
 * A resource of a template and what it is called here.
 *
 * @example
 * const { ref, arn } = stack.find('Shop/Orders');
 */
export interface NamedResource {
  /**
   * The path of its construct, `Shop/Orders`, without the `Resource` or `Default` that the CDK calls the one that
   * makes a construct what it is. The stack and the logical id where the CDK wrote no path.
   */
  readonly constructPath: string;
  readonly logicalId: string;
  /** The name of its stack. */
  readonly stack: string;
  /** Of CloudFormation, e.g. `AWS::SQS::Queue`. */
  readonly type: string;
  /** The physical name. */
  readonly name: string;
  /** What `Ref` yields. */
  readonly ref: string;
  /** Of resources that have one. */
  readonly arn?: string;
}

interface Deployed {
  readonly type: ResourceType;
  readonly spec: ResourceSpec;
}

/** Reads every resource that exists under the templates' conditions; problems are noted, not thrown. */
export function readResources(scope: ReferenceScope, problems: Problem[]): AssemblyContent {
  const deployed: Deployed[] = [];
  const notRun: NotRunResource[] = [];
  const inert: NotRunResource[] = [];
  const namedResources: NamedResource[] = [];
  const generatedNames: string[] = [];
  for (const stack of scope.stacks) {
    for (const resource of stack.template.resources.values()) {
      const reading = readingOf(scope, stack, `Resources.${resource.logicalId}`, problems);
      if (!isCreated(resource, reading)) continue;
      const type = scope.types.get(resource.type);
      const read = readResource(resource, type, reading);
      if (type && read.spec) deployed.push({ type, spec: read.spec });
      if (read.notRun) (type?.inert ? inert : notRun).push(read.notRun);
      if (read.named) namedResources.push(read.named);
      generatedNames.push(...read.generatedNames);
    }
  }
  problems.push(...duplicateNames(deployed));
  const outputs = scope.stacks.flatMap(stack => readOutputs(scope, stack));
  return {
    resources: deployedResources(deployed, { notRun, inert }),
    outputs,
    generatedNames,
    namedResources,
  };
}

/** A resource that is run, or one that is not; neither where it is in error, which has been noted then. */
function readResource(
  resource: TemplateResource,
  type: ResourceType | undefined,
  reading: Reading,
): {
  readonly spec?: ResourceSpec;
  readonly notRun?: NotRunResource;
  readonly named?: NamedResource;
  readonly generatedNames: readonly string[];
} {
  const listed = { logicalId: resource.logicalId, type: resource.type, stack: reading.stack.name };
  // A fault in a resource that does not run must not stop those that run.
  const own: Problem[] = [];
  const reader = createResourceReader(resource, { ...reading, problems: own });
  const names = type && reader ? namesOf(type, reader) : [];
  const isNamed = type?.nameProperty && member(resource.properties, type.nameProperty) !== undefined;
  const generatedNames = isNamed ? [] : generatedIn(names);
  const { logicalId, stack } = listed;
  const spec = reader && type?.read && { ...type.read(reader), logicalId, stack };
  const named = type && reader && namedAs(resource, { type, reader, spec });
  const called = { generatedNames, ...(named && { named }) };
  if (!type?.read) return { notRun: { ...listed, names }, ...called };
  const reasons = own.flatMap(problem => (problem.isForeign ? [reasonOf(problem)] : []));
  if (reasons.length > 0) {
    return { notRun: { ...listed, names, reason: [...new Set(reasons)].join('; ') }, ...called };
  }
  reading.problems.push(...own);
  return { ...(spec && { spec }), ...called };
}

function namedAs(
  resource: TemplateResource,
  { type, reader, spec }: Pick<Deployed, 'type'> & { reader: ResourceReader; spec: ResourceSpec | undefined },
): NamedResource {
  const { identity, stack, logicalId } = reader;
  const arn = spec?.arn ?? type.attributes['Arn']?.(identity);
  return {
    constructPath: constructPathOf(resource, stack),
    logicalId,
    stack: stack.name,
    type: resource.type,
    name: type.physicalName?.(identity) ?? identity.name,
    ref: type.ref?.(identity) ?? identity.name,
    ...(arn !== undefined && { arn }),
  };
}

/** The name, and what else a resource is called that does not have the name within it, such as the id of a key. */
function generatedIn([name = '', ...others]: readonly string[]): readonly string[] {
  return name === '' ? [] : [name, ...others.filter(other => !other.includes(name))];
}

/** The fault, behind the property that has it, if one has. */
function reasonOf({ where, message }: Problem): string {
  const property = /: Resources\.[^.]+\.Properties\.(.+)$/.exec(where)?.[1];
  return property === undefined ? message : `${property} ${message}`;
}

function namesOf({ ref, attributes }: ResourceType, { identity }: ResourceReader): readonly string[] {
  const referred = [identity.name, ref?.(identity), attributes['Arn']?.(identity)];
  return [...new Set(referred.filter(name => name !== undefined))];
}

function deployedResources(
  deployed: readonly Deployed[],
  others: Pick<DeployedResources, 'notRun' | 'inert'>,
): DeployedResources {
  return {
    ...others,
    of<Spec extends ResourceSpec>(...types: readonly ResourceType<Spec>[]) {
      const wanted = new Set<ResourceType>(types);
      // A spec is what its type has read.
      return deployed.flatMap(({ type, spec }) => (wanted.has(type) ? [spec as Spec] : []));
    },
  };
}

/**
 * A problem for each ARN that two resources claim: AWS would reject the second, and locally it would hide the
 * first.
 */
function duplicateNames(deployed: readonly Deployed[]): Problem[] {
  const owners = new Map<string, string>();
  return deployed.flatMap(({ spec: { arn, stack, logicalId } }) => {
    if (arn === undefined) return [];
    const owner = owners.get(arn);
    const where = `${stack}/${logicalId}`;
    if (owner === undefined) owners.set(arn, where);
    const message = `has the same ARN as ${owner} (${arn}); rename one`;
    return owner === undefined ? [] : [{ where, message }];
  });
}

/** The reader of a resource; `undefined` when it has no name (a problem has been noted). */
function createResourceReader(resource: TemplateResource, stackReading: Reading): ResourceReader | undefined {
  const { logicalId, properties } = resource;
  const reading = { ...stackReading, path: `Resources.${logicalId}.Properties` };
  const identity = identify(resource, reading, resolve);
  if (identity === undefined) return undefined;
  // A property may be asked for twice; resolved once, its problems are noted once.
  const resolved = new Map<string, ReturnType<typeof resolve>>();
  const value = (name: string) => {
    const source = member(properties, name);
    if (source === undefined) return undefined;
    if (!resolved.has(name)) resolved.set(name, resolve(source, into(reading, name)));
    return resolved.get(name);
  };
  const attribute = (name: string): string => {
    const here = { ...reading, path: `Resources.${logicalId}` };
    return scalarText(resolve({ 'Fn::GetAtt': [logicalId, name] }, here)) ?? '';
  };
  const notRun = (reason: string) => reportForeign(reading, reason);
  const own = { stack: reading.stack, identity, logicalId, attribute, notRun, problems: reading.problems };
  return { ...createSection(value, reading), ...own };
}

function isCreated({ condition }: TemplateResource, reading: Reading): boolean {
  return condition === undefined || conditionHolds(condition, reading, resolve) === true;
}

/** Outputs are shown, not run: one that cannot be resolved is listed without a value. */
function readOutputs(scope: ReferenceScope, stack: Stack): OutputSpec[] {
  return Object.entries(stack.template.outputs).flatMap(([name, definition]) => {
    const source = member(definition, 'Value');
    const condition = member(definition, 'Condition');
    const reading = readingOf(scope, stack, `Outputs.${name}`, []);
    const isLeftOut = typeof condition === 'string' && conditionHolds(condition, reading, resolve) === false;
    if (source === undefined || isLeftOut) return [];
    const value = resolve(source, reading);
    const exported = exportName(scope, stack, name);
    return {
      stack: stack.name,
      name,
      ...(value !== undefined && reading.problems.length === 0 && { value }),
      ...(exported !== undefined && { exportName: exported }),
    };
  });
}

function readingOf(scope: ReferenceScope, stack: Stack, path: string, problems: Problem[]): Reading {
  return { scope, stack, path, visiting: [], problems };
}
