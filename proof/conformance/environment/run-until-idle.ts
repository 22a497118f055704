import type { TestEnvironment } from './test-environment';

/** How letting time pass came out. */
export type IdleOutcome =
  /** Nothing runs any more. */
  | 'ended'
  /** What runs waits for something that time does not bring. */
  | 'waiting'
  /** The case has run out of time. */
  | 'out of time';

/** So often others get their turn, in deadlines: on a virtual clock nothing else would ever let them. */
const TURN_DEADLINES = 100;

/**
 * Lets time pass, deadline by deadline, until nothing runs or `isDone` says that enough has happened.
 */
export async function runUntilIdle(environment: TestEnvironment, isDone = () => false): Promise<IdleOutcome> {
  const { runtime, clock, signal } = environment;
  for (let deadlines = 1; !signal.aborted; deadlines += 1) {
    await runtime.work.idle();
    if (await environment.work()) continue;
    if (isDone() || runtime.running().length === 0) return 'ended';
    const due = clock.nextDue();
    if (due === undefined) return 'waiting';
    clock.advanceTo(due);
    if (deadlines % TURN_DEADLINES === 0) await othersTurn();
  }
  return 'out of time';
}

/** Lets timers and sockets of this process have their turn. */
export function othersTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
