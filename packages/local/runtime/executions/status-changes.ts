import type { ExecutionDescription } from './descriptions';

/**
 * A Standard execution has started, ended, or goes on by a redrive. Reported in the order of each execution's life,
 * after it has been saved.
 */
export interface StatusChange {
  readonly kind: 'started' | 'ended' | 'redriven';
  readonly execution: ExecutionDescription;
}

/** Notifies listeners, and resolves the promises that wait for an execution's end. */
export class StatusChanges {
  readonly #listeners = new Set<(change: StatusChange) => void>();
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #describe: (executionArn: string) => ExecutionDescription;
  readonly #report: (problem: Error) => void;

  constructor(describe: (executionArn: string) => ExecutionDescription, report: (problem: Error) => void) {
    this.#describe = describe;
    this.#report = report;
  }

  /** Calls back on each change, until the returned function is called. */
  subscribe(listener: (change: StatusChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the execution has ended, which it must not have. */
  nextEnd(executionArn: string): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.set(executionArn, [...(this.#waiting.get(executionArn) ?? []), resolve]);
    });
  }

  /** Reports a change to all listeners and, for an end, to those that wait for it. */
  notify(kind: StatusChange['kind'], executionArn: string): void {
    if (this.#listeners.size > 0) this.#notifyListeners({ kind, execution: this.#describe(executionArn) });
    if (kind !== 'ended') return;
    const waiting = this.#waiting.get(executionArn) ?? [];
    this.#waiting.delete(executionArn);
    for (const wake of waiting) wake();
  }

  close(): void {
    this.#listeners.clear();
  }

  #notifyListeners(change: StatusChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#report(new Error(`a listener broke on '${change.kind}'`, { cause: error }));
      }
    }
  }
}
