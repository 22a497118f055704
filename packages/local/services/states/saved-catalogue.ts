import type { ActivityRecord } from '../../runtime/catalogue/activities';
import type { Catalogue } from '../../runtime/catalogue/catalogue';
import type { CatalogueItem, MachineVersion } from '../../runtime/catalogue/catalogue-item';
import type { StateDirectory } from '../../state/directory';
import { type MachineRecord, type Revisions, recordOf } from '../../state/machine-records';
import type { ValueKind } from '../../state/persistent-values';
import { loadItems } from '../../state/saved-values';

/** State machines and activities in a state directory: each of them is a value of its own. */
export interface SavedCatalogue {
  /** Begins to write what has changed since it was called last. */
  changed(content: Pick<Catalogue, 'machines' | 'activities'>): void;
  /** Resolves when all of it is written. Rejects where it cannot be. */
  written(): Promise<void>;
  /** Puts the machines of an earlier process into a catalogue. @throws DamagedState for content from elsewhere */
  load(content: Pick<Catalogue, 'machines' | 'activities'>, revisions: Revisions): Promise<void>;
}

/** A machine with all that belongs to it as plain JSON: definitions as their texts. */
interface MachineEntry extends Omit<CatalogueItem, 'machine' | 'versions'> {
  readonly machine: MachineRecord;
  readonly versions: readonly (Omit<MachineVersion, 'machine'> & { readonly machine: MachineRecord })[];
}

/** The machines and activities that a directory has. */
export function savedCatalogue(directory: StateDirectory): SavedCatalogue {
  const machines = new SavedList<CatalogueItem>(directory, 'stateMachine', entryOf);
  const activities = new SavedList<ActivityRecord>(directory, 'activity', record => record);
  return {
    changed(content) {
      machines.changed(content.machines.items().map(item => [item.machine.arn, item]));
      activities.changed(content.activities.list().map(activity => [activity.arn, activity]));
    },
    written: () => directory.writeBehind.written(),
    async load(content, revisions) {
      content.machines.load(
        await machines.load(value => (isEntry(value) ? itemOf(value, revisions) : undefined)),
      );
      content.activities.load(await activities.load(value => (isActivity(value) ? value : undefined)));
    },
  };
}

/** Values of one kind in the order in which they were added. */
class SavedList<Item extends object> {
  readonly #directory: StateDirectory;
  readonly #kind: ValueKind;
  readonly #toJson: (item: Item) => object;
  /** The saved items, by key; an item that has changed is another object. */
  readonly #saved = new Map<string, { readonly number: number; readonly item: Item }>();
  #lastNumber = 0;

  constructor(directory: StateDirectory, kind: ValueKind, toJson: (item: Item) => object) {
    this.#directory = directory;
    this.#kind = kind;
    this.#toJson = toJson;
  }

  changed(items: readonly (readonly [key: string, item: Item])[]): void {
    const current = new Map(items);
    const kind = this.#kind;
    const removed = [...this.#saved.keys()].filter(key => !current.has(key));
    for (const key of removed) this.#saved.delete(key);
    const changed = items.filter(([key, item]) => this.#saved.get(key)?.item !== item);
    const puts = changed.map(([key, item]) => {
      const number = this.#saved.get(key)?.number ?? this.#lastNumber + 1;
      this.#lastNumber = Math.max(this.#lastNumber, number);
      this.#saved.set(key, { number, item });
      return { kind, key, value: { number, value: this.#toJson(item) } };
    });
    const changes = [...removed.map(key => ({ kind, key, value: undefined })), ...puts];
    if (changes.length > 0) this.#directory.writeBehind.write(changes);
  }

  /** `fromJson` answers undefined for a value that is not such an item. */
  async load(fromJson: (value: unknown) => Item | undefined): Promise<readonly Item[]> {
    const loaded = await loadItems(this.#directory, this.#kind, ({ number, value }, key) => {
      const item = fromJson(value);
      return typeof number === 'number' && item !== undefined ? { key, number, item } : undefined;
    });
    for (const { key, number, item } of loaded) {
      this.#saved.set(key, { number, item });
      this.#lastNumber = Math.max(this.#lastNumber, number);
    }
    const inOrder = [...this.#saved.values()].toSorted((a, b) => a.number - b.number);
    return inOrder.map(({ item }) => item);
  }
}

function entryOf(item: CatalogueItem): MachineEntry {
  return {
    ...item,
    machine: recordOf(item.machine),
    versions: item.versions.map(version => ({ ...version, machine: recordOf(version.machine) })),
  };
}

function itemOf(entry: MachineEntry, revisions: Revisions): CatalogueItem {
  return {
    ...entry,
    machine: revisions.of(entry.machine),
    versions: entry.versions.map(version => ({ ...version, machine: revisions.of(version.machine) })),
  };
}

/** Whether it is of the form that is written here, as far as reading it goes. */
function isEntry(entry: unknown): entry is MachineEntry {
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

function isActivity(activity: unknown): activity is ActivityRecord {
  return hasTexts(activity, ['arn', 'name']);
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return names.every(name => typeof membersOf(value)[name] === 'string');
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
