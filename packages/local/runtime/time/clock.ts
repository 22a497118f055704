/** The last time that a clock can be moved to: the end of the year 9999. Timestamps have four digits for the year. */
export const TIME_MAX = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The runtime's only source of time. Times are epoch milliseconds.
 *
 * @example
 * const clock: Clock = new VirtualClock();
 */
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
