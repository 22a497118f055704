import type { Result } from '../benches';
import { CountedStack } from './counted-stack';
import { frontDoorRows } from './front-door';
import { latencyRows } from './latency';

/** A result with all that is counted by source. */
export type SourceCounts = Result & Required<Pick<Result, 'latency' | 'frontDoor'>>;

/** (i) What a delivery waits for by each source, and what a request by HTTP takes beside a direct start. */
export async function sourceCounts(assembly: string): Promise<SourceCounts> {
  const stack = await CountedStack.open(assembly);
  try {
    const [latency, frontDoor] = [await latencyRows(stack), await frontDoorRows(stack)];
    return { rows: [], ratios: [], notMeasured: [], latency, frontDoor };
  } finally {
    await stack.close();
  }
}
