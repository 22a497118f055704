import { type Choice, traced } from '../../../packages/local/explore/kernel/index';
import { type Ids, seededIds } from '../../../packages/local/runtime/ids';
import type { Violation } from '../invariants/invariants';
import type { ModelState } from '../model/model-state';
import { FAULTS_MAX, initialState, type StateSpace } from '../model/state-space';
import { systemAlong } from '../search/successors';
import type { Step } from '../transition/step';
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

/** How deliveries of a walk start. */
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
  let taken = 0;
  return walked(space, { deliveries, faults, skews }, ({ steps, problem }, model) => {
    taken += 1;
    return problem || taken > STEPS_MAX ? undefined : chosen(steps, model, chance);
  });
}

function chosen(steps: readonly Step[], model: ModelState, chance: Ids): Step | undefined {
  const faulty = steps.filter(({ after }) => after.faults < model.faults);
  const ordinary = steps.filter(({ after }) => after.faults === model.faults);
  const isFault = faulty.length > 0 && (ordinary.length === 0 || chance.random() < FAULT_RATE);
  const from = isFault ? faulty : ordinary;
  return from[Math.floor(chance.random() * from.length)];
}

/** Replays a walk; steps that are not possible are left out. Gives what it breaks, and the steps that were taken. */
export function replayWalk(space: StateSpace, walk: Walk): WalkResult {
  const names = [...walk.schedule];
  return walked(space, walk, ({ steps, problem }) => {
    if (problem) return undefined;
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const step = steps.find(candidate => candidate.name === name);
      if (step) return step;
    }
    return undefined;
  });
}

function walked(
  space: StateSpace,
  walk: Omit<Walk, 'schedule'>,
  choose: Choice<ModelState, Step, Violation>,
): WalkResult {
  space.setSkews(walk.skews);
  const first = initialState(space, walk.deliveries, walk.faults);
  const { steps, problem } = traced(systemAlong(space, first, WALK_CHANNELS), first, choose);
  return { walk: { ...walk, schedule: steps.map(({ name }) => name) }, violation: problem };
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
