import { createHash } from 'node:crypto';
import type { Definition } from '../language/index';
import type { RegisteredMachine } from '../runtime/catalogue/registered-machine';

/** A revision of a machine as plain JSON: its definition is that of its text. */
export type MachineRecord = Omit<RegisteredMachine, 'definition'>;

// Revisions never change, and every start of an execution asks for the record and the key of one: each is made once.
const RECORDS = new WeakMap<RegisteredMachine, MachineRecord>();
const KEYS = new WeakMap<MachineRecord, string>();

/** The saved value of a revision: the same object each time. */
export function recordOf(machine: RegisteredMachine): MachineRecord {
  const known = RECORDS.get(machine);
  if (known) return known;
  const { definition: _, ...record } = machine;
  RECORDS.set(machine, record);
  return record;
}

/** The same for the same revision, whichever process asks. */
export function keyOf(record: MachineRecord): string {
  const known = KEYS.get(record);
  if (known !== undefined) return known;
  const sorted = Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
  const key = createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
  KEYS.set(record, key);
  return key;
}

/**
 * Makes revisions of records. Revisions of one text share its definition, and equal records are one revision.
 *
 * `define` answers undefined for a text that this version of the runtime does not run. Such a revision stays,
 * so that its executions can be described, but none of them can go on.
 */
export class Revisions {
  readonly #revisions = new Map<string, RegisteredMachine>();
  readonly #definitions = new Map<string, Definition | undefined>();
  readonly #define: (record: MachineRecord) => Definition | undefined;

  constructor(define: (record: MachineRecord) => Definition | undefined) {
    this.#define = define;
  }

  of(record: MachineRecord): RegisteredMachine {
    const key = keyOf(record);
    const known = this.#revisions.get(key);
    if (known) return known;
    const revision = { ...record, definition: this.#definitionOf(record) ?? UNUSABLE };
    this.#revisions.set(key, revision);
    return revision;
  }

  #definitionOf(record: MachineRecord): Definition | undefined {
    const key = `${record.type} ${record.definitionText}`;
    if (!this.#definitions.has(key)) this.#definitions.set(key, this.#define(record));
    return this.#definitions.get(key);
  }
}

/** The definition of a text that does not run any more. */
const UNUSABLE: Definition = { startAt: '', states: new Map() };
