import type { Violation } from '../invariants';
import { type Told, tellCourse } from '../search/story';
import type { Subject } from '../subject';
import { Universe } from '../world/world';
import { type Course, shrunk, WALK_ENTRIES, walk } from './walk';

/** For how long to walk, and where all chance comes from. */
export interface RandomRun {
  readonly seed: number;
  readonly milliseconds: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

/** What random walks came to. */
export interface RandomReport {
  readonly runs: number;
  readonly steps: number;
  readonly violation: Violation | undefined;
  /** The shortened course of the violation, to be kept as a test; undefined without one. */
  readonly kept: Course | undefined;
  readonly told: readonly Told[];
}

/** Worlds of one key each; after so many the memory of what was worked out begins anew. */
const RUNS_PER_UNIVERSE = 300;

/** Walks at random, one key after another, until the time is over or an invariant is broken. */
export async function walkAtRandom(
  subject: Subject,
  { seed, milliseconds, signal }: RandomRun,
): Promise<RandomReport> {
  const until = performance.now() + milliseconds;
  let [runs, steps] = [0, 0];
  let universe = new Universe(subject);
  while (performance.now() < until && !signal?.aborted) {
    if (runs % RUNS_PER_UNIVERSE === 0) universe = new Universe(subject);
    const walked = await walk(universe, `${seed} ${runs}`);
    // Signals of the operating system come between turns of the event loop only.
    await new Promise(setImmediate);
    runs += 1;
    steps += walked.course.schedule.length;
    if (!walked.violation) continue;
    const { course, violation } = await shrunk(universe, walked);
    const told = await tellCourse(universe, { ...course, entries: WALK_ENTRIES });
    return { runs, steps, violation, kept: course, told };
  }
  return { runs, steps, violation: undefined, kept: undefined, told: [] };
}
