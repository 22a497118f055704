import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PRICES } from '../../../cli/program/prices';
import { renderReport } from '../../../proof/bench/render';
import { type Cells, frontDoorCells, latencyCells, waitCells } from '../../../proof/bench/sources/cells';
import { sourceCounts } from '../../../proof/bench/sources/source-bench';
import { synthesizeSources } from '../../../proof/bench/sources/stack';
import { READS_AT_ONCE } from '../../../state-machine/front-door/front-door-states';
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

  test('docs/guide/latency.md: requests by HTTP', () => {
    const { written, counted } = tableOf('latency.md', waitCells(counts.waits));
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
    });
    expect(fresh?.workflow).toEqual(fresh?.direct);
    expect(fresh?.workflow).toEqual({ transitions: 3, writes: 2, reads: 0, stepRuns: 1 });
  });
});

describe('the reads of the front door', () => {
  const more = (request: string, before: number) =>
    (counts.frontDoor.find(row => row.request === request)?.dollars.frontDoor ?? Number.NaN) - before;

  test('those at once: with the first one $1.50 for a million requests, and not one more', () => {
    const dollars = (1 + READS_AT_ONCE) * (PRICES.readRequestUnit / 2) * 1e6;

    expect(dollars).toBeCloseTo(1.5, 9);
  });

  test('beside the seven reads of growing waits, $5.77 and $26.42: a quick step is cheaper, none costs $1.50 more', () => {
    expect(more('fresh', 5.77)).toBeLessThan(0);
    expect(more('fresh, a step of 25 s', 26.42)).toBeLessThan(1.5);
  });

  test('a step up to half a second: at most 50 ms idle; beyond it at most a second', () => {
    for (const { stepMs, idleMs } of counts.waits) {
      expect(idleMs).toBeGreaterThanOrEqual(0);
      expect(idleMs).toBeLessThanOrEqual(stepMs <= 500 ? 50 : 1050);
    }
  });

  test('a step of 0.1 s: gateway, front door, start, claim, finalize, and one read behind it', () => {
    const fresh = counts.latency.find(({ delivery }) => delivery === 'HTTP: fresh');

    expect(fresh?.total.sequence).toEqual(['request', 'front door', 'start', 'claim', 'finalize', 'read']);
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

  const tables = [...latencyCells(counts.latency), waitCells(counts.waits), frontDoorCells(counts.frontDoor)];
  const heads = lines.filter(line => line.startsWith(' '.repeat('  (sources)  '.length)));
  expect(heads.map(line => line.trim().split('  ')[0])).toEqual(tables.map(cells => cells[0]?.[0]));
  expect(lines.filter(line => line.startsWith('  (sources)  '))).toHaveLength(
    tables.flat().length - tables.length,
  );
});
