import { directEntry } from './direct';
import type { Entry, EntryContext } from './entry';
import { eventsEntry } from './events';

/** The ways in, by the name that `--via` takes; those without a function are not there yet. */
export const ENTRIES = {
  events: eventsEntry,
  queue: undefined,
  direct: directEntry,
  code: undefined,
} as const satisfies Record<string, ((context: EntryContext) => Entry) | undefined>;

/** The name of a way in that is there. */
export type Via = {
  [Name in keyof typeof ENTRIES]: (typeof ENTRIES)[Name] extends undefined ? never : Name;
}[keyof typeof ENTRIES];

/** What a name says: a way in, one that is not there yet, or nothing. */
export function viaOf(name: string): Via | 'not there yet' | undefined {
  if (!Object.hasOwn(ENTRIES, name)) return undefined;
  return ENTRIES[name as keyof typeof ENTRIES] === undefined ? 'not there yet' : (name as Via);
}
