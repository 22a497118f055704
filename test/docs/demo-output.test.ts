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
  effects: { provider: 'forgetful', orders: 300, requests: 300, charges: 300, maxPerOrder: 1 },
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
  deliveries: 1004,
  executions: { started: 438, succeeded: 292, failed: 146 },
  businessRuns: 311,
  effects: { provider: 'keyed', orders: 300, requests: 311, charges: 300, maxPerOrder: 1 },
  duplicates: { byName: 566, byRecord: 0 },
  refused: { 'Idempotency.InProgress': 92, 'Idempotency.MissingKey': 9, 'Idempotency.PayloadMismatch': 22 },
  transitions: 1551,
  dynamodb: { writes: 740, reads: 773 },
  chaos: { aborted: 58, redriven: 35, takenOver: 0, cutOff: 11 },
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
