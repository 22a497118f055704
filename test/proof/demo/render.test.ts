import { renderReport } from '../../../proof/demo/render';
import type { Report } from '../../../proof/demo/report';

const REPORT: Report = {
  deliveries: 4,
  keys: 2,
  invalidLines: 0,
  executions: { started: 3, succeeded: 2, failed: 1 },
  businessRuns: 2,
  effects: { provider: 'forgetful', orders: 2, requests: 2, charges: 2, maxPerOrder: 1 },
  duplicates: { byName: 1, byRecord: 1 },
  rejected: { A: 1, B: 2 },
  transitions: 9,
  dynamodb: { writes: 4, reads: 1 },
  seconds: 1.5,
  ok: true,
};
const AGAIN = { provider: 'forgetful', orders: 2, requests: 3, charges: 3, maxPerOrder: 2 } as const;
const CHAOS = { aborted: 1, redriven: 1, takeovers: 0, cutOff: 1 };

describe('the report of the demo', () => {
  test('every order once: a table and the verdict', () => {
    expect(renderReport(REPORT, 9.2)).toBe(
      [
        '  deliveries          4',
        '  keys                2',
        '  executions          3 started, 2 succeeded, 1 failed',
        '  business runs       2',
        '  effects             2 orders, 2 charges, at most 1 per order',
        '  duplicates          1 stopped by name, 1 answered by the record',
        '  rejected            1 A',
        '                      2 B',
        '  billed transitions  9',
        '  DynamoDB            4 writes, 1 reads',
        '  time                9.2 s, of them 1.5 s for the deliveries',
        '',
        'ok: every order with a valid key and payload has exactly one charge',
        '',
      ].join('\n'),
    );
  });

  test('a step that was cut off, and a provider that honours the key: asked again, charged once', () => {
    const effects = { provider: 'keyed', orders: 2, requests: 3, charges: 2, maxPerOrder: 1 } as const;
    const text = renderReport({ ...REPORT, chaos: CHAOS, effects }, 9);

    expect(text).toContain(
      '  effects             2 orders, 2 charges, at most 1 per order; 1 more request, where the step was cut off\n',
    );
    expect(text).toMatch(/made for the key\. [\s\S]*\n\nok: .* has exactly one charge\n$/);
  });

  test('a step that was cut off: said before the charges, and the verdict does not contradict them', () => {
    const text = renderReport({ ...REPORT, chaos: CHAOS, effects: AGAIN }, 9);

    expect(text).toContain(
      [
        '  chaos               1 execution stopped, 1 redriven, 0 taken over',
        '  step cut off        1 time between its call and its recorded answer',
        '  effects             2 orders, 3 charges: 1 charge more, where the step was cut off',
      ].join('\n'),
    );
    expect(text).toMatch(/\n\nok: .* has a charge, and exactly one if its step was not interrupted\n$/);
  });

  test('each event once: what recovery did, and what is left', () => {
    const startedBy = { events: 3, search: 0, delivery: 2 };
    const recovery = { startedBy, deliveries: 1, givenUp: 0, unfinished: 0, messages: 2 };

    expect(renderReport({ ...REPORT, recovery }, 9)).toContain(
      [
        '  recovery            started 3 by events, 0 by the search, 2 by deliveries',
        '                      1 delivery of its own, 0 given up',
        '  left                0 unfinished records, 2 messages in queues',
      ].join('\n'),
    );
  });

  test('an order too many: not ok', () => {
    const wrong = { ...REPORT, ok: false, effects: AGAIN };

    const text = renderReport(wrong, 9);

    expect(text).toContain('2 orders, 3 charges, at most 2 per order');
    expect(text).toContain('\n\nNOT ok: an order was charged too often');
  });
});
