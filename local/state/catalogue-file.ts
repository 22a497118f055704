import type { ActivityRecord } from '../runtime/catalogue/activities';
import type { MachineEntry, MachineVersion } from '../runtime/catalogue/entry';
import { readKept, writeKept } from './kept-file';
import { type MachineRecord, type Revisions, recordOf } from './machine-records';

/** Machines with all that belongs to them, and activities. */
export interface CatalogueContent {
  readonly machines: readonly MachineEntry[];
  readonly activities: readonly ActivityRecord[];
}

interface EntryRecord extends Omit<MachineEntry, 'machine' | 'versions'> {
  readonly machine: MachineRecord;
  readonly versions: readonly (Omit<MachineVersion, 'machine'> & { readonly machine: MachineRecord })[];
}

interface FileContent {
  readonly machines: readonly EntryRecord[];
  readonly activities: readonly ActivityRecord[];
}

/** What a file holds, or undefined where there is none. @throws Error for a file that somebody else has written to */
export function readCatalogue(file: string, revisions: Revisions): CatalogueContent | undefined {
  const content = readKept(file) as FileContent | undefined;
  if (content === undefined) return undefined;
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
