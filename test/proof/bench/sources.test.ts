import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderReport } from '../../../proof/bench/render';
import { type Cells, frontDoorCells, latencyCells } from '../../../proof/bench/sources/cells';
import { sourceCounts } from '../../../proof/bench/sources/source-bench';
import { synthesizeSources } from '../../../proof/bench/sources/stack';
import { newDirectory } from '../../support/shared';

let counts: Awaited<ReturnType<typeof sourceCounts>>;
beforeAll(async () => {
  counts = await sourceCounts(synthesizeSources(newDirectory()));
}, 60_000);

/** The table of a page that begins with this head; with UPDATE_DOCS=1 it is written. */
function tableOf(page: string, cells: Cells): { readonly written: string; readonly counted: string } {
  const file = path.join(__dirname, '../../../docs/guide', page);
  const lines = cells.map(row => `| ${row.join(' | ')} |`);
  const [head = '', ...rows] = lines;
  const counted = [head, `|${'---|'.repeat(cells[0]?.length ?? 0)}`, ...rows].join('\n');
  const text = readFileSync(file, 'utf8');
  const begin = `| ${cells[0]?.[0]} |`;
  const written = text.split('\n\n').find(part => part.startsWith(begin)) ?? '';
  if (process.env['UPDATE_DOCS'] === '1')
    writeFileSync(
      file,
      text.replace(written, () => counted),
    );
  return { written, counted };
}

describe('the guide has what the bench counts (UPDATE_DOCS=1 writes it)', () => {
  test.each([0, 1] as const)('docs/guide/latency.md: table %d', index => {
    const { written, counted } = tableOf('latency.md', latencyCells(counts.latency)[index]);
    expect(written).toBe(counted);
  });

  test('docs/guide/costs.md: requests by HTTP', () => {
    const { written, counted } = tableOf('costs.md', frontDoorCells(counts.frontDoor));
    expect(written).toBe(counted);
  });
});

describe('a request by HTTP', () => {
  test('takes not one transition, write or run of the step more than the same delivery without it', () => {
    const compared = counts.frontDoor.flatMap(({ workflow, direct }) =>
      direct ? [{ workflow, direct }] : [],
    );

    expect(compared).toHaveLength(5);
    for (const { workflow, direct } of compared) {
      expect(workflow.transitions).toBeLessThanOrEqual(direct.transitions);
      expect(workflow.writes).toBeLessThanOrEqual(direct.writes);
      expect(workflow.stepRuns).toBe(direct.stepRuns);
    }
  });

  test('that is new, beside a direct start: the same transitions, writes and runs of the step', () => {
    const [fresh] = counts.frontDoor;

    expect(fresh).toMatchObject({
      request: 'fresh',
      apiRequests: 1,
      expressExecutions: 1,
      starts: 1,
      reads: 1,
    });
    expect(fresh?.workflow).toEqual(fresh?.direct);
    expect(fresh?.workflow).toEqual({ transitions: 3, writes: 2, reads: 0, stepRuns: 1 });
  });
});

test('the report: a table of the calls until the step, one of all of them, one of requests', () => {
  const report = {
    node: '20.1.0',
    cpus: '2 x Some',
    rows: [],
    costs: [],
    dollars: [],
    ratios: [],
    notMeasured: [],
    wallSeconds: 1,
  };
  const lines = renderReport({ ...report, ...counts }).split('\n');

  const tables = [...latencyCells(counts.latency), frontDoorCells(counts.frontDoor)];
  const heads = lines.filter(line => line.startsWith(' '.repeat('  (sources)  '.length)));
  expect(heads.map(line => line.trim().split('  ')[0])).toEqual(tables.map(cells => cells[0]?.[0]));
  expect(lines.filter(line => line.startsWith('  (sources)  '))).toHaveLength(
    tables.flat().length - tables.length,
  );
});
