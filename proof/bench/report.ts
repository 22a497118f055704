import type { CostRow } from './cost/cost';
import type { DollarRow } from './cost/dollars';
import type { DeliveryDollars } from './sources/deliveries';
import type { FrontDoorRow } from './sources/front-door';
import type { LatencyRow } from './sources/latency';
import type { WaitRow } from './sources/waits';

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
  /** What a million deliveries cost by source, in dollars. */
  readonly bySource: readonly DeliveryDollars[];
  /** When a request by HTTP is answered. */
  readonly waits: readonly WaitRow[];
  readonly notMeasured: readonly string[];
}

/** All that was measured, and on which machine. */
export interface Report extends Measured {
  readonly node: string;
  readonly cpus: string;
  /** How long the program has been running. */
  readonly wallSeconds: number;
}
