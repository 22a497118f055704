import { print } from './measure';
import { openThreeTasks } from './runtime';
import { inputOf } from './three-tasks';

/** One thousand executions in a row, and the heap after them. */
export interface Thousand {
  readonly seconds: number;
  /** How much the heap has grown by these thousand, with everything collected that can be. */
  readonly heapBytes: number;
}

// Executions that are all kept, thousand by thousand. Argument: how many. Needs `--expose-gc`.

const executions = Number(process.argv[2]);
const STEP = 1000;
/** After fewer the first thousand is still being compiled, and the last looks faster than it. */
const WARM_UP = 15 * STEP;

async function measure(): Promise<void> {
  // On a runtime of its own: compiled code is the same for both, kept executions are not.
  await openThreeTasks().run(inputsFrom(0, WARM_UP));

  const bench = openThreeTasks();
  const thousands: Thousand[] = [];
  let heapBefore = heapUsed();
  for (let done = 0; done < executions; done += STEP) {
    const inputs = inputsFrom(done, STEP);
    const startedAt = performance.now();
    await bench.run(inputs);
    const seconds = (performance.now() - startedAt) / 1000;
    const heapAfter = heapUsed();
    thousands.push({ seconds, heapBytes: heapAfter - heapBefore });
    heapBefore = heapAfter;
  }
  print({ thousands });
}

function inputsFrom(first: number, count: number): object[] {
  return Array.from({ length: count }, (_, index) => inputOf(first + index));
}

function heapUsed(): number {
  if (!globalThis.gc) throw new Error('start with --expose-gc');
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

void measure();
