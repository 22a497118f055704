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
  rejected: { 'Idempotency.InvalidEvent': 9, 'Idempotency.PayloadMismatch': 22 },
  transitions: 1024,
  dynamodb: { writes: 622, reads: 609 },
  seconds: 8.1,
  ok: true,
};
const DEMO_SECONDS = 25;

/** The same of `npm run demo -- --chaos --seed 1`. */
const CHAOS: Report = {
  ...DEMO,
  deliveries: 1011,
  executions: { started: 398, succeeded: 289, failed: 109 },
  businessRuns: 314,
  effects: { provider: 'keyed', orders: 300, requests: 314, charges: 300, maxPerOrder: 1 },
  duplicates: { byName: 613, byRecord: 0 },
  rejected: {
    'Idempotency.InProgress': 57,
    'Idempotency.InvalidEvent': 9,
    'Idempotency.PayloadMismatch': 20,
  },
  transitions: 1311,
  dynamodb: { writes: 703, reads: 899 },
  chaos: { aborted: 64, redriven: 41, takeovers: 0, cutOff: 14 },
};

/** Reads differ by a few from run to run: a document says tens. */
function about(reads: string): string {
  return `about ${Math.round(Number(reads) / 10) * 10}`;
}

describe("the demo's output", () => {
  test.each([
    ['README.md', DEMO],
    ['docs/proof/demo.md', CHAOS],
  ])('%s shows it as the program prints it', (path, report) => {
    const { blocks } = parsePage(path, readIfThere(path) ?? '');
    const output = blocks.find(({ language }) => language === 'text')?.lines.join('\n');

    expect(`${output}\n`).toBe(renderReport(report, DEMO_SECONDS).replace(/\d+(?= reads)/, about));
  });
});
