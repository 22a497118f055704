import type { Measured } from '../report';
import { CountedStack } from './counted-stack';
import { frontDoorRows } from './front-door';
import { latencyRows } from './latency';

/** (sources) What a delivery waits for by each source, and what a request by HTTP takes beside a direct start. */
export async function sourceCounts(assembly: string): Promise<Pick<Measured, 'latency' | 'frontDoor'>> {
  const stack = await CountedStack.open(assembly);
  try {
    return { latency: await latencyRows(stack), frontDoor: await frontDoorRows(stack) };
  } finally {
    await stack.close();
  }
}
