import { codeEntry } from './code';
import { directEntry } from './direct';
import type { Entry, EntryContext } from './entry';
import { eventsEntry } from './events';
import { queueEntry } from './queue';

/** The ways in, by the name that `--via` takes. */
export const ENTRIES = {
  events: eventsEntry,
  queue: queueEntry,
  direct: directEntry,
  code: codeEntry,
} as const satisfies Record<string, (context: EntryContext) => Entry>;

/** The name of a way in. */
export type Via = keyof typeof ENTRIES;

/** The way in of this name; undefined where there is none. */
export function viaOf(name: string): Via | undefined {
  return Object.hasOwn(ENTRIES, name) ? (name as Via) : undefined;
}
