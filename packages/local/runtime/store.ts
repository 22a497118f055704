import type { Execution } from '../engine/execution';
import type { HistoryEvent } from '../engine/history';
import type { MachineChoice } from './catalogue/machine';

/** An execution with what it was started through: the revision it runs, and the version and alias that chose it. */
export interface Stored {
  readonly choice: MachineChoice;
  readonly execution: Execution;
  /** Grows with the execution. */
  readonly history: readonly HistoryEvent[];
}

/**
 * Keeps executions and their histories.
 *
 * Reads answer from memory. Writes may take time: the runtime performs the effects of a transition after its
 * write has come through, so whatever was begun is known after a restart.
 */
export interface Store {
  find(executionArn: string): Stored | undefined;
  /** Executions of a machine, oldest start first. */
  list(machineArn: string): readonly Stored[];
  /** All executions, oldest start first. */
  all(): Iterable<Stored>;
  /** Executions that have not ended, oldest start first. */
  running(): readonly Stored[];
  /** Adds an execution. One with the same ARN that was there before is forgotten. */
  create(choice: MachineChoice, execution: Execution): void | Promise<void>;
  /** Replaces an execution and appends to its history. */
  save(execution: Execution, events: readonly HistoryEvent[]): void | Promise<void>;
}

interface Entry {
  readonly choice: MachineChoice;
  execution: Execution;
  readonly history: HistoryEvent[];
}

/** A store that lasts as long as the process. */
export class MemoryStore implements Store {
  readonly #entries = new Map<string, Entry>();
  readonly #byMachine = new Map<string, Set<Entry>>();

  find(executionArn: string): Stored | undefined {
    return this.#entries.get(executionArn);
  }

  list(machineArn: string): readonly Stored[] {
    return [...(this.#byMachine.get(machineArn) ?? [])];
  }

  all(): Iterable<Stored> {
    return this.#entries.values();
  }

  running(): readonly Stored[] {
    return [...this.#entries.values()].filter(({ execution }) => execution.status === 'RUNNING');
  }

  create(choice: MachineChoice, execution: Execution): void {
    this.forget(execution.arn);
    const machineArn = choice.machine.arn;
    const entry: Entry = { choice, execution, history: [] };
    this.#entries.set(execution.arn, entry);
    const siblings = this.#byMachine.get(machineArn) ?? new Set();
    this.#byMachine.set(machineArn, siblings.add(entry));
  }

  save(execution: Execution, events: readonly HistoryEvent[]): void {
    const entry = this.#entries.get(execution.arn);
    if (!entry) throw new Error(`an execution that was never created: ${execution.arn}`);
    entry.execution = execution;
    for (const event of events) entry.history.push(event);
  }

  /** Drops an execution and its history. */
  forget(executionArn: string): void {
    const entry = this.#entries.get(executionArn);
    if (!entry) return;
    this.#entries.delete(executionArn);
    this.#byMachine.get(entry.choice.machine.arn)?.delete(entry);
  }
}
