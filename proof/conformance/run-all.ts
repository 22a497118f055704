import type { CaseFile } from './cases/case-files';
import type { RecordedCase } from './cases/recorded-case';
import { failedBecause, type Outcome, skippedFor } from './outcome';
import type { CaseResult } from './report';

/** Does `run` with cases one after another, in their order; `progress` hears how many are done. */
export async function runAll(
  cases: readonly CaseFile[],
  run: (recorded: RecordedCase) => Outcome | Promise<Outcome>,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const { file, read } of cases) {
    results.push({ file, outcome: await outcomeOf(read, run) });
    progress(results.length, cases.length);
  }
  return results;
}

async function outcomeOf(
  read: CaseFile['read'],
  run: (recorded: RecordedCase) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  switch (read.kind) {
    case 'case':
      return run(read.recorded);
    case 'foreign':
      return skippedFor(read.reason);
    case 'broken':
      return failedBecause(read.reason);
    default: {
      const never: never = read;
      throw new Error(`an unknown reading: ${JSON.stringify(never)}`);
    }
  }
}
