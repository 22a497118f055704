import type { Measured } from '../report';
import { CountedStack } from './counted-stack';
import { deliveryDollars } from './deliveries';
import { frontDoorRows } from './front-door';
import { latencyRows } from './latency';
import { waitRows } from './waits';

/** (sources) What a delivery waits for by each source, and what a request by HTTP takes beside a direct start. */
export async function sourceCounts(
  assembly: string,
): Promise<Pick<Measured, 'latency' | 'frontDoor' | 'waits' | 'bySource'>> {
  const stack = await CountedStack.open(assembly);
  try {
    const latency = await latencyRows(stack);
    const frontDoor = await frontDoorRows(stack);
    const waits = await waitRows(stack);
    return { latency, frontDoor, waits, bySource: await deliveryDollars(stack) };
  } finally {
    await stack.close();
  }
}
