import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PRICES } from '../../../cli/program/prices';
import { renderReport } from '../../../proof/bench/render';
import {
  type Cells,
  deliveryCells,
  frontDoorCells,
  latencyCells,
  waitCells,
} from '../../../proof/bench/sources/cells';
import { sourceCounts } from '../../../proof/bench/sources/source-bench';
import { synthesizeSources } from '../../../proof/bench/sources/stack';
import { READS_AT_ONCE } from '../../../state-machine/front-door/front-door-states';
import { newDirectory } from '../../support/shared';

const GUIDE = path.join(__dirname, '../../../docs/guide');

let counts: Awaited<ReturnType<typeof sourceCounts>>;
beforeAll(async () => {
  counts = await sourceCounts(synthesizeSources(newDirectory()));
}, 60_000);

/** What a million deliveries cost by a source. */
function dollarsOf(source: string) {
  const row = counts.bySource.find(({ delivery }) => delivery === source);
  if (row === undefined) throw new Error(`the bench does not count ${source}`);
  return row;
}

/** The table of a page that begins with this head; with UPDATE_DOCS=1 it is written. */
function tableOf(page: string, cells: Cells): { readonly written: string; readonly counted: string } {
  const file = path.join(GUIDE, page);
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

  test('docs/guide/costs.md: deliveries by source', () => {
    const { written, counted } = tableOf('costs.md', deliveryCells(counts.bySource));
    expect(written).toBe(counted);
  });

  test('docs/guide/http.md and express.md: the cost of requests to an Express workflow', () => {
    const { fresh, duplicate } = dollarsOf('Express, HTTP');
    const [http, express] = ['http.md', 'express.md'].map(page =>
      readFileSync(path.join(GUIDE, page), 'utf8'),
    );
    expect(http).toContain(`$${fresh.toFixed(2)} and $${duplicate.toFixed(2)}`);
    expect(express).toContain(`$${fresh.toFixed(2)}`);
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

describe('deliveries by source, in dollars a million', () => {
  test('a custom event bus: what a classic one costs, and less in batches of ten', () => {
    const [one, tens] = [dollarsOf('custom event bus'), dollarsOf('custom event bus, batches of 10')];

    expect(one.fresh).toBeCloseTo(77.46, 2);
    expect(tens.fresh).toBeLessThan(one.fresh - 1);
    expect(tens.duplicate).toBeLessThan(one.duplicate / 2);
  });

  test('a request to an Express workflow costs a tenth of one to a Standard workflow, and more than a guard', () => {
    expect(dollarsOf('Express, HTTP').fresh).toBeLessThan(dollarsOf('HTTP').fresh / 9);
    expect(dollarsOf('HTTP, a lock table in the function').fresh).toBeLessThan(
      dollarsOf('Express, HTTP').fresh,
    );
  });

  test('an Express workflow behind a custom event bus: its dispatcher costs below $1.80, in batches of ten $0.20', () => {
    const directly = 2.77;

    expect(dollarsOf('Express, custom event bus').fresh - directly).toBeLessThan(1.8);
    expect(dollarsOf('Express, custom event bus, batches of 10').fresh - directly).toBeLessThan(0.2);
  });

  test('an Express workflow by HTTP: the time that neither step nor calls take does not grow with the step', () => {
    expect(new Set(counts.waits.map(({ express }) => express.idleMs))).toEqual(new Set([20]));
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

  const tables = [
    ...latencyCells(counts.latency),
    waitCells(counts.waits),
    deliveryCells(counts.bySource),
    frontDoorCells(counts.frontDoor),
  ];
  const heads = lines.filter(line => line.startsWith(' '.repeat('  (sources)  '.length)));
  expect(heads.map(line => line.trim().split('  ')[0])).toEqual(tables.map(cells => cells[0]?.[0]));
  expect(lines.filter(line => line.startsWith('  (sources)  '))).toHaveLength(
    tables.flat().length - tables.length,
  );
});
