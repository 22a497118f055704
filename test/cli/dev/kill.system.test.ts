import { referenceAssembly } from '../../support/reference-app';
import { runs } from '../../support/scale';
import { newDirectory } from '../../support/shared';
import { cleanUp, type Started, start } from './started';

afterAll(cleanUp);

/** How many times the process is killed. */
const KILLS = Number(process.env['ONCEFLOW_KILLS'] ?? runs(3, 8));
/** Events that are published at once, again and again until the process is gone. */
const PUBLISHERS = 4;

/** Publishes events until there is no answer any more; the ids of the orders whose events were accepted. */
async function publish({ summary }: Started, prefix: string): Promise<string[]> {
  const accepted: string[] = [];
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSEvents.PutEvents' };
  const [bus] = summary.eventBuses;
  for (let n = 0; ; n += 1) {
    const orderId = `${prefix}-${n}`;
    const Detail = JSON.stringify({ orderId, amount: 1 + n, currency: 'EUR' });
    const entry = { Source: 'shop.orders', DetailType: 'OrderPlaced', EventBusName: bus, Detail };
    try {
      const body = JSON.stringify({ Entries: [entry] });
      const response = await fetch(summary.endpoint, { method: 'POST', headers, body });
      const { FailedEntryCount } = (await response.json()) as { readonly FailedEntryCount?: number };
      if (FailedEntryCount === 0) accepted.push(orderId);
    } catch {
      return accepted;
    }
  }
}

/** The orders of all executions of the stack's Standard machines, running or not. */
async function ordersOf({ sfn }: Started): Promise<Set<string>> {
  const orders = new Set<string>();
  const { stateMachines = [] } = await sfn.listStateMachines({});
  for (const { stateMachineArn } of stateMachines.filter(({ type }) => type === 'STANDARD')) {
    let nextToken: string | undefined;
    do {
      const page = await sfn.listExecutions({ stateMachineArn, maxResults: 1000, nextToken });
      for (const { executionArn } of page.executions ?? []) {
        const { input = '' } = await sfn.describeExecution({ executionArn });
        const orderId = /"orderId":"([^"]+)"/.exec(input)?.[1];
        if (orderId !== undefined) orders.add(orderId);
      }
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
  }
  return orders;
}

/** The accepted orders that no execution has, when the stack has had time for them. */
async function withoutExecution(stack: Started, accepted: readonly string[]): Promise<readonly string[]> {
  const giveUpAt = Date.now() + 120_000;
  for (;;) {
    const orders = await ordersOf(stack);
    const missing = accepted.filter(orderId => !orders.has(orderId));
    if (missing.length === 0 || Date.now() > giveUpAt) return missing;
  }
}

test(
  `${KILLS} times kill -9 while events are published: each that was accepted has its execution`,
  async () => {
    const [assembly, state] = [await referenceAssembly(), newDirectory()];
    const accepted: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const stack = await start('--assembly', assembly, '--state', state);
      const publishers = Array.from({ length: PUBLISHERS }, (_, index) => publish(stack, `${kill}-${index}`));
      await new Promise(resolve => setTimeout(resolve, 300 + 97 * (kill % 7)));
      await stack.end('SIGKILL');
      accepted.push(...(await Promise.all(publishers)).flat());
    }

    const stack = await start('--assembly', assembly, '--state', state);

    expect(accepted.length).toBeGreaterThan(KILLS);
    expect(await withoutExecution(stack, accepted)).toEqual([]);
    await stack.end('SIGTERM');
  },
  60_000 + KILLS * 30_000,
);
