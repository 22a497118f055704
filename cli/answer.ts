import type { Look } from './render/look';

/** What a command has come to. */
export interface Answer {
  readonly code: number;
  /** For scripts. */
  readonly json: object;
  /** For people. */
  readonly text: (look: Look) => string;
}

/** What a command may do besides answering. */
export interface Desk {
  /** Says how far the work has come; on a terminal only. */
  progress(text: string): void;
  /** Whether there is somebody to ask. */
  readonly isAttended: boolean;
  /** Shows the text and asks. False for anything but a yes. */
  confirm(text: string, question: string): Promise<boolean>;
  /** Reads all of stdin. */
  readInput(): Promise<string>;
}
