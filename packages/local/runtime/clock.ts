/** The runtime's only source of time. Times are epoch milliseconds. */
export interface Clock {
  /** True where time passes by itself, also while something is being done. @default - it stands until it is moved */
  readonly isReal?: boolean;
  now(): number;
  /**
   * Runs `action` once when `due` has come (at once if it has passed). Returns a function that cancels it.
   *
   * What is in the background is not waited for: it keeps no process alive, and a clock that is moved from deadline to
   * deadline is not moved to it; it runs when the clock gets past it.
   */
  at(due: number, action: () => void, isInBackground?: boolean): () => void;
}
