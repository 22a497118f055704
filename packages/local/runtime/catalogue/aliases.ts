import { requireMachineArn, splitMachineArn } from '../requests/arns';
import { StatesError } from '../requests/errors';
import type { Catalogue } from './catalogue';
import {
  aliasArnOf,
  type CatalogueItem,
  type MachineAlias,
  type RoutingConfiguration,
  versionArnOf,
} from './catalogue-item';
import { requireRouting } from './routing';

/**
 * Creates an alias. The same request again is answered as the first was.
 *
 * @throws StatesError `ConflictException` for a name in use otherwise, `ResourceNotFound` for a version that does not
 * exist, and the rejections of a routing.
 */
export function createStateMachineAlias(
  { machines, clock }: Catalogue,
  request: {
    readonly name: string;
    readonly description?: string;
    readonly routingConfiguration: RoutingConfiguration;
  },
): { readonly stateMachineAliasArn: string; readonly creationDate: number } {
  const { name, description, routingConfiguration } = request;
  const item = itemOfRouting(machines, routingConfiguration);
  const known = item.aliases.find(alias => alias.name === name);
  if (known && !isSame(known, request)) {
    const message =
      'Failed to create alias because an alias with the same name and a different routing configuration already exists.';
    throw new StatesError('ConflictException', message);
  }
  const now = clock.now();
  const alias: MachineAlias = known ?? {
    name,
    ...(description !== undefined && { description }),
    routingConfiguration,
    creationDate: now,
    updateDate: now,
  };
  if (!known) machines.put({ ...item, aliases: [...item.aliases, alias] });
  return { stateMachineAliasArn: aliasArnOf(item, name), creationDate: alias.creationDate };
}

/** Changes an alias; what is absent stays. @throws StatesError as for creation, `ResourceNotFound` for no alias. */
export function updateStateMachineAlias(
  { machines, clock }: Catalogue,
  request: {
    readonly stateMachineAliasArn: string;
    readonly description?: string;
    readonly routingConfiguration?: RoutingConfiguration;
  },
): { readonly updateDate: number } {
  const { description, routingConfiguration } = request;
  const { item, alias } = findAlias(machines, request.stateMachineAliasArn) ?? notFound();
  if (routingConfiguration && itemOfRouting(machines, routingConfiguration) !== item) return notFound();
  const updateDate = clock.now();
  const updated: MachineAlias = {
    ...alias,
    ...(description !== undefined && { description }),
    ...(routingConfiguration && { routingConfiguration }),
    updateDate,
  };
  machines.put({ ...item, aliases: item.aliases.map(other => (other === alias ? updated : other)) });
  return { updateDate };
}

/** An alias as DescribeStateMachineAlias returns it. @throws StatesError `InvalidArn`, `ResourceNotFound`. */
export function describeStateMachineAlias(
  { machines }: Catalogue,
  aliasArn: string,
): MachineAlias & { readonly stateMachineAliasArn: string } {
  const { alias } = findAlias(machines, aliasArn) ?? notFound();
  return { stateMachineAliasArn: aliasArn, ...alias };
}

/** Deletes an alias. One that does not exist is fine. @throws StatesError `InvalidArn`. */
export function deleteStateMachineAlias({ machines }: Catalogue, aliasArn: string): void {
  const found = findAlias(machines, aliasArn);
  if (!found) return;
  const { item, alias } = found;
  machines.put({ ...item, aliases: item.aliases.filter(other => other !== alias) });
}

/**
 * The aliases of a machine, or only those that refer to a version where its ARN is given, oldest first.
 *
 * @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`.
 */
export function listStateMachineAliases(
  { machines }: Catalogue,
  arn: string,
): readonly { readonly stateMachineAliasArn: string; readonly creationDate: number }[] {
  requireMachineArn(arn);
  const { machineArn, qualifier } = splitMachineArn(arn);
  const item = machines.item(machineArn);
  const wanted = item.aliases.filter(
    ({ routingConfiguration }) =>
      qualifier === undefined || routingConfiguration.some(route => route.stateMachineVersionArn === arn),
  );
  return wanted.map(({ name, creationDate }) => ({
    stateMachineAliasArn: aliasArnOf(item, name),
    creationDate,
  }));
}

function itemOfRouting(machines: Catalogue['machines'], routing: RoutingConfiguration): CatalogueItem {
  const item = machines.item(requireRouting(routing));
  const known = new Set(item.versions.map(({ number }) => versionArnOf(item, number)));
  const isKnown = routing.every(({ stateMachineVersionArn }) => known.has(stateMachineVersionArn));
  return isKnown ? item : notFound();
}

function findAlias(
  machines: Catalogue['machines'],
  aliasArn: string,
): { readonly item: CatalogueItem; readonly alias: MachineAlias } | undefined {
  requireMachineArn(aliasArn);
  const { qualifier } = splitMachineArn(aliasArn);
  const item = machines.find(aliasArn);
  const alias = item?.aliases.find(({ name }) => name === qualifier);
  return item && alias && { item, alias };
}

function isSame(
  alias: MachineAlias,
  request: Pick<MachineAlias, 'description' | 'routingConfiguration'>,
): boolean {
  return (
    alias.description === request.description &&
    routesOf(alias.routingConfiguration) === routesOf(request.routingConfiguration)
  );
}

function routesOf(routing: RoutingConfiguration): string {
  return JSON.stringify(
    routing.map(({ stateMachineVersionArn, weight }) => [stateMachineVersionArn, weight]),
  );
}

function notFound(): never {
  throw new StatesError('ResourceNotFound', 'Request references a resource that does not exist.');
}
