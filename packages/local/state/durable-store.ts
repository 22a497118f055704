import type { ClassicLevel } from 'classic-level';
import type { Execution } from '../engine/execution';
import type { HistoryEvent } from '../engine/history';
import type { MachineChoice } from '../runtime/catalogue/machine';
import { MemoryStore, type Store, type StoredExecution } from '../runtime/store';
import { packed } from './kept-execution';
import { keyOfNumber } from './keys';
import { type ExecutionRecord, type Place, readLog } from './log';
import { keyOf, type Revisions, recordOf } from './machine-records';
import { sealed } from './sealed';
import { type Change, WriteQueue } from './write-queue';

/**
 * Keeps executions and histories on disk, and all of them in memory for reading.
 *
 * A write has come through when the operating system has it: it survives the end of this process, however it comes, but
 * not that of the machine. A crash leaves all of a write or nothing, and nothing that came after one that it undid.
 */
export class DurableStore implements Store {
  readonly #memory = new MemoryStore();
  readonly #db: ClassicLevel;
  readonly #queue: WriteQueue;
  readonly #places = new Map<string, Place>();
  readonly #machines = new Set<string>();
  #last = 0;
  #isClosed = false;

  /** A store on an open database; empty until `load`. */
  constructor(db: ClassicLevel) {
    this.#db = db;
    this.#queue = new WriteQueue(db);
  }

  /** Reads what the database has. @throws DamagedState with the executions of which something is lost */
  async load(revisions: Revisions): Promise<void> {
    const { machines, executions } = await readLog(this.#db, await this.#queue.missing());
    for (const key of machines.keys()) this.#machines.add(key);
    for (const { place, record, execution, history } of executions) {
      this.#places.set(execution.arn, place);
      this.#last = Math.max(this.#last, place.number);
      this.#memory.create({ ...place.chosen, machine: revisions.of(record) }, execution);
      this.#memory.save(execution, history);
    }
  }

  find(executionArn: string): StoredExecution | undefined {
    return this.#memory.find(executionArn);
  }

  list(machineArn: string): readonly StoredExecution[] {
    return this.#memory.list(machineArn);
  }

  all(): Iterable<StoredExecution> {
    return this.#memory.all();
  }

  running(): readonly StoredExecution[] {
    return this.#memory.running();
  }

  /** The name counts as taken at once, so that of two requests at a time only one can have it. */
  async create(choice: MachineChoice, execution: Execution): Promise<void> {
    if (this.#isClosed) return NEVER;
    const replaced = this.#removal(execution.arn);
    const record = recordOf(choice.machine);
    const machine = keyOf(record);
    this.#last += 1;
    const place: Place = { number: this.#last, chosen: { ...choice, machine } };
    // Before anybody can see the execution: one that cannot be written was never there.
    const changes = [...replaced, putExecution(place, execution)];
    if (!this.#machines.has(machine)) changes.push(put(`machine!${machine}`, record));
    this.#memory.create(choice, execution);
    this.#places.set(execution.arn, place);
    try {
      await this.#queue.write(changes);
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
    const changes = [putExecution(place, execution)];
    const [first] = events;
    if (first) changes.push(put(eventKey(place, first.id), events));
    await this.#queue.write(changes);
    this.#memory.save(execution, events);
  }

  /** Lets writes come through; those that begin later never do, as if the process had ended here. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue.settled();
    await this.#db.close();
  }

  /** What takes an execution out, in the same write that puts the next of its name in its place. */
  #removal(executionArn: string): Change[] {
    const place = this.#places.get(executionArn);
    if (!place) return [];
    // Events are kept under the first of those that were saved together; which ones these were is not remembered.
    const events = this.#memory.find(executionArn)?.history ?? [];
    const keys = events.map(({ id }) => eventKey(place, id));
    return [...keys, keyOfNumber('execution', place.number)].map(key => ({ type: 'del', key }));
  }
}

const NEVER = new Promise<never>(() => undefined);

function putExecution({ number, chosen }: Place, execution: Execution): Change {
  const value: ExecutionRecord = { ...chosen, execution: packed(execution) };
  return put(keyOfNumber('execution', number), value);
}

function eventKey({ number }: Place, eventId: number): string {
  return keyOfNumber(keyOfNumber('event', number), eventId);
}

function put(key: string, content: object): Change {
  return { type: 'put', key, value: sealed(key, JSON.stringify(content)) };
}
