import type { ClassicLevel } from 'classic-level';
import type { Execution } from '../engine/execution';
import type { HistoryEvent } from '../engine/history';
import type { MachineChoice } from '../runtime/catalogue/machine';
import { MemoryStore } from '../runtime/memory-store';
import type { ListedExecution, Store, StoredExecution } from '../runtime/store';
import { readFrom } from './damage';
import { keyOfNumber } from './keys';
import { type ExecutionRecord, type LogPosition, readLog } from './log';
import { keyOf, type Revisions, recordOf } from './machine-records';
import { packed } from './packed-execution';
import { sealed } from './sealed';
import type { Change, WriteQueue } from './write-queue';

/**
 * Executions and histories on disk, and all of them in memory for reading.
 *
 * A write has come through when the operating system has it: it survives the end of this process, however it comes, but
 * not that of the machine. A crash leaves all of a write or nothing, and nothing that came after one that it undid.
 */
export class DurableStore implements Store {
  readonly #memory: MemoryStore;
  readonly #db: ClassicLevel;
  readonly #queue: WriteQueue;
  readonly #positions = new Map<string, LogPosition>();
  readonly #machines = new Set<string>();
  #last = 0;
  #isClosed = false;

  /** A store on an open database; empty until `load`. Of executions that have ended it keeps so many. */
  constructor(db: ClassicLevel, queue: WriteQueue, keep = Number.POSITIVE_INFINITY) {
    this.#memory = new MemoryStore({ keep, forgetting: arn => this.#forget(arn) });
    this.#db = db;
    this.#queue = queue;
  }

  /** Reads what the database has. @throws DamagedState with the executions of which something is lost */
  async load(revisions: Revisions): Promise<void> {
    const { machines, executions } = await readFrom(() => readLog(this.#db));
    for (const key of machines.keys()) this.#machines.add(key);
    for (const { position, record, execution, history } of executions) {
      this.#positions.set(execution.arn, position);
      this.#last = Math.max(this.#last, position.number);
      this.#memory.create({ ...position.chosen, machine: revisions.of(record) }, execution);
      this.#memory.save(execution, history);
    }
  }

  find(executionArn: string): StoredExecution | undefined {
    return this.#memory.find(executionArn);
  }

  list(machineArn: string): readonly ListedExecution[] {
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
    const position: LogPosition = { number: this.#last, chosen: { ...choice, machine } };
    // Before the execution can be seen: one that cannot be written was never there.
    const changes = [...replaced, putExecution(position, execution)];
    if (!this.#machines.has(machine)) changes.push(put(`machine!${machine}`, record));
    this.#memory.create(choice, execution);
    this.#positions.set(execution.arn, position);
    try {
      await this.#queue.write(changes);
    } catch (error) {
      this.#memory.forget(execution.arn);
      this.#positions.delete(execution.arn);
      throw error;
    }
    this.#machines.add(machine);
  }

  /** Readers see the new state when it is on disk, so that none sees what a crash would undo. */
  async save(execution: Execution, events: readonly HistoryEvent[]): Promise<void> {
    if (this.#isClosed) return NEVER;
    const position = this.#positions.get(execution.arn);
    if (!position) throw new Error(`an execution that was never created: ${execution.arn}`);
    const changes = [putExecution(position, execution)];
    const [first] = events;
    if (first) changes.push(put(eventKey(position, first.id), events));
    await this.#queue.write(changes);
    this.#memory.save(execution, events);
  }

  /** Lets writes come through; those that begin later never do, as if the process had ended here. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue.close();
  }

  /** Whoever is restarted before that is written forgets it then. */
  #forget(executionArn: string): void {
    const changes = this.#removal(executionArn);
    this.#positions.delete(executionArn);
    if (!this.#isClosed) this.#queue.write(changes).catch(() => undefined);
  }

  /** What takes an execution out, in the same write that puts the next of its name in its position. */
  #removal(executionArn: string): Change[] {
    const position = this.#positions.get(executionArn);
    if (!position) return [];
    // Events are saved under the first of those that were saved together; which ones these were is not remembered.
    const events = this.#memory.find(executionArn)?.execution.lastEventId ?? 0;
    const keys = Array.from({ length: events }, (_, index) => eventKey(position, index + 1));
    return [...keys, keyOfNumber('execution', position.number)].map(key => ({ type: 'del', key }));
  }
}

const NEVER = new Promise<never>(() => undefined);

function putExecution({ number, chosen }: LogPosition, execution: Execution): Change {
  const value: ExecutionRecord = { ...chosen, execution: packed(execution) };
  return put(keyOfNumber('execution', number), value);
}

function eventKey({ number }: LogPosition, eventId: number): string {
  return keyOfNumber(keyOfNumber('event', number), eventId);
}

function put(key: string, content: object): Change {
  return { type: 'put', key, value: sealed(key, JSON.stringify(content)) };
}
