import type { Answer, Conversation, Effects, Request } from './conversation';

/** Where a conversation takes place. */
export interface Target {
  /** Whether the app runs elsewhere, in real time. */
  readonly isUrl: boolean;
  /** Why this conversation cannot take place there; undefined where it can. */
  skips(conversation: Conversation): string | undefined;
  /** Opens the app of a conversation, with nothing in its tables or with keys of its own. */
  open(conversation: Conversation): Promise<OpenApp>;
  close(): Promise<void>;
}

/** The app of one conversation. */
export interface OpenApp {
  /** Sends a request; resolves when it is on its way, to its answer. */
  send(request: Request): Promise<{ readonly answer: Promise<Answer> }>;
  /** Waits for answers. */
  answersOf(pending: readonly Promise<Answer>[]): Promise<readonly Answer[]>;
  wait(ms: number): Promise<void>;
  /** The time of the app, in epoch milliseconds. */
  now(): number;
  /** The effects when everything is completed, or undefined if they are not counted. */
  effects(): Promise<Required<Omit<Effects, 'chargesMin' | 'chargesMax'>> | undefined>;
  close(): Promise<void>;
}

/** The target of a request: its path is beneath the stage, and that of a location has the stage in it. */
export function urlOf(path: string, base: URL): URL {
  return path.startsWith(base.pathname) ? new URL(path, base) : new URL(path.replace(/^\//, ''), base);
}
