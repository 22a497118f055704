import type { Violation } from '../invariants/invariants';
import { StateSpace } from '../model/state-space';
import type { Subject } from '../model/subject';
import { replayIn, type TraceStep } from '../trace';
import { randomWalk, shrink, WALK_CHANNELS, type Walk } from './walk';

/** For how long to walk, and where all chance comes from. */
export interface RandomRun {
  readonly seed: number;
  readonly milliseconds: number;
  /** Hears how far it has come. */
  readonly progress?: (runs: number, steps: number) => void;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

/** What random walks came to. */
export interface RandomReport {
  readonly runs: number;
  readonly steps: number;
  readonly violation: Violation | undefined;
  /** The shortened walk of the violation, to be kept as a test; undefined without one. */
  readonly counterexample: Walk | undefined;
  readonly trace: readonly TraceStep[];
}

/** Runs of one key each; after so many the memory of earlier results begins anew. */
const RUNS_PER_SPACE = 300;

/** Walks at random, one key after another, until the time is over or an invariant is broken. */
export async function walkAtRandom(
  subject: Subject,
  { seed, milliseconds, progress, signal }: RandomRun,
): Promise<RandomReport> {
  const until = performance.now() + milliseconds;
  let [runs, steps] = [0, 0];
  let space = new StateSpace(subject);
  while (performance.now() < until && !signal?.aborted) {
    if (runs % RUNS_PER_SPACE === 0) space = new StateSpace(subject);
    const walked = randomWalk(space, `${seed} ${runs}`);
    // Signals of the operating system come between turns of the event loop only.
    await new Promise(setImmediate);
    runs += 1;
    steps += walked.walk.schedule.length;
    progress?.(runs, steps);
    if (!walked.violation) continue;
    const { walk, violation } = shrink(space, walked);
    const { trace } = replayIn(space, { ...walk, channels: WALK_CHANNELS });
    return { runs, steps, violation, counterexample: walk, trace };
  }
  return { runs, steps, violation: undefined, counterexample: undefined, trace: [] };
}
