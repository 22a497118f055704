/** What the runtime knows of time. Times are epoch milliseconds. */
export interface Clock {
  now(): number;
  /** Runs `action` once when `due` has come (at once if it has passed). Returns a function that cancels it. */
  at(due: number, action: () => void): () => void;
}
