import type { Runtime } from './runtime';
import type { VirtualClock } from './virtual-clock';

/** How driving a runtime to its end came out. */
export type DriveResult =
  | { readonly kind: 'ended' }
  /** These executions wait for something that time alone does not bring, or for a time after the limit. */
  | { readonly kind: 'waiting'; readonly executionArns: readonly string[] };

/**
 * Moves a virtual clock until every execution has ended.
 *
 * Between two deadlines it waits until the runtime is idle, so what one timer begins is done before the next
 * fires. `until` is the last time it goes to, epoch milliseconds.
 */
export async function runToEnd(
  runtime: Runtime,
  clock: VirtualClock,
  until = Number.POSITIVE_INFINITY,
): Promise<DriveResult> {
  for (;;) {
    await runtime.idle();
    const executionArns = runtime.running();
    if (executionArns.length === 0) return { kind: 'ended' };
    const due = clock.nextDue();
    if (due === undefined || due > until) return { kind: 'waiting', executionArns };
    clock.advanceTo(due);
  }
}

/** Lets `ms` milliseconds pass for a runtime, deadline by deadline, and waits until it is idle. */
export async function advanceBy(runtime: Runtime, clock: VirtualClock, ms: number): Promise<void> {
  const end = clock.now() + ms;
  await runtime.idle();
  for (let due = clock.nextDue(); due !== undefined && due <= end; due = clock.nextDue()) {
    clock.advanceTo(due);
    await runtime.idle();
  }
  clock.advanceTo(end);
}
