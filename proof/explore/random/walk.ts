import { type Ids, seededIds } from '../../../packages/local/runtime/ids';
import { Trail } from '../invariants/everything-ends';
import { type Violation, violationIn } from '../invariants/invariants';
import type { ModelState } from '../model/model-state';
import { FAULTS_MAX, initialState, type StateSpace } from '../model/state-space';
import { successorsOf } from '../search/successors';
import type { Channel } from '../transition/steps';

/** All that a walk is made of: it can be replayed, and steps can be left out. */
export interface Walk {
  readonly deliveries: number;
  readonly faults: number;
  /** How many milliseconds the executions' clocks are ahead, by their indexes. */
  readonly skews: readonly number[];
  readonly schedule: readonly string[];
}

/** A walk, and the invariant that it broke. */
export interface WalkResult {
  readonly walk: Walk;
  readonly violation: Violation | undefined;
}

/** The ways in which deliveries of a walk come. */
export const WALK_CHANNELS: readonly Channel[] = ['direct', 'dispatcher'];

/** The greatest difference of a clock, milliseconds: far less than the margin that the step's timeout has. */
const SKEW_MS_MAX = 1000;
const STEPS_MAX = 2000;
/** How often a fault is chosen where one is possible. */
const FAULT_RATE = 0.12;

/** One walk at random from the beginning until nothing is possible any more. */
export function randomWalk(space: StateSpace, seed: string): WalkResult {
  const chance = seededIds(seed);
  const upTo = (most: number) => 1 + Math.floor(chance.random() * most);
  const [deliveries, faults] = [upTo(8), upTo(FAULTS_MAX)];
  const skews = Array.from({ length: upTo(4) }, () => Math.round((2 * chance.random() - 1) * SKEW_MS_MAX));
  const schedule: string[] = [];
  const walk = { deliveries, faults, skews, schedule };
  space.skews = skews;
  let model = initialState(space, deliveries, faults);
  const trail = new Trail(space, model);
  while (schedule.length < STEPS_MAX) {
    const { steps, stuck } = successorsOf(space, model, WALK_CHANNELS);
    if (stuck) return { walk, violation: stuck };
    const step = chosen(steps, model, chance);
    if (!step) break;
    schedule.push(step.name);
    const violation = violationIn(space, model, step) ?? trail.goTo(step.after);
    if (violation) return { walk, violation };
    model = step.after;
  }
  return { walk, violation: undefined };
}

function chosen<Of extends { readonly after: ModelState }>(
  steps: readonly Of[],
  model: ModelState,
  chance: Ids,
): Of | undefined {
  const faulty = steps.filter(({ after }) => after.faults < model.faults);
  const ordinary = steps.filter(({ after }) => after.faults === model.faults);
  const isFault = faulty.length > 0 && (ordinary.length === 0 || chance.random() < FAULT_RATE);
  const from = isFault ? faulty : ordinary;
  return from[Math.floor(chance.random() * from.length)];
}

/** Replays a walk; steps that are not possible are left out. Gives what it breaks, and the steps that were taken. */
export function replayWalk(space: StateSpace, walk: Walk): WalkResult {
  space.skews = walk.skews;
  let model = initialState(space, walk.deliveries, walk.faults);
  const trail = new Trail(space, model);
  const schedule: string[] = [];
  const gone = () => ({ ...walk, schedule });
  for (const name of walk.schedule) {
    const { steps, stuck } = successorsOf(space, model, WALK_CHANNELS);
    if (stuck) return { walk: gone(), violation: stuck };
    const step = steps.find(candidate => candidate.name === name);
    if (!step) continue;
    schedule.push(name);
    const violation = violationIn(space, model, step) ?? trail.goTo(step.after);
    if (violation) return { walk: gone(), violation };
    model = step.after;
  }
  const { stuck } = successorsOf(space, model, WALK_CHANNELS);
  return { walk: gone(), violation: stuck };
}

/** A shorter walk that breaks the same invariant: pieces are left out, ever smaller ones, as long as that helps. */
export function shrink(space: StateSpace, walked: WalkResult): WalkResult {
  let best = walked;
  for (let size = Math.ceil(best.walk.schedule.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.walk.schedule.length; ) {
      const schedule = best.walk.schedule.filter((_, index) => index < at || index >= at + size);
      const tried = replayWalk(space, { ...best.walk, schedule });
      const isShorter = tried.walk.schedule.length < best.walk.schedule.length;
      if (isShorter && tried.violation?.invariant === walked.violation?.invariant) best = tried;
      else at += size;
    }
  }
  return best;
}
