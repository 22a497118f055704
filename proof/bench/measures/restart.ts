import { startLocal } from '@onceflow/local';
import { print } from './measure';

// A start of the reference app with what an earlier process has kept. Arguments: the folder of the synthesized
// assembly, and the state directory. Needs `--expose-gc`.

/** What the program prints. */
export interface RestartMeasure {
  /** Until the stack answers. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** What the process holds then, on the heap and beside it. */
  readonly bytes: number;
}

const [assembly = '', state = ''] = process.argv.slice(2);

async function measure(): Promise<void> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const stack = await startLocal({ assembly, state });
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  await stack.close();
  print({ seconds, cpuSeconds: (user + system) / 1e6, bytes: heapUsed + external } satisfies RestartMeasure);
}

void measure();
