import type { ClassicLevel } from 'classic-level';
import type { Execution, HistoryEvent } from '../engine/index';
import type { MachineChoice } from '../runtime/catalogue/registered-machine';
import type { CompressedExecution } from '../runtime/store/compressed-execution';
import { MemoryStore } from '../runtime/store/memory-store';
import type { ListedExecution, Store, StoredExecution } from '../runtime/store/store';
import { withDamageErrors } from './damage';
import { EndedExecutions } from './ended-executions';
import { type ExecutionRecord, readLog } from './log';
import { endedKey, eventKey, executionKey, type LogPosition } from './log-position';
import { keyOf, type Revisions, recordOf } from './machine-records';
import { packed } from './packed-execution';
import { sealed } from './sealed';
import type { Change, WriteQueue } from './write-queue';

/**
 * Executions and histories on disk, and all of them in memory for reading.
 *
 * One that runs is a record that is replaced and its events in the groups they were saved in. Some moments after its
 * end all of that becomes one value, compressed: a start reads tens of thousands of them in a second.
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
  readonly #ended = new EndedExecutions();
  /** Values that are one on disk, and values that will be one with a write under way. */
  readonly #compressed = new Set<string>();
  readonly #compressing = new Set<string>();
  /** Those of which a state is being written that readers do not see yet. */
  readonly #saving = new Set<string>();
  #last = 0;
  #isClosed = false;

  /** A store on an open database; empty until `load`. Of executions that have ended it keeps so many. */
  constructor(db: ClassicLevel, queue: WriteQueue, keep = Number.POSITIVE_INFINITY) {
    this.#memory = new MemoryStore({
      keep,
      forgetting: arn => this.#forget(arn),
      compressed: (ended, stored) => this.#saveCompressed(ended, stored),
    });
    this.#db = db;
    this.#queue = queue;
  }

  /** Reads what the database has. @throws DamagedState with the executions of which something is lost */
  async load(revisions: Revisions): Promise<void> {
    const readers = { revisions, ended: this.#ended };
    const { machines, executions } = await withDamageErrors(() => readLog(this.#db, readers));
    for (const key of machines.keys()) this.#machines.add(key);
    for (const { position, ...read } of executions) {
      this.#last = Math.max(this.#last, position.number);
      if ('compressed' in read) {
        const { arn } = read.compressed.execution;
        this.#positions.set(arn, position);
        this.#compressed.add(arn);
        this.#memory.restore(read.compressed);
      } else {
        const { record, execution, history } = read;
        this.#positions.set(execution.arn, position);
        this.#memory.create({ ...position.chosen, machine: revisions.of(record) }, execution);
        this.#memory.save(execution, history);
      }
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
    this.#notCompressed(execution.arn);
    await this.#queue.write(changes, () => {
      this.#memory.forget(execution.arn);
      this.#positions.delete(execution.arn);
    });
    this.#machines.add(machine);
  }

  /** Readers see the new state when it is on disk, so that none sees what a crash would undo. */
  async save(execution: Execution, events: readonly HistoryEvent[]): Promise<void> {
    if (this.#isClosed) return NEVER;
    const { arn } = execution;
    const position = this.#positions.get(arn);
    if (!position) throw new Error(`an execution that was never created: ${arn}`);
    const changes = [...this.#decompressing(arn, position), putExecution(position, execution)];
    const [first] = events;
    if (first) changes.push(put(eventKey(position, first.id), events));
    this.#saving.add(arn);
    try {
      await this.#queue.write(changes);
      this.#notCompressed(arn);
      this.#memory.save(execution, events);
    } finally {
      this.#saving.delete(arn);
    }
  }

  hold(executionArn: string): () => void {
    return this.#memory.hold(executionArn);
  }

  /** Lets writes come through; those that begin later never do, as if the process had ended here. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue.close();
  }

  /** Makes one value of an execution that has ended. If that cannot be written, it stays as it was. */
  #saveCompressed(ended: CompressedExecution, { execution }: StoredExecution): void {
    const { arn } = execution;
    const position = this.#positions.get(arn);
    // One that is about to go on has another end.
    if (!position || this.#isClosed || this.#saving.has(arn)) return;
    const changes = [...this.#removal(arn, execution), ...this.#ended.changes(position, ended)];
    this.#compressing.add(arn);
    this.#queue.write(changes).then(
      () => {
        this.#ended.written(ended);
        if (this.#compressing.delete(arn)) this.#compressed.add(arn);
      },
      () => void this.#compressing.delete(arn),
    );
  }

  #notCompressed(executionArn: string): void {
    this.#compressed.delete(executionArn);
    this.#compressing.delete(executionArn);
  }

  /** What makes a record and events again of one value: all events there were are one group. */
  #decompressing(executionArn: string, position: LogPosition): Change[] {
    if (!this.#compressed.has(executionArn) && !this.#compressing.has(executionArn)) return [];
    const { history = [] } = this.#memory.find(executionArn) ?? {};
    const events = history.length > 0 ? [put(eventKey(position, 1), history)] : [];
    return [...this.#removal(executionArn), ...events];
  }

  /** A process that restarts before that write forgets it then. */
  #forget(executionArn: string): void {
    const changes = this.#removal(executionArn);
    this.#positions.delete(executionArn);
    this.#notCompressed(executionArn);
    if (!this.#isClosed) this.#queue.write(changes).catch(() => undefined);
  }

  /** What takes an execution out, in the same write that puts the next of its name in its position. */
  #removal(executionArn: string, execution?: Execution): Change[] {
    const position = this.#positions.get(executionArn);
    if (!position) return [];
    const keys: string[] = [];
    if (!this.#compressed.has(executionArn)) {
      // Events are saved under the first of those that were saved together; which ones these were is not remembered.
      const { lastEventId: events = 0 } = execution ?? this.#memory.find(executionArn)?.execution ?? {};
      for (let id = 1; id <= events; id += 1) keys.push(eventKey(position, id));
      keys.push(executionKey(position));
    }
    // A write under way may still fail: then the one is there, else the other.
    if (this.#compressed.has(executionArn) || this.#compressing.has(executionArn))
      keys.push(endedKey(position));
    return keys.map(key => ({ type: 'del', key }));
  }
}

const NEVER = new Promise<never>(() => undefined);

function putExecution(position: LogPosition, execution: Execution): Change {
  const value: ExecutionRecord = { ...position.chosen, execution: packed(execution) };
  return put(executionKey(position), value);
}

function put(key: string, content: object): Change {
  return { type: 'put', key, value: sealed(key, JSON.stringify(content)) };
}
