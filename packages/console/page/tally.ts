import type { KeyHealth, KeyRow } from '../views';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** How many rows stand so, and when the oldest got its status. */
export interface Count {
  readonly count: number;
  readonly oldest: number | null;
}

/** Counts rows by a name of each, the most frequent first. A row of several deliveries counts each of them. */
export function counted<Name extends string>(
  rows: readonly KeyRow[],
  nameOf: (row: KeyRow) => Name,
): ReadonlyMap<Name, Count> {
  const counts = new Map<Name, Count>();
  for (const row of rows) {
    const name = nameOf(row);
    const before = counts.get(name);
    const oldest = before === undefined ? row.since : Math.min(before.oldest ?? 0, row.since ?? 0) || null;
    counts.set(name, { count: (before?.count ?? 0) + row.count, oldest });
  }
  return new Map([...counts].sort(([, one], [, other]) => other.count - one.count));
}

/** What a bar of the chart is made of, from its foot. */
export const SERIES = [
  { words: 'completed', tone: 'good', of: ['completed', 'expired'] },
  { words: 'rejected', tone: 'none', of: ['rejected'] },
  { words: 'failed or held', tone: 'bad', of: ['failed', 'held'] },
] as const satisfies readonly {
  readonly words: string;
  readonly tone: string;
  readonly of: readonly KeyHealth[];
}[];

/** A stretch of time, and how many rows of each series got their status in it. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly counts: readonly number[];
}

const BINS = 48;

/** The rows that have ended, over equal stretches of the time from `from`, which is an hour at least, until `to`. */
export function binsOf(rows: readonly KeyRow[], from: number, to: number): readonly Bin[] {
  const begin = Math.min(from, to - HOUR_MS);
  const width = (to - begin) / BINS;
  const counts = Array.from({ length: BINS }, () => SERIES.map(() => 0));
  for (const { health, since, count } of rows) {
    const series = SERIES.findIndex(({ of }) => (of as readonly KeyHealth[]).includes(health));
    const bin = counts[Math.min(BINS - 1, Math.floor(((since ?? 0) - begin) / width))];
    if (bin !== undefined && series !== -1) bin[series] = (bin[series] ?? 0) + count;
  }
  return counts.map((bin, index) => ({
    from: begin + index * width,
    to: begin + (index + 1) * width,
    counts: bin,
  }));
}
