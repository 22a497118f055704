import type { ClassicLevel } from 'classic-level';
import type { Execution } from '../engine/execution';
import type { HistoryEvent } from '../engine/history';
import type { MachineChoice } from '../runtime/catalogue/machine';
import { MemoryStore, type Store, type Stored } from '../runtime/store';
import { keyOf, type MachineRecord, type Revisions, recordOf } from './machine-records';

/** What is kept of an execution under its number. */
interface ExecutionRecord extends Chosen {
  readonly execution: Execution;
}

/** A choice with its machine's key in place of the machine. */
interface Chosen extends Omit<MachineChoice, 'machine'> {
  readonly machine: string;
}

/** Where an execution is kept, and what is repeated with each state of it. */
interface Place {
  readonly number: string;
  readonly chosen: Chosen;
}

/**
 * Keeps executions and histories on disk, and all of them in memory for reading.
 *
 * A write has come through when the operating system has it: it survives the end of this process, however it comes, but
 * not that of the machine. Each write is one batch, of which a crash leaves all or nothing.
 */
export class DurableStore implements Store {
  readonly #memory = new MemoryStore();
  readonly #db: ClassicLevel;
  readonly #places = new Map<string, Place>();
  readonly #machines = new Set<string>();
  #last = 0;
  /** Writes under way. */
  readonly #writing = new Set<Promise<void>>();
  #isClosed = false;

  /** A store on an open database; empty until `load`. */
  constructor(db: ClassicLevel) {
    this.#db = db;
  }

  /** Reads what the database has. */
  async load(revisions: Revisions): Promise<void> {
    const machines = new Map<string, MachineRecord>();
    for await (const [key, text] of this.#db.iterator(under('machine'))) {
      machines.set(key.slice('machine!'.length), JSON.parse(text) as MachineRecord);
      this.#machines.add(key.slice('machine!'.length));
    }
    for await (const [key, text] of this.#db.iterator(under('execution'))) {
      const { execution, ...chosen } = JSON.parse(text) as ExecutionRecord;
      const record = machines.get(chosen.machine);
      if (!record) throw new Error(`${execution.arn} is of a machine that is not kept`);
      const number = key.slice('execution!'.length);
      this.#places.set(execution.arn, { number, chosen });
      this.#last = Number(number);
      this.#memory.create({ ...chosen, machine: revisions.of(record) }, execution);
      for await (const events of this.#db.values(under(`event!${number}`))) {
        this.#memory.save(execution, JSON.parse(events) as HistoryEvent[]);
      }
    }
  }

  find(executionArn: string): Stored | undefined {
    return this.#memory.find(executionArn);
  }

  list(machineArn: string): readonly Stored[] {
    return this.#memory.list(machineArn);
  }

  running(): readonly Stored[] {
    return this.#memory.running();
  }

  /** The name counts as taken at once, so that of two requests at a time only one can have it. */
  async create(choice: MachineChoice, execution: Execution): Promise<void> {
    if (this.#isClosed) return NEVER;
    const before = this.#places.get(execution.arn);
    const record = recordOf(choice.machine);
    const machine = keyOf(record);
    this.#last += 1;
    const place = {
      number: String(this.#last).padStart(NUMBER_DIGITS, '0'),
      chosen: { ...choice, machine },
    };
    this.#memory.create(choice, execution);
    this.#places.set(execution.arn, place);
    const batch = this.#batch(place, execution);
    if (!this.#machines.has(machine)) batch.put(`machine!${machine}`, JSON.stringify(record));
    try {
      if (before) await this.#write(this.#drop(before));
      await this.#write(batch.write());
    } catch (error) {
      this.#memory.forget(execution.arn);
      this.#places.delete(execution.arn);
      throw error;
    }
    this.#machines.add(machine);
  }

  /** Readers see the new state when it is on disk, so that none is told of what a crash would undo. */
  async save(execution: Execution, events: readonly HistoryEvent[]): Promise<void> {
    if (this.#isClosed) return NEVER;
    const place = this.#places.get(execution.arn);
    if (!place) throw new Error(`an execution that was never created: ${execution.arn}`);
    const batch = this.#batch(place, execution);
    const [first] = events;
    if (first) {
      const id = String(first.id).padStart(NUMBER_DIGITS, '0');
      batch.put(`event!${place.number}!${id}`, JSON.stringify(events));
    }
    await this.#write(batch.write());
    this.#memory.save(execution, events);
  }

  /** Lets writes come through; those that begin later never do, as if the process had ended here. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#writing);
    await this.#db.close();
  }

  async #write(writing: Promise<void>): Promise<void> {
    const done = writing.finally(() => this.#writing.delete(done));
    this.#writing.add(done);
    await done;
  }

  #batch({ number, chosen }: Place, execution: Execution) {
    const value: ExecutionRecord = { ...chosen, execution };
    return this.#db.batch().put(`execution!${number}`, JSON.stringify(value));
  }

  async #drop({ number }: Place): Promise<void> {
    await this.#db.clear(under(`event!${number}`));
    await this.#db.del(`execution!${number}`);
  }
}

const NEVER = new Promise<never>(() => undefined);

/** Digits of a number in a key, so that keys sort as numbers do. */
const NUMBER_DIGITS = 12;

/** All keys that begin with a name. `"` is what follows `!`. */
function under(name: string): { gt: string; lt: string } {
  return { gt: `${name}!`, lt: `${name}"` };
}
