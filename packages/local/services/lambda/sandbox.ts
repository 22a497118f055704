import type { InvokeMessage, WorkerMessage } from './worker/messages';

/** What a handler runs in: a thread or a process that takes one event after the other. */
export interface Sandbox {
  /** Sends an event; only after it has said `loaded`, and has answered the previous one. */
  send(message: InvokeMessage): void;
  /** Stops it wherever it is. Resolves when it is gone. */
  terminate(): Promise<unknown>;
}

/** How a sandbox has ended: with an exit code, by a signal, or because its memory was full. */
export type SandboxEnd = number | NodeJS.Signals | 'outOfMemory';

/** Who listens to a sandbox. */
export interface SandboxEvents {
  said(message: WorkerMessage): void;
  /** It is gone, and all it said has been heard. */
  ended(end: SandboxEnd): void;
}

/** Output captured per invocation, in characters: plenty to read, and a bound for a loop that prints. */
export const OUTPUT_CHARACTERS_MAX = 1_048_576;
