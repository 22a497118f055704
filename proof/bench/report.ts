import type { CostRow } from './cost/cost';
import type { DollarRow } from './cost/dollars';
import type { Measure } from './measures/measure';
import type { FrontDoorRow } from './sources/front-door';
import type { LatencyRow } from './sources/latency';

/** One row of the table: medians over the runs. */
export interface Row {
  readonly bench: 'tasks' | 'workflow' | 'memory';
  readonly what: string;
  readonly runs: number;
  readonly executionsPerSecond: number;
  readonly microsecondsPerExecution: number;
  /** Absent where no history is kept. */
  readonly microsecondsPerEvent?: number;
  /** Bytes of heap that one kept execution takes. */
  readonly heapBytesPerExecution?: number;
}

/** How two rows stand to each other. */
export interface Ratio {
  readonly what: string;
  readonly ratio: number;
}

/** What benches measured, and what they could not. */
export interface Measured {
  readonly rows: readonly Row[];
  readonly ratios: readonly Ratio[];
  /** What a delivery takes. */
  readonly costs: readonly CostRow[];
  /** What a million deliveries cost by that, in dollars. */
  readonly dollars: readonly DollarRow[];
  /** What a delivery waits for, by its source. */
  readonly latency: readonly LatencyRow[];
  /** What a request by HTTP takes. */
  readonly frontDoor: readonly FrontDoorRow[];
  readonly notMeasured: readonly string[];
}

/** All that was measured, and on which machine. */
export interface Report extends Measured {
  readonly node: string;
  readonly cpus: string;
  /** How long the program has been running. */
  readonly wallSeconds: number;
}

/** The row of measures that were made the same way. */
export function rowOf(bench: Row['bench'], what: string, measures: readonly Measure[]): Row {
  const perExecution = median(measures.map(({ seconds, executions }) => (seconds / executions) * 1e6));
  const perEvent = measures.flatMap(({ seconds, events }) =>
    events === undefined ? [] : [(seconds / events) * 1e6],
  );
  return {
    bench,
    what,
    runs: measures.length,
    executionsPerSecond: Math.round(1e6 / perExecution),
    microsecondsPerExecution: rounded(perExecution),
    ...(perEvent.length > 0 && { microsecondsPerEvent: rounded(median(perEvent)) }),
  };
}

/** A number with two digits after the point: more would be noise. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The middle of the numbers; of an even count the lower of the two in the middle. @throws where there are none */
export function median(numbers: readonly number[]): number {
  const middle = numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];
  if (middle === undefined) throw new Error('the median of no numbers');
  return middle;
}
