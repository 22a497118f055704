import { isJsonObject, type Json } from '../../json/json';
import type { EventEntry } from './event';

/** AWS's bound on the entries of one request. */
const ENTRIES_MAX = 10;

/** AWS's bound on all entries of one request together, in bytes. */
const REQUEST_BYTES_MAX = 1024 * 1024;

/** What a `Time` counts, in bytes, however it is written. */
const TIME_BYTES = 14;

/** A `Time` outside these is in the wrong unit (milliseconds for seconds) and has no ISO 8601 form. */
const TIME_MIN_MS = Date.UTC(1970, 0, 1);
const TIME_MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The entries of a request, or the error the whole request fails with. */
export type PutEventsRequest =
  | { readonly kind: 'entries'; readonly entries: readonly EventEntry[] }
  | {
      readonly kind: 'rejected';
      readonly error: 'SerializationException' | 'ValidationException';
      readonly message: string;
    };

/**
 * Reads the body of a PutEvents request.
 *
 * Rejects as a whole what AWS rejects as a whole: members of the wrong type, no entry or more than ten, more than 1
 * MB. `formEvent` judges single entries. `Time` is epoch seconds or an ISO 8601 string.
 */
export function readPutEvents(request: Json): PutEventsRequest {
  const listed = isJsonObject(request) ? request['Entries'] : undefined;
  if (listed === undefined || listed === null) return constraint('null', 'Member must not be null');
  if (!Array.isArray(listed)) return wrongType('Entries', 'a list');

  const entries: EventEntry[] = [];
  for (const [index, entry] of listed.entries()) {
    const read = readEntry(entry, `Entries[${index}]`);
    if (read.kind === 'rejected') return read;
    entries.push(read.entry);
  }
  if (entries.length === 0) return constraint('[]', 'Member must have length greater than or equal to 1');
  if (entries.length > ENTRIES_MAX)
    return constraint(
      `[${entries.length} entries]`,
      `Member must have length less than or equal to ${ENTRIES_MAX}`,
    );
  const bytes = entries.reduce((sum, entry) => sum + entryBytes(entry), 0);
  if (bytes > REQUEST_BYTES_MAX) {
    const message = 'Total size of the entries in the request is over the limit.';
    return { kind: 'rejected', error: 'ValidationException', message };
  }
  return { kind: 'entries', entries };
}

type Rejected = Extract<PutEventsRequest, { readonly kind: 'rejected' }>;
type ReadEntry = { readonly kind: 'entry'; readonly entry: EventEntry } | Rejected;

const TEXT_MEMBERS = ['Source', 'DetailType', 'Detail', 'EventBusName'] as const;

function readEntry(entry: Json, where: string): ReadEntry {
  if (!isJsonObject(entry)) return wrongType(where, 'an object');
  for (const member of TEXT_MEMBERS) {
    const value = entry[member] ?? null;
    if (value !== null && typeof value !== 'string') return wrongType(`${where}.${member}`, 'a string');
  }
  const resources = entry['Resources'] ?? [];
  if (!Array.isArray(resources) || !resources.every(resource => typeof resource === 'string'))
    return wrongType(`${where}.Resources`, 'a list of strings');
  const time = entry['Time'] ?? null;
  const timeMs = time === null ? undefined : epochMs(time);
  if (timeMs !== undefined && !(timeMs >= TIME_MIN_MS && timeMs <= TIME_MAX_MS))
    return wrongType(`${where}.Time`, 'epoch seconds or an ISO 8601 time');

  return {
    kind: 'entry',
    entry: {
      ...text('source', entry['Source']),
      ...text('detailType', entry['DetailType']),
      ...text('detail', entry['Detail']),
      ...text('eventBusName', entry['EventBusName']),
      ...(timeMs === undefined ? {} : { time: timeMs }),
      resources,
    },
  };
}

function text<Name extends keyof EventEntry>(name: Name, value: Json | undefined): { [N in Name]?: string } {
  return typeof value === 'string' ? ({ [name]: value } as { [N in Name]?: string }) : {};
}

/** NaN for a value that is not a time. */
function epochMs(time: Json): number {
  if (typeof time === 'number') return time * 1_000;
  const isIso = typeof time === 'string' && /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d))?$/.test(time);
  return isIso ? Date.parse(time) : Number.NaN;
}

/** The size AWS documents for an entry: contents only, names and punctuation are free. */
function entryBytes(entry: EventEntry): number {
  const texts = [entry.source, entry.detailType, entry.detail, ...(entry.resources ?? [])];
  const bytes = texts.reduce((sum, part) => sum + Buffer.byteLength(part ?? ''), 0);
  return entry.time === undefined ? bytes : bytes + TIME_BYTES;
}

function wrongType(where: string, expected: string): Rejected {
  return { kind: 'rejected', error: 'SerializationException', message: `${where} must be ${expected}` };
}

function constraint(value: string, rule: string): Rejected {
  const message = `1 validation error detected: Value '${value}' at 'entries' failed to satisfy constraint: ${rule}`;
  return { kind: 'rejected', error: 'ValidationException', message };
}
