import { renderReport } from '../../proof/demo/render';
import type { Report } from '../../proof/demo/report';
import { parsePage, readIfThere } from './page';

/** What `npm run demo` has printed; only the times, and which duplicates needed a read, differ from run to run. */
const DEMO: Report = {
  deliveries: 954,
  keys: 300,
  invalidLines: 0,
  executions: { started: 331, succeeded: 300, failed: 31 },
  businessRuns: 300,
  effects: { orders: 300, charges: 300, maxPerOrder: 1 },
  duplicates: { byName: 623, byRecord: 0 },
  refused: { 'Idempotency.MissingKey': 9, 'Idempotency.PayloadMismatch': 22 },
  transitions: 1015,
  dynamodb: { writes: 622, reads: 622 },
  seconds: 8.1,
  ok: true,
};
const DEMO_SECONDS = 25;

/** The same of `npm run demo -- --chaos --seed 1`. */
const CHAOS: Report = {
  ...DEMO,
  deliveries: 999,
  executions: { started: 396, succeeded: 286, failed: 110 },
  businessRuns: 306,
  effects: { orders: 300, charges: 306, maxPerOrder: 2 },
  duplicates: { byName: 603, byRecord: 0 },
  refused: { 'Idempotency.InProgress': 52, 'Idempotency.MissingKey': 9, 'Idempotency.PayloadMismatch': 20 },
  transitions: 1407,
  dynamodb: { writes: 695, reads: 722 },
  chaos: { aborted: 56, redriven: 27, takenOver: 0, cutOff: 6 },
};

describe("the demo's output", () => {
  test.each([
    ['README.md', DEMO],
    ['docs/proof/demo.md', CHAOS],
  ])('%s shows it as the program prints it', (path, report) => {
    const { blocks } = parsePage(path, readIfThere(path) ?? '');
    const output = blocks.find(({ language }) => language === 'text')?.lines.join('\n');

    expect(`${output}\n`).toBe(renderReport(report, DEMO_SECONDS));
  });
});
