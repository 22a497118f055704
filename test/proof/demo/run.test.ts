import type { EventLine } from '../../../proof/demo/events-file';
import type { Options } from '../../../proof/demo/options';
import type { Report } from '../../../proof/demo/report';
import { referenceAssembly } from '../../support/reference-app';
import { runs } from '../../support/scale';
import { ofOrders, runOf } from './runs';

/** Chaos needs so many orders, and a seed, that all of its kinds befall some. */
const ORDERS = runs(15, 25);
const CHAOS = { chaos: true, seed: 4 } as const;

beforeAll(referenceAssembly, 120_000);

function twice(orders: number): EventLine[] {
  return ofOrders(Array.from({ length: orders }, (_, index) => `order-${index}`));
}

async function run(options: Partial<Options>, lines = twice(ORDERS)): Promise<Omit<Report, 'seconds'>> {
  const { seconds, ...counts } = (await runOf(options, lines)).report;
  expect(seconds).toBeGreaterThan(0);
  return counts;
}

describe('a run of the demo', () => {
  test('no faults: three transitions and two writes for each order, a dispatcher and no execution for a duplicate', async () => {
    expect(await run({}, twice(10))).toEqual({
      deliveries: 20,
      keys: 10,
      invalidLines: 0,
      executions: { started: 10, succeeded: 10, failed: 0 },
      businessRuns: 10,
      effects: { provider: 'forgetful', orders: 10, requests: 10, charges: 10, maxPerOrder: 1 },
      duplicates: { byName: 10, byRecord: 0 },
      rejected: {},
      transitions: 30,
      dynamodb: { writes: 20, reads: 10 },
      ok: true,
    });
  }, 60_000);

  test('straight to the workflow: every delivery is an execution, and the record answers duplicates', async () => {
    expect(await run({ via: 'direct' }, twice(10))).toMatchObject({
      executions: { started: 20, succeeded: 20 },
      duplicates: { byName: 0, byRecord: 10 },
      transitions: 30 + 10 * 4,
      ok: true,
    });
  }, 60_000);

  test.each([['events'], ['queue'], ['code'], ['direct']] as const)(
    'chaos, by %s: all done, each order charged once except for interrupted steps, the same in every run',
    async via => {
      const first = await run({ via, ...CHAOS });
      const { effects, chaos } = first;
      const { cutOff = 0, aborted = 0, redriven = 0 } = chaos ?? {};

      expect(first).toMatchObject({ ok: true, effects: { orders: ORDERS } });
      expect(aborted).toBeGreaterThan(cutOff);
      expect(redriven).toBeGreaterThan(0);
      expect(effects.charges).toBeGreaterThan(ORDERS);
      expect(effects.charges).toBeLessThanOrEqual(ORDERS + cutOff);
      expect(await run({ via, ...CHAOS })).toEqual(first);
    },
    120_000,
  );

  test('chaos and a provider that honours the key: each order charged once, however often it was asked', async () => {
    const { effects, chaos } = await run({ ...CHAOS, provider: 'keyed' });

    expect(effects).toMatchObject({ orders: ORDERS, charges: ORDERS, maxPerOrder: 1 });
    expect(effects.requests).toBeGreaterThan(ORDERS);
    expect(effects.requests).toBeLessThanOrEqual(ORDERS + (chaos?.cutOff ?? 0));
  }, 60_000);

  const SEEDS = Number(process.env['ONCEFLOW_SEEDS'] ?? runs(2, 3));
  test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'chaos, each event delivered once, seed %i: recovery alone brings each order to its end',
    async seed => {
      const options = { chaos: true, provider: 'keyed', deliverOnce: true, concurrency: 8 } as const;
      // So many that no seed spares them all.
      const orders = 60;
      const { effects, recovery, deliveries, ok } = await run({ ...options, seed }, twice(orders));

      expect({ deliveries, ok }).toEqual({ deliveries: orders, ok: true });
      expect(effects).toMatchObject({ orders, charges: orders, maxPerOrder: 1 });
      expect(recovery).toMatchObject({ givenUp: 0, unfinished: 0, messages: 0 });
      expect(recovery?.startedBy).toEqual({ events: expect.any(Number), search: 0, delivery: 0 });
      expect(recovery?.startedBy.events).toBeGreaterThan(0);
    },
    120_000,
  );

  test.each(['search', 'delivery'] as const)(
    'chaos, every status change lost: recovery that is started by the %s brings each order to its end',
    async recoveryBy => {
      const options = {
        chaos: true,
        provider: 'keyed',
        deliverOnce: true,
        concurrency: 8,
        recoveryBy,
      } as const;
      const orders = 60;
      const { effects, recovery } = await run({ ...options, seed: 1 }, twice(orders));

      expect(effects).toMatchObject({ orders, charges: orders, maxPerOrder: 1 });
      expect(recovery).toMatchObject({ givenUp: 0, unfinished: 0, messages: 0 });
      const { [recoveryBy]: own, ...others } = recovery?.startedBy ?? { search: 0, delivery: 0 };
      expect(own).toBeGreaterThan(0);
      expect(Object.values(others)).toEqual([0, 0]);
    },
    120_000,
  );

  test('what happened to each order: as many deliveries, stops and charges as are counted, also of a forgetful provider', async () => {
    const { report, stories } = await runOf({ ...CHAOS, provider: 'forgetful' }, twice(ORDERS));
    const marks = stories.flatMap(({ steps }) => steps.map(({ mark }) => mark));
    const count = (wanted: string) => marks.filter(mark => mark === wanted).length;

    expect(stories).toHaveLength(ORDERS);
    expect({ charges: count('charged'), stops: count('killed'), bounced: count('bounced') }).toEqual({
      charges: report.effects.charges,
      stops: report.chaos?.aborted,
      bounced: report.duplicates.byName,
    });
    expect(report.effects.charges).toBeGreaterThan(ORDERS);
    expect(count('repeated')).toBe(0);
  }, 60_000);

  test('chaos and failing steps, many at once: all done, failed claims taken over', async () => {
    const { chaos, effects } = await run({ ...CHAOS, failRate: 0.3, concurrency: 32 });

    expect(effects.orders).toBe(ORDERS);
    expect(chaos?.takeovers).toBeGreaterThan(0);
  }, 60_000);

  test('by code, an event without a key: counted as rejected, as the workflow would reject it', async () => {
    const [line] = twice(1);
    if (line?.kind !== 'event') throw new Error('no event');
    const { orderId: _, ...detail } = line.event.detail;

    const report = await run({ via: 'code' }, [line, { ...line, line: 2, event: { ...line.event, detail } }]);

    expect(report).toMatchObject({
      deliveries: 2,
      executions: { started: 1 },
      rejected: { 'Idempotency.InvalidEvent': 1 },
      ok: true,
    });
  }, 60_000);

  test('steps that fail: delivered again until they are done, each charged once', async () => {
    const { effects, rejected } = await run({ failRate: 0.5, concurrency: 8 }, twice(10));

    expect(effects).toMatchObject({ orders: 10, requests: 10, charges: 10, maxPerOrder: 1 });
    expect(rejected).toHaveProperty('PaymentProviderUnavailable');
  }, 60_000);
});
