/** What a measuring process prints, as one JSON line. */
export interface Measure {
  readonly executions: number;
  readonly seconds: number;
  /** Processor time of the whole process meanwhile, collecting garbage included. */
  readonly cpuSeconds: number;
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
  return measured(executions, () => run(executions));
}

/** Times `run`, which makes so many executions. */
export async function measured(executions: number, run: () => Promise<void>): Promise<Measure> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await run();
  const seconds = (performance.now() - startedAt) / 1000;
  return { executions, seconds, cpuSeconds: cpuSecondsSince(cpuBefore) };
}

/** Processor time of this process since then. */
function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Ends a measuring process with its result. */
export function print(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** The executions of a measurement that are under way at once, on every side. */
export const CONCURRENCY = 16;
