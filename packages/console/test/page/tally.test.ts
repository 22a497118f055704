import { binsOf, counted, DAY_MS, SERIES } from '../../page/tally';
import type { KeyHealth, KeyRow } from '../../views';

const NOW = Date.UTC(2026, 10, 20, 9);

function row(health: KeyHealth, since: number | null, count = 1): KeyRow {
  return {
    workflow: 'Orders',
    key: 'k',
    executionArn: null,
    health,
    count,
    why: '',
    attempt: 1,
    since,
    owner: '',
    error: '',
  };
}

describe('counts of rows', () => {
  test('each name with its number and its oldest, the most frequent first; deliveries of a row are counted', () => {
    const rows = [row('failed', 5), row('rejected', 9, 3), row('failed', 2), row('held', null)];

    expect([...counted(rows, ({ health }) => health)]).toEqual([
      ['rejected', { count: 3, oldest: 9 }],
      ['failed', { count: 2, oldest: 2 }],
      ['held', { count: 1, oldest: null }],
    ]);
  });
});

describe('the chart', () => {
  const total = (rows: readonly KeyRow[], from = NOW - DAY_MS) =>
    SERIES.map((_, index) =>
      binsOf(rows, from, NOW).reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0),
    );

  test('every ended row is in one bar, those at both edges too; running rows and older ones are in none', () => {
    const edges = [row('completed', NOW - DAY_MS), row('completed', NOW), row('failed', NOW - 1)];

    expect(total([...edges, row('held', NOW - 5), row('rejected', NOW - 9, 4)])).toEqual([2, 4, 2]);
    expect(total([row('inProgress', NOW), row('completed', NOW - DAY_MS - 1), row('failed', null)])).toEqual([
      0, 0, 0,
    ]);
  });

  test('a bar spans an hour in all at least, and bars follow each other without a gap', () => {
    const bins = binsOf([], NOW, NOW);

    expect((bins.at(-1)?.to ?? 0) - (bins[0]?.from ?? 0)).toBe(3_600_000);
    for (const [index, { from }] of bins.entries()) expect(from).toBe(bins[index - 1]?.to ?? bins[0]?.from);
  });
});
