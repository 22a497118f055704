import { ASSUMED, listPriceOf } from '../../../cli/program/prices';
import { costsOfLockTable } from '../cost/deliveries';
import { dollarRows, dollarsPerMillion } from '../cost/dollars';
import type { Counted, CountedStack } from './counted-stack';
import { frontDoorRow } from './front-door';
import { publish, publishClassic } from './latency';
import { answered } from './requests';
import { CUSTOM } from './stack';

/** What a million deliveries cost in US dollars, beside the step's own invocation and the bus. */
export interface DeliveryDollars {
  readonly delivery: string;
  readonly fresh: number;
  readonly duplicate: number;
}

/** What the step of an Express workflow takes, in seconds: its executions are billed by their time. */
const STEP_SECONDS = 0.3;
const SECOND_MS = 1000;

/** A source: how many events it hands over at once, and whether an Express workflow takes them. */
interface SourceOfEvents {
  readonly name: string;
  readonly batch: number;
  readonly isExpress: boolean;
  readonly deliver: (orderIds: readonly string[]) => Promise<unknown>;
}

/** What a million deliveries cost by the buses and by HTTP, beside a guard in a function behind the same API. */
export async function deliveryDollars(stack: CountedStack): Promise<DeliveryDollars[]> {
  const rows: DeliveryDollars[] = [];
  for (const source of sourcesOf(stack)) {
    const orderIds = Array.from({ length: source.batch }, (_, at) => `${source.name}-${at}`);
    const dollars = async (stepSeconds: number) =>
      dollarsOf(await stack.counted(() => source.deliver(orderIds)), source, stepSeconds);
    rows.push({ delivery: source.name, fresh: await dollars(STEP_SECONDS), duplicate: await dollars(0) });
  }
  const request = async () => {
    const send = () => answered(stack, { orderId: 'HTTP', amount: 1 });
    const { frontDoor, workflow } = (await frontDoorRow(stack, 'HTTP', { send })).row.dollars;
    return frontDoor + workflow;
  };
  rows.push({ delivery: 'HTTP', fresh: await request(), duplicate: await request() });
  const [guard] = dollarRows(await costsOfLockTable(stack.place.stack));
  if (guard === undefined) throw new Error('no guard was counted');
  const api = listPriceOf({ apiRequest: 1 }) * 1e6;
  const delivery = 'HTTP, a lock table in the function';
  return [...rows, { delivery, fresh: api + guard.fresh, duplicate: api + guard.duplicate }];
}

function sourcesOf(stack: CountedStack): readonly SourceOfEvents[] {
  const custom = (name: string, source: string, batch: number): SourceOfEvents => ({
    name,
    batch,
    isExpress: source === CUSTOM.express || source === CUSTOM.expressTens,
    deliver: async orderIds => {
      await publish(stack, source, orderIds);
      await stack.place.wait(SECOND_MS);
    },
  });
  return [
    {
      name: 'event bus',
      batch: 1,
      isExpress: false,
      deliver: async ([orderId = '']) => {
        await publishClassic(stack, orderId);
        await stack.place.wait(SECOND_MS);
      },
    },
    custom('custom event bus', CUSTOM.standard, 1),
    custom('custom event bus, batches of 10', CUSTOM.standardTens, 10),
    custom('Express, custom event bus', CUSTOM.express, 1),
    custom('Express, custom event bus, batches of 10', CUSTOM.expressTens, 10),
    {
      name: 'Express, HTTP',
      batch: 1,
      isExpress: true,
      deliver: ([orderId = '']) => answered(stack, { orderId, amount: 1 }, { path: '/quotes' }),
    },
  ];
}

function dollarsOf(counted: Counted, { batch, isExpress }: SourceOfEvents, stepSeconds: number): number {
  const { total, expressExecutions, writes, reads, logBytes } = counted;
  const billed = {
    ...{ transitions: total.states, expressExecutions, writes, reads, logBytes },
    ...{ invocations: 0, describeExecutions: 0, awaitedInFunction: 0 },
  };
  // An Express workflow takes the time of the step, and what waits for it takes that and the workflow's own.
  const awaited = batch * stepSeconds + stepSeconds + ASSUMED.dispatcherSeconds;
  const beside = listPriceOf({
    apiRequest: total.apiRequests,
    expressGbSecond: isExpress ? awaited * ASSUMED.dispatcherGb : 0,
  });
  return (dollarsPerMillion(billed, 0) + beside * 1e6) / batch;
}
