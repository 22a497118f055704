import type { Expansion } from './expansion';
import type { MovedStates } from './moved-states';
import type { SeenStates } from './seen';
import { type Summary, stepName, together } from './summary';
import type { WorkerPool } from './worker-pool';

/** The progress of a search, in counts that only grow, except the number of waiting states. */
export interface Counts {
  states: number;
  transitions: number;
  depth: number;
  /** States that have been found and not been explored. */
  waiting: number;
}

/** A part of a search that is kept; the parts come in this order. */
export type SavedPart =
  | { readonly kind: 'reached'; readonly counts: Counts; readonly summary: Summary }
  | { readonly kind: 'transitions'; readonly piece: Uint32Array }
  /** Records of states; the numbers of their steps are places in the summary's names. */
  | { readonly kind: 'seen'; readonly records: Uint32Array }
  /** States that wait: of the level that is explored, then of the next one. */
  | { readonly kind: 'level' | 'next'; readonly states: MovedStates };

/** The file of a saved search, so that another process can continue it. */
export interface SavedSearch {
  /** The stored parts, one by one; undefined if there are none. */
  readonly parts: Iterable<SavedPart> | undefined;
  /** Whether so much time has passed that it should be saved again at the end of a level. */
  readonly isDue: boolean;
  /** Keeps these parts in place of those from before. @throws Error if it cannot: those from before stay */
  save(parts: AsyncIterable<SavedPart>): Promise<void>;
}

/** What a search has reached: what is saved of it, or what it resumes with. */
interface Reached {
  readonly counts: Counts;
  readonly seen: SeenStates;
  readonly pool: WorkerPool;
}

/** All parts of a search. */
export async function* partsOf(
  { counts, seen, pool }: Reached,
  summaries: readonly Summary[],
): AsyncGenerator<SavedPart> {
  const names = [...new Set(summaries.flatMap(summary => summary.names))];
  const numbers = new Map(names.map((name, number) => [name, number]));
  const stepOf = (step: number) => numbers.get(stepName(summaries, step)) ?? 0;
  yield { kind: 'reached', counts, summary: { ...together(summaries), names, transitions: [] } };
  for (const { transitions } of summaries)
    for (const piece of transitions) yield { kind: 'transitions', piece };
  for (const records of seen.pieces(stepOf)) yield { kind: 'seen', records };
  for (const kind of ['level', 'next'] as const)
    for await (const states of pool.copies(kind)) yield { kind, states };
}

/** Goes on from what was kept: in the middle of a level. Gives what the search before knew. */
export async function resumeFrom(
  parts: Iterable<SavedPart>,
  { counts, seen, pool }: Reached,
  expansion: Expansion,
): Promise<Summary> {
  let before: Summary | undefined;
  const transitions: Uint32Array[] = [];
  let [isLevelBegun, level]: [boolean, SavedPart['kind'] | undefined] = [false, undefined];
  const beginLevel = async () => {
    if (!isLevelBegun) await pool.goDeeper();
    isLevelBegun = true;
  };
  for (const part of parts) {
    if (part.kind === 'reached') {
      Object.assign(counts, part.counts);
      expansion.restoreNames(part.summary.names);
      // Its steps are the expansion's now.
      before = { ...part.summary, names: [], transitions };
    } else if (part.kind === 'transitions') {
      transitions.push(part.piece);
    } else if (part.kind === 'seen') {
      seen.restore(part.records);
    } else {
      // A level of which nothing waits is done: the next one is the one to go on with.
      if (level === undefined && part.kind === 'next') counts.depth += 1;
      level ??= part.kind;
      if (part.kind !== level) await beginLevel();
      await pool.importStates(part.states);
    }
  }
  await beginLevel();
  if (!before) throw new Error('nothing says how far the search had come');
  return before;
}
