import type { Execution, HistoryEvent } from '../../engine/index';
import type { MachineChoice } from '../catalogue/registered-machine';

/** An execution with what it was started through: the revision it runs, and the version and alias that chose it. */
export interface StoredExecution {
  readonly choice: MachineChoice;
  readonly execution: Execution;
  /** As it is now; one that has ended may be made anew each time it is read. */
  readonly history: readonly HistoryEvent[];
}

/** What lists show of an execution. */
export interface ListedExecution {
  readonly choice: MachineChoice;
  readonly execution: Pick<
    Execution,
    'arn' | 'name' | 'status' | 'startedAt' | 'redriveCount' | 'redrivenAt'
  > & { readonly end: { readonly at: number } | null };
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
  list(machineArn: string): readonly ListedExecution[];
  /** All executions, oldest start first. */
  all(): Iterable<StoredExecution>;
  /** Executions that have not ended, oldest start first. */
  running(): readonly StoredExecution[];
  /** Adds an execution. One with the same ARN that was there before is forgotten. */
  create(choice: MachineChoice, execution: Execution): void | Promise<void>;
  /**
   * Keeps an execution that has ended and is about to go on, until the returned function is called.
   *
   * @default - the store keeps all of them
   */
  hold?(executionArn: string): () => void;
  /** Replaces an execution and appends to its history. */
  save(execution: Execution, events: readonly HistoryEvent[]): void | Promise<void>;
}
