import type { ChildInput, ExecutionStatus, MapRun, MapRunCounts } from '../../engine/index';

/** How far an execution of a Map Run is. */
export type ChildStatus = ExecutionStatus | 'PENDING';

const MEMBERS = {
  PENDING: 'pending',
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  TIMED_OUT: 'timedOut',
  ABORTED: 'aborted',
} as const satisfies Record<ChildStatus, keyof MapRunCounts>;

/** How many executions are how far, and how many items in them. */
export class RunCounts {
  readonly #inputs: readonly ChildInput[];
  readonly #statuses: ChildStatus[];
  readonly #executions: { -readonly [member in keyof MapRunCounts]: number };
  readonly #items: { -readonly [member in keyof MapRunCounts]: number };

  /** Counts where no execution has been started. */
  constructor(inputs: readonly ChildInput[]) {
    const total = inputs.reduce((sum, { items }) => sum + items, 0);
    this.#inputs = inputs;
    this.#statuses = inputs.map(() => 'PENDING');
    this.#executions = { ...NONE, pending: inputs.length, total: inputs.length };
    this.#items = { ...NONE, pending: total, total };
  }

  get executions(): MapRunCounts {
    return { ...this.#executions };
  }

  get items(): MapRunCounts {
    return { ...this.#items };
  }

  /** Notes how far an execution is now. */
  set(index: number, status: ChildStatus): void {
    const before = MEMBERS[this.#statuses[index] ?? 'PENDING'];
    const after = MEMBERS[status];
    const { items = 0 } = this.#inputs[index] ?? {};
    this.#statuses[index] = status;
    this.#executions[before] -= 1;
    this.#executions[after] += 1;
    this.#items[before] -= items;
    this.#items[after] += items;
  }

  /** The executions that are running. */
  get running(): readonly number[] {
    return this.#statuses.flatMap((status, index) => (status === 'RUNNING' ? [index] : []));
  }

  /** Whether more items have failed than the run tolerates: none where it says nothing of them. */
  exceeds({ tolerates, toleratedFailureCount, toleratedFailurePercentage }: MapRun): boolean {
    const { failed, timedOut, aborted, total } = this.#items;
    const lost = failed + timedOut + aborted;
    if (!tolerates.count && !tolerates.percentage) return lost > 0;
    // Multiplied first: 7 of 100 are 7 percent, and (7 / 100) * 100 is a little more.
    const isCountExceeded = tolerates.count && lost > toleratedFailureCount;
    return isCountExceeded || (tolerates.percentage && (lost * 100) / total > toleratedFailurePercentage);
  }
}

const NONE: MapRunCounts = {
  pending: 0,
  running: 0,
  succeeded: 0,
  failed: 0,
  timedOut: 0,
  aborted: 0,
  total: 0,
};
