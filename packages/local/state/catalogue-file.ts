import type { ActivityRecord } from '../runtime/catalogue/activities';
import type { CatalogueItem, MachineVersion } from '../runtime/catalogue/catalogue-item';
import { DamagedState } from './damage';
import { readKept, writeKept } from './kept-file';
import { type MachineRecord, type Revisions, recordOf } from './machine-records';

/** Machines with all that belongs to them, and activities. */
export interface CatalogueContent {
  readonly machines: readonly CatalogueItem[];
  readonly activities: readonly ActivityRecord[];
}

interface EntryRecord extends Omit<CatalogueItem, 'machine' | 'versions'> {
  readonly machine: MachineRecord;
  readonly versions: readonly (Omit<MachineVersion, 'machine'> & { readonly machine: MachineRecord })[];
}

interface FileContent {
  readonly machines: readonly EntryRecord[];
  readonly activities: readonly ActivityRecord[];
}

/** What a file holds. @throws DamagedState for a file that somebody else has written to */
export function readCatalogue(file: string, revisions: Revisions): CatalogueContent {
  const content = readKept(file);
  if (!isFileContent(content)) {
    throw new DamagedState([`${file} does not hold state machines and activities`]);
  }
  const { machines, activities } = content;
  const entries = machines.map(entry => ({
    ...entry,
    machine: revisions.of(entry.machine),
    versions: entry.versions.map(version => ({ ...version, machine: revisions.of(version.machine) })),
  }));
  return { machines: entries, activities };
}

/** Puts the content in the place of what a file holds, before it returns: what an operation has answered is kept. */
export function writeCatalogue(file: string, { machines, activities }: CatalogueContent): void {
  const content: FileContent = {
    machines: machines.map(entry => ({
      ...entry,
      machine: recordOf(entry.machine),
      versions: entry.versions.map(version => ({ ...version, machine: recordOf(version.machine) })),
    })),
    activities,
  };
  writeKept(file, content);
}

/** Whether it is of the form that is written here, as far as reading it goes. */
function isFileContent(content: unknown): content is FileContent {
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
