import type { EventEnvelope } from '@onceflow/local';
import { ASSUMED_MS, type Calls, millisecondsOf } from './calls';
import type { Counted, CountedStack } from './counted-stack';
import { answered, ordered } from './requests';
import { CUSTOM } from './stack';

/** What one delivery waits for, and what that comes to. */
export interface LatencyRow {
  readonly delivery: string;
  /** The calls before the step begins; undefined if the step does not run. */
  readonly beforeStep: LatencyCalls | undefined;
  /** All calls without those of the step: by HTTP until the answer, otherwise until nothing is left to do. */
  readonly total: LatencyCalls;
}

/** Calls in a row, with the milliseconds that they come to. */
export interface LatencyCalls extends Calls {
  readonly milliseconds: number;
}

/** A delivery of an order by one source; resolves when nothing of it is left to be done. */
type Deliver = (orderId: string) => Promise<unknown>;

/** The calls of deliveries by each source: fresh, its duplicate, and one that takes a failed step over. */
export async function latencyRows(stack: CountedStack): Promise<LatencyRow[]> {
  const rows: LatencyRow[] = [];
  for (const [source, deliver] of Object.entries(sourcesOf(stack))) {
    const add = async (delivery: string, orderId: string) => {
      const counted = await stack.counted(() => deliver(orderId));
      rows.push(rowOf(`${source}: ${delivery}`, counted, source.endsWith('HTTP')));
    };
    await add('fresh', `${source}-1`);
    await add('its duplicate', `${source}-1`);
    // This bus delivers what has failed again, before another event could take it over.
    if (source === 'Express, custom event bus') continue;
    // A schedule's key is its time.
    await stack.place.wait(MINUTE_MS);
    stack.play(DECLINED);
    await deliver(`${source}-2`);
    await add('takes over a step that has failed', `${source}-2`);
    await stack.place.wait(MINUTE_MS);
  }
  return [...rows, await rowWhileTheStepRuns(stack)];
}

/** Of a start without a source, while the owner is in its step. */
async function rowWhileTheStepRuns(stack: CountedStack): Promise<LatencyRow> {
  stack.play({ kind: 'slow', ms: MINUTE_MS });
  await stack.start(ordered('slow'));
  await stack.place.wait(SECOND_MS);
  const running = await stack.counted(async () => {
    await stack.start(ordered('slow'));
    await stack.place.wait(SECOND_MS);
  });
  await stack.place.wait(MINUTE_MS);
  return rowOf('started directly: a duplicate while the step runs', running, false);
}

function sourcesOf(stack: CountedStack): Readonly<Record<string, Deliver>> {
  const { place } = stack;
  const local = place.stack;
  const settle = () => place.wait(SECOND_MS);
  return {
    'event bus': async orderId => {
      await publishClassic(stack, orderId);
      await settle();
    },
    schedule: async () => {
      // At one time, which is the key: no time passes between a firing and its duplicate.
      await local.schedules.fire(local.schedules.names()[0] ?? '');
      await local.runtime.work.idle();
    },
    queue: async orderId => {
      local.queues.send('orders', JSON.stringify(ordered(orderId)));
      await settle();
    },
    HTTP: orderId => answered(stack, { orderId, amount: 1 }),
    'custom event bus': async orderId => {
      await publish(stack, CUSTOM.standard, [orderId]);
      await settle();
    },
    'Express, HTTP': orderId => answered(stack, { orderId, amount: 1 }, { path: '/quotes' }),
    'Express, custom event bus': async orderId => {
      await publish(stack, CUSTOM.express, [orderId]);
      await settle();
    },
    'started directly': async orderId => {
      await stack.start(ordered(orderId));
      await settle();
    },
  };
}

/** Publishes an order on the classic event bus. */
export function publishClassic({ place: { stack } }: CountedStack, orderId: string): Promise<unknown> {
  return stack.eventBuses.publish(eventOf(orderId), stack.output('EventBusName'));
}

/** Publishes orders on the custom event bus, in one request. */
export async function publish(
  stack: CountedStack,
  Source: string,
  orderIds: readonly string[],
): Promise<void> {
  const { stack: local } = stack.place;
  const entryOf = (orderId: string) => ({
    Source,
    DetailType: 'OrderPlaced',
    Detail: JSON.stringify(ordered(orderId).detail),
  });
  await local.putEvents({ EventBusArn: local.output('CustomBusArn'), Entries: orderIds.map(entryOf) });
}

function rowOf(delivery: string, counted: Counted, isAnswered: boolean): LatencyRow {
  const { beforeStep, total: all } = counted;
  const total = { ...all, waitedMs: isAnswered ? idleMsOf(all) : 0 };
  return {
    delivery,
    beforeStep: beforeStep && withMilliseconds({ ...beforeStep, waitedMs: 0 }),
    total: withMilliseconds(total),
  };
}

function withMilliseconds(calls: Calls): LatencyCalls {
  return { ...calls, milliseconds: millisecondsOf(calls) };
}

function eventOf(orderId: string): EventEnvelope {
  return {
    version: '0',
    id: '00000000-0000-4000-8000-000000000001',
    'detail-type': 'OrderPlaced',
    source: 'shop.orders',
    account: '111111111111',
    time: '2026-11-20T09:00:00Z',
    region: 'us-east-1',
    resources: [],
    ...ordered(orderId),
  };
}

/** What the calls in a row do not take of the time that a request took by the clock. */
export function idleMsOf(calls: Calls): number {
  return calls.waitedMs + GATEWAY_MS - millisecondsOf({ ...calls, waitedMs: 0 });
}

/** Until the front door begins: from then on a request is timed by the clock. */
export const GATEWAY_MS = ASSUMED_MS.apiRequests + ASSUMED_MS.stepFunctions;
const DECLINED = { kind: 'failed', error: 'CardDeclined', cause: '' } as const;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
