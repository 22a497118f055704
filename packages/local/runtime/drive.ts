import type { Runtime } from './runtime';
import type { VirtualClock } from './time/virtual-clock';

/** How driving a runtime to its end went. */
export type DriveResult =
  | { readonly kind: 'ended' }
  /** These executions wait for something that time alone does not bring, or for a time after the limit. */
  | {
      readonly kind: 'waiting';
      readonly executionArns: readonly string[];
      /** What else is still to come, in words; absent where there is nothing. */
      readonly expected?: readonly string[];
    };

/**
 * Moves a virtual clock until every execution has ended, every event is delivered or given up, and no message waits for
 * a function.
 *
 * Between two deadlines it waits until the runtime is idle, so what one timer begins is done before the next
 * fires. `until` is the last time it goes to, epoch milliseconds.
 *
 * Schedules do not fire meanwhile, or there would be no end; times of theirs that pass are left out. They fire when
 * `advanceBy` moves the clock.
 *
 * @example
 * await runToEnd(stack.runtime, clock);
 */
export function runToEnd(
  runtime: Runtime,
  clock: VirtualClock,
  until = Number.POSITIVE_INFINITY,
): Promise<DriveResult> {
  return runtime.work.hold(() => drive(runtime, clock, until));
}

async function drive(runtime: Runtime, clock: VirtualClock, until: number): Promise<DriveResult> {
  for (;;) {
    await runtime.work.idle();
    const executionArns = runtime.running();
    const { expected } = runtime.work;
    if (executionArns.length === 0 && expected.length === 0) return { kind: 'ended' };
    const due = clock.nextDue();
    if (due === undefined || due > until) {
      return { kind: 'waiting', executionArns, ...(expected.length > 0 && { expected }) };
    }
    clock.advanceTo(due);
  }
}

/**
 * Lets `ms` milliseconds pass for a runtime, deadline by deadline, and waits until it is idle. Schedules fire.
 *
 * @example
 * await advanceBy(stack.runtime, clock, 60_000);
 */
export async function advanceBy(runtime: Runtime, clock: VirtualClock, ms: number): Promise<void> {
  const end = clock.now() + ms;
  clock.requireAhead(end);
  await runtime.work.idle();
  for (let due = clock.nextDue(); due !== undefined && due <= end; due = clock.nextDue()) {
    clock.advanceTo(due);
    await runtime.work.idle();
  }
  clock.advanceTo(end);
  await runtime.work.idle();
}
