import type { ActivityRecord } from '../../runtime/catalogue/activities';
import type { CatalogueItem, MachineVersion } from '../../runtime/catalogue/catalogue-item';
import { DamagedState } from '../../state/damage';
import { type MachineRecord, type Revisions, recordOf } from '../../state/machine-records';

/** Machines with all that belongs to them, and activities. */
export interface CatalogueContent {
  readonly machines: readonly CatalogueItem[];
  readonly activities: readonly ActivityRecord[];
}

interface EntryRecord extends Omit<CatalogueItem, 'machine' | 'versions'> {
  readonly machine: MachineRecord;
  readonly versions: readonly (Omit<MachineVersion, 'machine'> & { readonly machine: MachineRecord })[];
}

/** Machines and activities as plain JSON: definitions as their texts. */
export interface CatalogueSnapshot {
  readonly machines: readonly EntryRecord[];
  readonly activities: readonly ActivityRecord[];
}

/** What a snapshot holds that was in `file`. @throws DamagedState for what `catalogueSnapshot` did not make */
export function catalogueFrom(snapshot: unknown, revisions: Revisions, file: string): CatalogueContent {
  if (!isSnapshot(snapshot)) {
    throw new DamagedState([`${file} does not hold state machines and activities`]);
  }
  const { machines, activities } = snapshot;
  const entries = machines.map(entry => ({
    ...entry,
    machine: revisions.of(entry.machine),
    versions: entry.versions.map(version => ({ ...version, machine: revisions.of(version.machine) })),
  }));
  return { machines: entries, activities };
}

/** The content as plain JSON. */
export function catalogueSnapshot({ machines, activities }: CatalogueContent): CatalogueSnapshot {
  return {
    machines: machines.map(entry => ({
      ...entry,
      machine: recordOf(entry.machine),
      versions: entry.versions.map(version => ({ ...version, machine: recordOf(version.machine) })),
    })),
    activities,
  };
}

/** Whether it is of the form that is written here, as far as reading it goes. */
function isSnapshot(content: unknown): content is CatalogueSnapshot {
  const { machines, activities } = membersOf(content);
  return (
    Array.isArray(machines) &&
    machines.every(isEntry) &&
    Array.isArray(activities) &&
    activities.every(activity => hasTexts(activity, ['arn', 'name']))
  );
}

function isEntry(entry: unknown): boolean {
  const { machine, versions } = membersOf(entry);
  return (
    isMachine(machine) &&
    Array.isArray(versions) &&
    versions.every(version => isMachine(membersOf(version)['machine']))
  );
}

function isMachine(machine: unknown): boolean {
  return hasTexts(machine, ['arn', 'name', 'type', 'definitionText']);
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return names.every(name => typeof membersOf(value)[name] === 'string');
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
