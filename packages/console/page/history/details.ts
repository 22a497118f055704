import type { HistoryEvent } from '../../views';

/** What an event says: it has one member that ends in `EventDetails`, at most. */
export function detailsOf(event: HistoryEvent): Readonly<Record<string, unknown>> {
  for (const [name, value] of Object.entries(event)) {
    if (name.endsWith('EventDetails') && typeof value === 'object' && value !== null) {
      return value as Readonly<Record<string, unknown>>;
    }
  }
  return {};
}

/** Those members of a value that are texts: a file may have others. */
export function textsIn(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
