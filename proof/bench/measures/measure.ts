/** What a measuring process prints, as one JSON line. */
export interface Measure {
  readonly executions: number;
  readonly seconds: number;
  /** History events that were recorded meanwhile; absent where no history is kept. */
  readonly events?: number;
}

/** Times `run`, which makes so many executions, after as many unmeasured ones as `warmUp` says. */
export async function timed(
  executions: number,
  warmUp: number,
  run: (executions: number) => Promise<void>,
): Promise<Measure> {
  await run(warmUp);
  const startedAt = performance.now();
  await run(executions);
  return { executions, seconds: (performance.now() - startedAt) / 1000 };
}

/** Ends a measuring process with its result. */
export function print(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** The executions of a measurement that are under way at once. */
export const CONCURRENCY = 16;
