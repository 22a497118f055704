import type { Clock, LocalStack, VirtualClock } from '@onceflow/local';

/** The machine's clock. What waits for it keeps no process alive. */
export const REAL_CLOCK: Clock = {
  isReal: true,
  now: () => Date.now(),
  at(due, action) {
    const timer = setTimeout(action, Math.max(0, due - Date.now())).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Lets virtual time pass until the work is done: whenever nothing is in progress, the clock goes to the next deadline.
 *
 * Resolves and rejects as the work does.
 */
export async function whileTimePasses<Result>(
  { runtime }: Pick<LocalStack, 'runtime'>,
  clock: VirtualClock,
  work: Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  const passing = async (): Promise<Result> => {
    while (!isOver) {
      await runtime.work.idle();
      const due = clock.nextDue();
      if (!isOver && due !== undefined) clock.advanceTo(due);
    }
    return over;
  };
  // The work may end while something is still in progress that the run does not wait for.
  return Promise.race([over, passing()]);
}

/** Resolves when so many milliseconds of the clock have passed. */
export function pass(clock: Clock, ms: number): Promise<void> {
  return new Promise(resolve => {
    clock.at(clock.now() + ms, resolve);
  });
}
