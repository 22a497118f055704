import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AWS_SAMPLES } from '../../../proof/bench/cost/aws-samples';
import type { CostRow } from '../../../proof/bench/cost/cost';
import { costsOfDeliveries } from '../../../proof/bench/cost/deliveries';
import { dollarRows } from '../../../proof/bench/cost/dollars';
import { referenceAssembly } from '../../support/reference-app';

const PAGE = readFileSync(path.join(__dirname, '../../../docs/guide/costs.md'), 'utf8');

describe('dollars for a million deliveries', () => {
  test('by list prices: without the invocation that is the step, a duplicate that of a finished one', () => {
    const nothing = {
      transitions: 0,
      expressExecutions: 0,
      writes: 0,
      reads: 0,
      describeExecutions: 0,
      awaitedInFunction: 0,
      logBytes: 0,
    };
    const rows: CostRow[] = [
      { what: 'a', delivery: 'fresh', ...nothing, transitions: 3, writes: 2, invocations: 1 },
      { what: 'a', delivery: 'duplicate of a running key', ...nothing, transitions: 4, invocations: 0 },
      { what: 'a', delivery: 'duplicate of a finished one', ...nothing, reads: 4, invocations: 0 },
    ];

    expect(dollarRows(rows)).toEqual([
      {
        what: 'a',
        fresh: 76.25,
        duplicate: 0.5,
        mixed: [
          { percent: 0, dollars: 76.25 },
          { percent: 5, dollars: 72.46 },
          { percent: 50, dollars: 38.38 },
        ],
      },
    ]);
  });

  test('half of a comparison: no row', () => {
    expect(dollarRows(AWS_SAMPLES.slice(0, 1))).toEqual([]);
  });

  test('docs/guide/costs.md: what the counts come to', async () => {
    const rows = dollarRows([...(await costsOfDeliveries(await referenceAssembly())), ...AWS_SAMPLES]);

    expect(rows).toHaveLength(4);
    for (const { what, fresh, duplicate, mixed } of rows) {
      const sums = [fresh, duplicate, ...mixed.map(({ dollars }) => dollars)].map(sum => sum.toFixed(2));
      expect(PAGE).toContain(`| ${[what, ...sums].join(' | ')} |`);
    }
  });
});
