/** The last time that a clock can be moved to: the end of the year 9999. Timestamps have four digits for the year. */
export const TIME_MAX = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The runtime's only source of time. Times are epoch milliseconds.
 *
 * @example
 * const clock: Clock = new VirtualClock();
 */
export interface Clock {
  /** True if time passes on its own, also during work. @default - it stands until it is moved */
  readonly isReal?: boolean;
  now(): number;
  /**
   * Runs `action` once when `due` has come (at once if it has passed). Returns a function that cancels it.
   *
   * Background work is not waited for: it keeps no process alive. A clock that moves from deadline to deadline does not
   * move to it. It runs when the clock passes it.
   */
  at(due: number, action: () => void, isInBackground?: boolean): () => void;
}
