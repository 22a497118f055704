import type { EventLine } from '../../../proof/demo/events-file';
import type { Options } from '../../../proof/demo/options';
import { type Judged, runOn } from '../../../proof/demo/run';
import { referenceAssembly } from '../../support/reference-app';

const DEFAULTS: Options = {
  events: 'events.jsonl',
  via: 'events',
  seed: 1,
  concurrency: 1,
  failRate: 0,
  chaos: false,
  deliverOnce: false,
  recoveryBy: 'events',
  provider: 'forgetful',
  assembly: undefined,
  html: undefined,
  console: false,
  json: true,
};

/** Each order twice: first all of them, then all of them again. */
export function ofOrders(orderIds: readonly string[]): EventLine[] {
  return [...orderIds, ...orderIds].map((orderId, index) => ({
    kind: 'event',
    line: index + 1,
    event: {
      version: '0',
      id: `event-${index}`,
      source: 'shop.orders',
      'detail-type': 'OrderPlaced',
      account: '111111111111',
      time: '2026-11-20T09:00:00Z',
      region: 'us-east-1',
      resources: [],
      detail: { orderId, amount: 12.5, currency: 'EUR' },
    },
  }));
}

/** A run of the reference app that is as it should be, with these options and without any output. */
export async function runOf(options: Partial<Options>, lines: readonly EventLine[]): Promise<Judged> {
  const judged = await runOn(await referenceAssembly(), {
    options: { ...DEFAULTS, ...options },
    lines,
    progress: { begin: () => undefined, show: () => undefined, clear: () => undefined },
    complain: ({ message }) => {
      throw new Error(message);
    },
    signal: new AbortController().signal,
  });
  expect(judged.wrong).toEqual([]);
  return judged;
}
