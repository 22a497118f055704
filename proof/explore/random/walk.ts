import { type Ids, seededIds } from '../../../packages/local/runtime/ids';
import { Trail } from '../endless';
import { type Violation, violationIn } from '../invariants';
import { lookAt } from '../search/search';
import type { Entry } from '../world/steps';
import { FAULTS_MAX, firstWorld, type Universe, type World } from '../world/world';

/** All that a walk is made of: it can be gone again, and steps can be left out. */
export interface Course {
  readonly deliveries: number;
  readonly faults: number;
  /** How many milliseconds the executions' clocks are ahead, by their places. */
  readonly skews: readonly number[];
  readonly schedule: readonly string[];
}

/** A walk, and what it broke. */
export interface Walked {
  readonly course: Course;
  readonly violation: Violation | undefined;
}

/** The ways in which deliveries of a walk come. */
export const WALK_ENTRIES: readonly Entry[] = ['direct', 'dispatcher'];

/** The greatest difference of a clock, milliseconds: far less than the margin that the step's timeout has. */
const SKEW_MS_MAX = 1000;
const STEPS_MAX = 2000;
/** How often a fault is chosen where one is possible. */
const FAULT_RATE = 0.12;

/** One walk at random from the beginning until nothing is possible any more. */
export async function walk(universe: Universe, seed: string): Promise<Walked> {
  const chance = seededIds(seed);
  const upTo = (most: number) => 1 + Math.floor(chance.random() * most);
  const [deliveries, faults] = [upTo(8), upTo(FAULTS_MAX)];
  const skews = Array.from({ length: upTo(4) }, () => Math.round((2 * chance.random() - 1) * SKEW_MS_MAX));
  const schedule: string[] = [];
  const course = { deliveries, faults, skews, schedule };
  universe.skews = skews;
  let world = firstWorld(universe, deliveries, faults);
  const trail = new Trail(world);
  while (schedule.length < STEPS_MAX) {
    const { steps, stuck } = await lookAt(universe, world, WALK_ENTRIES);
    if (stuck) return { course, violation: stuck };
    const step = chosen(steps, world, chance);
    if (!step) break;
    schedule.push(step.name);
    const violation = violationIn(universe, world, step) ?? trail.goTo(step.after);
    if (violation) return { course, violation };
    world = step.after;
  }
  return { course, violation: undefined };
}

function chosen<Of extends { readonly after: World }>(
  steps: readonly Of[],
  world: World,
  chance: Ids,
): Of | undefined {
  const faulty = steps.filter(({ after }) => after.faults < world.faults);
  const ordinary = steps.filter(({ after }) => after.faults === world.faults);
  const isFault = faulty.length > 0 && (ordinary.length === 0 || chance.random() < FAULT_RATE);
  const from = isFault ? faulty : ordinary;
  return from[Math.floor(chance.random() * from.length)];
}

/** Goes a course again; steps that are not possible are left out. What it breaks, and the steps that were gone. */
export async function goAgain(universe: Universe, course: Course): Promise<Walked> {
  universe.skews = course.skews;
  let world = firstWorld(universe, course.deliveries, course.faults);
  const trail = new Trail(world);
  const schedule: string[] = [];
  const gone = () => ({ ...course, schedule });
  for (const name of course.schedule) {
    const { steps, stuck } = await lookAt(universe, world, WALK_ENTRIES);
    if (stuck) return { course: gone(), violation: stuck };
    const step = steps.find(candidate => candidate.name === name);
    if (!step) continue;
    schedule.push(name);
    const violation = violationIn(universe, world, step) ?? trail.goTo(step.after);
    if (violation) return { course: gone(), violation };
    world = step.after;
  }
  const { stuck } = await lookAt(universe, world, WALK_ENTRIES);
  return { course: gone(), violation: stuck };
}

/** A shorter course that breaks the same invariant: pieces are left out, ever smaller ones, as long as that helps. */
export async function shrunk(universe: Universe, walked: Walked): Promise<Walked> {
  let best = walked;
  for (let size = Math.ceil(best.course.schedule.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.course.schedule.length; ) {
      const schedule = best.course.schedule.filter((_, index) => index < at || index >= at + size);
      const tried = await goAgain(universe, { ...best.course, schedule });
      const isShorter = tried.course.schedule.length < best.course.schedule.length;
      if (isShorter && tried.violation?.invariant === walked.violation?.invariant) best = tried;
      else at += size;
    }
  }
  return best;
}
