import type { Execution } from '../engine/execution';
import type { HistoryEvent } from '../engine/history';
import type { MachineChoice } from './catalogue/machine';

/** An execution with what it was started through: the revision it runs, and the version and alias that chose it. */
export interface StoredExecution {
  readonly choice: MachineChoice;
  readonly execution: Execution;
  /** Grows with the execution. */
  readonly history: readonly HistoryEvent[];
}

/**
 * Holds executions and their histories.
 *
 * Reads answer from memory. Writes may take time: the runtime performs the effects of a transition after its
 * write has come through, so everything it has begun is known after a restart.
 */
export interface Store {
  find(executionArn: string): StoredExecution | undefined;
  /** Executions of a machine, oldest start first. */
  list(machineArn: string): readonly StoredExecution[];
  /** All executions, oldest start first. */
  all(): Iterable<StoredExecution>;
  /** Executions that have not ended, oldest start first. */
  running(): readonly StoredExecution[];
  /** Adds an execution. One with the same ARN that was there before is forgotten. */
  create(choice: MachineChoice, execution: Execution): void | Promise<void>;
  /** Replaces an execution and appends to its history. */
  save(execution: Execution, events: readonly HistoryEvent[]): void | Promise<void>;
}

interface Item {
  readonly choice: MachineChoice;
  execution: Execution;
  readonly history: HistoryEvent[];
}

/** A store that lasts as long as the process. */
export class MemoryStore implements Store {
  readonly #items = new Map<string, Item>();
  readonly #byMachine = new Map<string, Set<Item>>();

  find(executionArn: string): StoredExecution | undefined {
    return this.#items.get(executionArn);
  }

  list(machineArn: string): readonly StoredExecution[] {
    return [...(this.#byMachine.get(machineArn) ?? [])];
  }

  all(): Iterable<StoredExecution> {
    return this.#items.values();
  }

  running(): readonly StoredExecution[] {
    return [...this.#items.values()].filter(({ execution }) => execution.status === 'RUNNING');
  }

  create(choice: MachineChoice, execution: Execution): void {
    this.forget(execution.arn);
    const machineArn = choice.machine.arn;
    const item: Item = { choice, execution, history: [] };
    this.#items.set(execution.arn, item);
    const siblings = this.#byMachine.get(machineArn) ?? new Set();
    this.#byMachine.set(machineArn, siblings.add(item));
  }

  save(execution: Execution, events: readonly HistoryEvent[]): void {
    const item = this.#items.get(execution.arn);
    if (!item) throw new Error(`an execution that was never created: ${execution.arn}`);
    item.execution = execution;
    for (const event of events) item.history.push(event);
  }

  /** Drops an execution and its history. */
  forget(executionArn: string): void {
    const item = this.#items.get(executionArn);
    if (!item) return;
    this.#items.delete(executionArn);
    this.#byMachine.get(item.choice.machine.arn)?.delete(item);
  }
}
