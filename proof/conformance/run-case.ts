import type { RecordedCase } from './cases/recorded-case';
import { failedBecause, type Outcome, skippedFor } from './outcome';
import { runApi } from './run-api';
import { runBatch, runExecution } from './run-execution';
import { missingFor } from './skips';

/** How long one case may take, in milliseconds of the machine's clock. The slowest recorded one takes about two. */
const CASE_MS_MAX = 10_000;

/** Runs one case. Never rejects: a fault of the runner or the engine is a failure of the case. */
export async function runCase(recorded: RecordedCase, limitMs = CASE_MS_MAX): Promise<Outcome> {
  const outOfTime = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Outcome>(resolve => {
    timer = setTimeout(() => {
      resolve(failedBecause(`takes longer than ${limitMs / 1000} s`));
      outOfTime.abort();
    }, limitMs);
  });
  try {
    const missing = missingFor(recorded);
    if (missing !== undefined) return skippedFor(missing);
    return await Promise.race([runKind(recorded, outOfTime.signal), tooLate]);
  } catch (error) {
    return failedBecause(`internal error: ${messageOf(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

async function runKind(recorded: RecordedCase, signal: AbortSignal): Promise<Outcome> {
  switch (recorded.kind) {
    case 'execution':
      return runExecution(recorded, signal);
    case 'execution-batch':
      return runBatch(recorded, signal);
    case 'api':
      return runApi(recorded, signal);
    default: {
      const never: never = recorded;
      throw new Error(`an unknown case: ${JSON.stringify(never)}`);
    }
  }
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
