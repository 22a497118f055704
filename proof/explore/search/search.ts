import { type Found, inOrder, traced } from '../../../packages/local/explore/kernel/index';
import { goesRound, Trail } from '../invariants/termination';
import type { Violation } from '../invariants/invariants';
import { HASH_WORDS } from '../model/hash';
import type { ModelState } from '../model/model-state';
import type { Subject } from '../model/subject';
import { type Channel, comparesPayload } from '../transition/steps';
import { cycleIn, TRANSITION_BYTES } from './cycles';
import { type Budget, Expansion, NAMES_MAX, type Summary } from './expansion';
import { type Counts, distinct, inAll, partsOf, resumeFrom, type SavedSearch } from './saved';
import { SeenStates } from './seen';
import { systemOf } from './successors';
import { WorkerPool } from './worker-pool';

/** How far an exploration has come. */
export interface Progress {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** States that have been found and not been explored. */
  readonly waiting: number;
}

/** What an exploration came to. */
export interface Exploration extends Progress {
  /** States of single executions that were met: what the engine was asked about. */
  readonly executionStates: number;
  /** Whether the definition distinguishes the explored payloads: else all deliveries have the same. */
  readonly comparesPayload: boolean;
  /** States of the definitions that no execution has come to, by their names. */
  readonly neverEntered: readonly string[];
  /** Those of them that one more delivery comes to, which is tried where everything has ended. */
  readonly enteredInProbe: readonly string[];
  /** Why it stopped early; undefined if it completed. */
  readonly stopped: Stop | undefined;
  /** The first violation, with the shortest trace to it; undefined where there is none. */
  readonly violation: (Violation & { readonly schedule: readonly string[] }) | undefined;
}

/** Watches an exploration, may end it, and says what it may take. */
export interface Watcher {
  readonly progress?: (progress: Progress) => void;
  /** Ends it early. */
  readonly signal?: AbortSignal;
  /** How many threads may explore at once (default: none but this one). */
  readonly workers?: number;
  /** From how many states of a level on they do; a number that is worth it if left out. */
  readonly sharedFrom?: number;
  /** How many new states each finds before anybody can end it; a number that is worth it if left out. */
  readonly turnStates?: number;
  /** Bytes that what was seen and what waits may take, the objects that the engine works with apart. */
  readonly memoryBytes?: number;
  /** Where the search is saved, after levels and when it stops, and from where it resumes. @default - not saved */
  readonly saved?: SavedSearch | undefined;
}

/** Why an exploration was ended before it had been everywhere. */
export type Stop = 'interrupted' | 'memory';

/**
 * Visits every state that can be reached, breadth first, so that the first violation has one of the shortest schedules.
 *
 * The same subject and budget give the same answer, down to the counts.
 */
export async function explore(subject: Subject, budget: Budget, watcher: Watcher = {}): Promise<Exploration> {
  const seen = new SeenStates();
  const expansion = new Expansion(subject, budget, seen);
  const first = expansion.first();
  const { saved } = watcher;
  if (!saved?.parts) {
    seen.reserve(1);
    expansion.begin();
  }
  const pool = new WorkerPool(subject, budget, seen, expansion, watcher);
  const { memoryBytes = Number.POSITIVE_INFINITY } = watcher;
  const progress: Counts = { states: 1, transitions: 0, depth: 0, waiting: 1 };
  const search = { counts: progress, seen, pool };
  let before: readonly Summary[] = [];
  const allSummaries = async () => [...(await pool.summaries()), ...before];
  const ended = async (found: readonly Found<Violation>[], stopped?: Stop): Promise<Exploration> => {
    const summaries = await allSummaries();
    const pathTo = pathsIn(seen, summaries);
    const neverEntered = inAll(summaries.map(summary => summary.neverEntered));
    const violation = shortest(found, pathTo);
    const all = summaries.flatMap(({ transitions }) => transitions);
    const cycle = violation || stopped ? undefined : cycleIn(all, seen.size);
    const round = cycle && { first, channels: budget.channels, seen, pathTo, cycle };
    return {
      ...progress,
      executionStates: distinct(summaries.map(({ executionStates }) => executionStates)).length / HASH_WORDS,
      comparesPayload: comparesPayload(expansion.space),
      neverEntered,
      enteredInProbe: neverEntered.filter(name => summaries.some(each => each.enteredInProbe.includes(name))),
      stopped,
      violation: round ? { ...goesRound(), schedule: roundThrough(expansion, round) } : violation,
    };
  };

  try {
    if (saved?.parts) before = [await resumeFrom(saved.parts, search, expansion)];
    // What was kept goes on in the middle of a level.
    for (let isBegun = before.length > 0; isBegun || pool.next > 0; progress.depth += 1) {
      if (!isBegun) await pool.goDeeper();
      isBegun = false;
      for (let isDone = false; !isDone; ) {
        const turn = await pool.turn();
        isDone = turn.isDone;
        progress.states += turn.states;
        progress.transitions += turn.transitions;
        progress.waiting = pool.waiting;
        if (turn.found.length > 0) return await ended(turn.found);
        watcher.progress?.(progress);
        // Where nothing is left there is nothing to end.
        if (isDone && pool.next === 0) break;
        const bytes = seen.bytes + pool.bytes + progress.transitions * TRANSITION_BYTES;
        const stop = await stopOf(watcher, turn.isFull || bytes > memoryBytes);
        if (stop || (isDone && saved?.isDue)) await saved?.save(partsOf(search, await allSummaries()));
        if (stop) return await ended([], stop);
      }
    }
    return await ended([]);
  } finally {
    await pool.close();
  }
}

/** The steps to a state, by the names that each expansion has given them. */
function pathsIn(seen: SeenStates, summaries: readonly Summary[]) {
  return (state: number) =>
    seen.pathTo(state).map(step => summaries[Math.floor(step / NAMES_MAX)]?.names[step % NAMES_MAX] ?? '');
}

/** The violation with the shortest schedule; of those that are as short the first by the alphabet. */
function shortest(
  found: readonly Found<Violation>[],
  pathTo: (state: number) => string[],
): Exploration['violation'] {
  const all = found.map(({ state, step, problem: violation }) => {
    return { ...violation, schedule: [...pathTo(state), ...(step === undefined ? [] : [step])] };
  });
  const byName = (a: readonly string[], b: readonly string[]) => (a.join(' ') < b.join(' ') ? -1 : 1);
  const byLength = (a: readonly string[], b: readonly string[]) => a.length - b.length || byName(a, b);
  return all.sort((a, b) => byLength(a.schedule, b.schedule))[0];
}

async function stopOf({ signal }: Watcher, isFull: boolean): Promise<Stop | undefined> {
  // Signals of the operating system come between turns of the event loop only.
  await new Promise(setImmediate);
  if (signal?.aborted) return 'interrupted';
  return isFull ? 'memory' : undefined;
}

interface Round {
  readonly first: ModelState;
  readonly channels: readonly Channel[];
  readonly seen: SeenStates;
  readonly pathTo: (state: number) => string[];
  readonly cycle: readonly number[];
}

/**
 * The schedule to the first state of a cycle, and round: once, or as often as it takes until each delivery is again
 * what it was, where they are not told apart.
 */
function roundThrough(
  expansion: Expansion,
  { first, channels, seen, pathTo, cycle }: Round,
): readonly string[] {
  const { space, packed } = expansion;
  const nearest = Math.min(...cycle);
  const at = cycle.indexOf(nearest);
  const numbers = [...cycle.slice(at + 1), ...cycle.slice(0, at + 1)];
  const schedule = pathTo(nearest);
  const { next } = systemOf(space, channels);
  const { last } = traced({ next }, first, inOrder(schedule));
  const trail = new Trail(space, last);
  let taken = 0;
  const around = traced({ next, problemWith: (_, { after }) => trail.goTo(after) }, last, ({ steps }) => {
    const number = numbers[taken % numbers.length];
    taken += 1;
    return steps.find(({ after }) => {
      packed.pack(after);
      return ~seen.add(expansion.hash(), 0, 0) === number;
    });
  });
  return [...schedule, ...around.steps.map(({ name }) => name)];
}
