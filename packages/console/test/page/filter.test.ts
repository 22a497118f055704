import { NO_FILTER } from '../../page/address';
import { filtered } from '../../page/filter';
import type { KeyRow } from '../../views';

const ROWS = 20_000;

/** Rows that count how often a text of them is read. */
function countingRows(): { readonly rows: readonly KeyRow[]; readonly reads: () => number } {
  let reads = 0;
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const row = {
      workflow: 'w',
      executionArn: null,
      health: 'completed' as const,
      count: 1,
      why: '',
      attempt: 1,
      since: 0,
      owner: `owner-${index}`,
      error: '',
    };
    return {
      ...row,
      get key() {
        reads += 1;
        return `order-${index}`;
      },
    };
  });
  return { rows, reads: () => reads };
}

test('a search through 20,000 rows reads each key once, and those that it finds twice more', () => {
  const { rows, reads } = countingRows();

  const found = filtered(rows, { ...NO_FILTER, search: 'ORDER-1999' });

  expect(found.map(({ owner }) => owner).slice(0, 2)).toEqual(['owner-1999', 'owner-19990']);
  expect(found).toHaveLength(11);
  expect(reads()).toBeLessThanOrEqual(ROWS + 2 * found.length);
});

test('a chip and an error read no text of the rows', () => {
  const { rows, reads } = countingRows();

  expect(filtered(rows, { ...NO_FILTER, health: 'failed' })).toEqual([]);
  expect(reads()).toBe(0);
});
