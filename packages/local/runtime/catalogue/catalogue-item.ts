import type { RegisteredMachine } from './registered-machine';

/** A machine with its versions, aliases and tags. Never changes: an operation replaces it by another item. */
export interface CatalogueItem {
  /** The revision that an execution started without a qualifier runs. */
  readonly machine: RegisteredMachine;
  /** Oldest first. */
  readonly versions: readonly MachineVersion[];
  /** The highest number given so far: numbers of deleted versions do not come back. */
  readonly lastVersion: number;
  /** Oldest first. */
  readonly aliases: readonly MachineAlias[];
  readonly tags: readonly Tag[];
}

/** A revision with a number, which can be run when the machine has long moved on. */
export interface MachineVersion {
  readonly number: number;
  readonly machine: RegisteredMachine;
  readonly description?: string;
  /** Epoch milliseconds. */
  readonly creationDate: number;
}

/** A name for one or two versions. */
export interface MachineAlias {
  readonly name: string;
  readonly description?: string;
  readonly routingConfiguration: RoutingConfiguration;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  readonly updateDate: number;
}

/** Which versions an alias stands for, and for how many executions out of a hundred. */
export type RoutingConfiguration = readonly {
  readonly stateMachineVersionArn: string;
  readonly weight: number;
}[];

/** A label on a machine or an activity. */
export interface Tag {
  readonly key: string;
  readonly value: string;
}

export function versionArnOf({ machine }: Pick<CatalogueItem, 'machine'>, number: number): string {
  return `${machine.arn}:${number}`;
}

export function aliasArnOf({ machine }: Pick<CatalogueItem, 'machine'>, name: string): string {
  return `${machine.arn}:${name}`;
}

/** The version a revision was published as, or undefined. Where it was deleted the revision counts as unpublished. */
export function versionOf(item: CatalogueItem, machine: RegisteredMachine): MachineVersion | undefined {
  return item.versions.find(version => version.machine.revisionId === machine.revisionId);
}
