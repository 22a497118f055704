import { type Found, inOrder, traced } from '../../../packages/local/explore/kernel/index';
import type { Violation } from '../invariants/invariants';
import { goesRound, Trail } from '../invariants/termination';
import { HASH_WORDS } from '../model/hash';
import type { Subject } from '../model/subject';
import { type Channel, comparesPayload } from '../transition/steps';
import { cycleIn, TRANSITION_BYTES } from './cycles';
import { type Budget, Expansion } from './expansion';
import { type Counts, partsOf, resumeFrom, type SavedSearch } from './saved-search';
import { SeenStates } from './seen';
import { systemOf } from './successors';
import { type Summary, stepName, together } from './summary';
import { type PoolTurn, type Sharing, WorkerPool } from './worker-pool';

/** How far an exploration has come. */
export type Progress = Readonly<Counts>;

/** What an exploration came to. */
export interface Exploration extends Progress {
  /** States of single executions that were met: what the engine was asked about. */
  readonly executionStates: number;
  /** Whether the definition distinguishes the explored payloads: else all deliveries have the same. */
  readonly comparesPayload: boolean;
  /** States of the definitions that no execution has come to, by their names. */
  readonly neverEntered: readonly string[];
  /** Those of them that one more delivery comes to, which is tried when everything has ended. */
  readonly enteredInProbe: readonly string[];
  /** Why it stopped early; undefined if it completed. */
  readonly stopped: Stop | undefined;
  /** The first violation, with the shortest trace to it; undefined if there is none. */
  readonly violation: (Violation & { readonly schedule: readonly string[] }) | undefined;
}

/** Watches an exploration, may end it, and says what it may take. */
export interface Watcher extends Sharing {
  readonly progress?: (progress: Progress) => void;
  /** Ends it early. */
  readonly signal?: AbortSignal;
  /** Bytes that what was seen and what waits may take, the objects that the engine works with apart. */
  readonly memoryBytes?: number;
  /**
   * The file in which the search is saved after levels and at its end, and from which it resumes. @default - not saved
   */
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
  const search = new Search(subject, budget, watcher);
  try {
    return await search.run();
  } finally {
    await search.close();
  }
}

/** One search, from the first state of all, or from where a saved one had come to. */
class Search {
  readonly #watcher: Watcher;
  readonly #channels: readonly Channel[];
  readonly #expansion: Expansion;
  readonly #seen = new SeenStates();
  readonly #pool: WorkerPool;
  readonly #counts: Counts = { states: 1, transitions: 0, depth: 0, waiting: 1 };
  /** What the saved search knew. */
  #before: readonly Summary[] = [];

  constructor(subject: Subject, budget: Budget, watcher: Watcher) {
    this.#watcher = watcher;
    this.#channels = budget.channels;
    this.#expansion = new Expansion(subject, budget, this.#seen);
    if (!watcher.saved?.parts) {
      this.#seen.reserve(1);
      this.#expansion.begin();
    }
    this.#pool = new WorkerPool(subject, budget, this.#seen, this.#expansion, watcher);
  }

  /** Explores level by level, until there is a violation, nothing is left, or the watcher ends it. */
  async run(): Promise<Exploration> {
    const parts = this.#watcher.saved?.parts;
    if (parts) this.#before = [await resumeFrom(parts, this.#reached, this.#expansion)];
    // A saved search resumes in the middle of a level.
    for (let isBegun = parts !== undefined; isBegun || this.#pool.next > 0; this.#counts.depth += 1) {
      if (!isBegun) await this.#pool.goDeeper();
      isBegun = false;
      const end = await this.#exploreLevel();
      if (end) return end;
    }
    return this.#ended([]);
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#pool.close();
  }

  /** Explores the level to its end: undefined, unless the exploration ends before. */
  async #exploreLevel(): Promise<Exploration | undefined> {
    const { progress, saved, memoryBytes = Number.POSITIVE_INFINITY } = this.#watcher;
    for (;;) {
      const { found, isDone, isFull } = await this.#turn();
      if (found.length > 0) return this.#ended(found);
      progress?.(this.#counts);
      // If nothing is left, there is nothing to end.
      if (isDone && this.#pool.next === 0) return undefined;
      const stop = await stopOf(this.#watcher, isFull || this.#bytes > memoryBytes);
      if (stop || (isDone && saved?.isDue))
        await saved?.save(partsOf(this.#reached, await this.#summaries()));
      if (stop) return this.#ended([], stop);
      if (isDone) return undefined;
    }
  }

  async #turn(): Promise<PoolTurn> {
    const turn = await this.#pool.turn();
    this.#counts.states += turn.states;
    this.#counts.transitions += turn.transitions;
    this.#counts.waiting = this.#pool.waiting;
    return turn;
  }

  get #reached() {
    return { counts: this.#counts, seen: this.#seen, pool: this.#pool };
  }

  get #bytes(): number {
    return this.#seen.bytes + this.#pool.bytes + this.#counts.transitions * TRANSITION_BYTES;
  }

  async #summaries(): Promise<readonly Summary[]> {
    return [...(await this.#pool.summaries()), ...this.#before];
  }

  async #ended(found: readonly Found<Violation>[], stopped?: Stop): Promise<Exploration> {
    const summaries = await this.#summaries();
    const { executionStates, neverEntered, enteredInProbe } = together(summaries);
    const pathTo: PathTo = state => this.#seen.pathTo(state).map(step => stepName(summaries, step));
    return {
      ...this.#counts,
      executionStates: executionStates.length / HASH_WORDS,
      comparesPayload: comparesPayload(this.#expansion.space),
      neverEntered,
      enteredInProbe: neverEntered.filter(name => enteredInProbe.includes(name)),
      stopped,
      violation: shortest(found, pathTo) ?? (stopped ? undefined : this.#endless(summaries, pathTo)),
    };
  }

  /** The violation that a schedule leads round for ever; undefined if every one has an end. */
  #endless(summaries: readonly Summary[], pathTo: PathTo): Exploration['violation'] {
    const transitions = summaries.flatMap(summary => summary.transitions);
    const cycle = cycleIn(transitions, this.#seen.size);
    return cycle && { ...goesRound(), schedule: this.#roundThrough(cycle, pathTo) };
  }

  /**
   * The schedule to the first state of a cycle, and round: once, or as often as it takes until each delivery is again
   * what it was, if they are not told apart.
   */
  #roundThrough(cycle: readonly number[], pathTo: PathTo): readonly string[] {
    const expansion = this.#expansion;
    const nearest = Math.min(...cycle);
    const at = cycle.indexOf(nearest);
    const numbers = [...cycle.slice(at + 1), ...cycle.slice(0, at + 1)];
    const schedule = pathTo(nearest);
    const { next } = systemOf(expansion.space, this.#channels);
    const { last } = traced({ next }, expansion.first(), inOrder(schedule));
    const trail = new Trail(expansion.space, last);
    let taken = 0;
    const around = traced({ next, problemWith: (_, { after }) => trail.goTo(after) }, last, ({ steps }) => {
      const number = numbers[taken % numbers.length];
      taken += 1;
      return steps.find(({ after }) => {
        expansion.packed.pack(after);
        return ~this.#seen.add(expansion.hash(), 0, 0) === number;
      });
    });
    return [...schedule, ...around.steps.map(({ name }) => name)];
  }
}

/** The names of the steps to a state, by its number. */
type PathTo = (state: number) => readonly string[];

/** The violation with the shortest schedule; of those that are as short the first by the alphabet. */
function shortest(found: readonly Found<Violation>[], pathTo: PathTo): Exploration['violation'] {
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
