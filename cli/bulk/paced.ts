import type { Aws } from '../aws/aws';
import { Refusal } from '../refusal';

/** How one piece of the work went: its result, or the sentence that says why not. */
export type Outcome<Result> = { readonly result: Result } | { readonly problem: string };

/**
 * Does the work for each item in order, at most so many in a second. One that is refused by AWS stops no other.
 *
 * @throws the signal's reason after Ctrl-C
 */
export async function paced<Item, Result>(
  aws: Aws,
  items: readonly Item[],
  { perSecond, progress }: { readonly perSecond: number; readonly progress: (done: number) => void },
  work: (item: Item) => Promise<Result>,
): Promise<readonly Outcome<Result>[]> {
  const outcomes: Outcome<Result>[] = [];
  for (const item of items) {
    const startedAt = aws.time.elapsed();
    try {
      outcomes.push({ result: await work(item) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.push({ problem: error.message });
    }
    progress(outcomes.length);
    const restMs = 1000 / perSecond - (aws.time.elapsed() - startedAt);
    if (restMs > 0 && outcomes.length < items.length) await aws.time.sleep(restMs, aws.signal);
  }
  return outcomes;
}
