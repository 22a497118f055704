import type { Aws } from '../aws/aws';
import { Rejection } from '../program/rejection';

/** How one piece of the work went: its result, or the sentence that says why not. */
export type Outcome<Result> = { readonly result: Result } | { readonly problem: string };

/**
 * Does the work for each item in order, at most so many in a second. One that is rejected by AWS stops no other.
 *
 * After Ctrl-C there are fewer outcomes than items: those behind have not been begun. The last request says that it may
 * have been carried out, if it was under way.
 */
export async function paced<Item, Result>(
  aws: Aws,
  items: readonly Item[],
  { perSecond, progress }: { readonly perSecond: number; readonly progress: (done: number) => void },
  work: (item: Item) => Promise<Result>,
): Promise<readonly Outcome<Result>[]> {
  const outcomes: Outcome<Result>[] = [];
  for (const item of items) {
    if (aws.signal?.aborted) break;
    const startedAt = aws.time.elapsed();
    outcomes.push(await outcomeOf(aws, () => work(item)));
    progress(outcomes.length);
    const restMs = 1000 / perSecond - (aws.time.elapsed() - startedAt);
    if (restMs > 0 && outcomes.length < items.length) await rest(aws, restMs);
  }
  return outcomes;
}

async function outcomeOf<Result>(aws: Aws, work: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await work() };
  } catch (error) {
    if (aws.signal?.aborted) return { problem: 'interrupted; it might have been done' };
    if (error instanceof Rejection) return { problem: error.message };
    throw error;
  }
}

async function rest({ time, signal }: Aws, ms: number): Promise<void> {
  try {
    await time.sleep(ms, signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
