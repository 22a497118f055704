/** What the runtime knows of time. Times are epoch milliseconds. */
export interface Clock {
  /** True where time passes by itself, also while something is being done. @default - it stands until it is moved */
  readonly isReal?: boolean;
  now(): number;
  /**
   * Runs `action` once when `due` has come (at once if it has passed). Returns a function that cancels it.
   *
   * Nobody waits for what is in the background: it keeps no process alive, and a clock that is driven from deadline to
   * deadline is not driven to it, though it is when it gets past it.
   */
  at(due: number, action: () => void, isInBackground?: boolean): () => void;
}
