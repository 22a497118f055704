/** What failed with one error, or within one hour. */
export interface TallyRow {
  /** An error's name, or the beginning of an hour: `2026-11-20 09:00Z`. */
  readonly name: string;
  /** Records that have failed so, or are held. */
  readonly records: number;
  /** Deliveries that were rejected. */
  readonly deliveries: number;
  /** Epoch milliseconds; null where none says when. */
  readonly oldest: number | null;
  readonly newest: number | null;
}

/** Something that failed. */
export interface Failed {
  readonly error: string;
  readonly at: number | null;
  readonly kind: 'record' | 'delivery';
}

const HOUR_MS = 3_600_000;

/** Counts what failed: by error, the most frequent first; or by the hour, the newest first. */
export function tally(failed: Iterable<Failed>, by: 'error' | 'hour'): readonly TallyRow[] {
  const rows = new Map<string, { -readonly [Name in keyof TallyRow]: TallyRow[Name] }>();
  for (const { error, at, kind } of failed) {
    const name = by === 'error' ? error || 'no error' : hourOf(at);
    const row = rows.get(name) ?? { name, records: 0, deliveries: 0, oldest: at, newest: at };
    rows.set(name, row);
    row[kind === 'record' ? 'records' : 'deliveries'] += 1;
    if (at !== null) {
      row.oldest = Math.min(row.oldest ?? at, at);
      row.newest = Math.max(row.newest ?? at, at);
    }
  }
  const size = ({ records, deliveries }: TallyRow) => records + deliveries;
  return [...rows.values()].sort((one, other) =>
    by === 'hour'
      ? one.name < other.name
        ? 1
        : -1
      : size(other) - size(one) || (one.name < other.name ? -1 : 1),
  );
}

function hourOf(at: number | null): string {
  if (at === null) return 'unknown';
  return new Date(Math.floor(at / HOUR_MS) * HOUR_MS)
    .toISOString()
    .replace('T', ' ')
    .replace(':00.000Z', 'Z');
}
