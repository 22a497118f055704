import type { Violation } from './invariants';
import { shown } from './invariants';
import { counts, remembered } from './past';
import { payloadOf } from './world/events';
import { isQuiet, stateAt } from './world/moves';
import { placeOfArn } from './world/step-functions';
import { deliveries, type Entry, ordinarySteps } from './world/steps';
import { nextInstant } from './world/time';
import type { Universe, World } from './world/world';

/** What is checked where everything has ended. */
export const NOTHING_IS_STUCK = {
  name: 'nothingIsStuck',
  says: 'When faults have stopped and the grace is over, one more delivery makes the record COMPLETED, or two where it brings back an owner whose step had failed; and the next one is answered with its result.',
} as const;

/** More steps than any delivery takes to its end. */
const STEPS_MAX = 400;

/**
 * Lets the grace pass, delivers once more without faults, and looks at the record when all has ended. Undefined where
 * it is COMPLETED.
 *
 * @throws Pending
 */
export function stuckAt(universe: Universe, quiet: World, entries: readonly Entry[]): Violation | undefined {
  const { now, table, executions, delivered } = quiet;
  const key = [now, table, delivered, executions.join(), universe.skews.join()].join('|');
  if (universe.notStuck.has(key)) return undefined;
  const violation = triedAt(universe, quiet, entries);
  if (!violation) universe.notStuck.add(key);
  return violation;
}

function triedAt(universe: Universe, quiet: World, entries: readonly Entry[]): Violation | undefined {
  const once = deliveredTo(universe, { ...quiet, faults: 0 }, entries);
  const end = statusOf(universe, once) === 'FAILED' ? deliveredTo(universe, once, entries) : once;
  if (statusOf(universe, end) === 'COMPLETED') return unansweredAt(universe, end);
  return {
    invariant: NOTHING_IS_STUCK.name,
    says: NOTHING_IS_STUCK.says,
    seen: `with more deliveries the record is ${shown(universe.recordOf(end))}`,
  };
}

function unansweredAt(universe: Universe, completed: World): Violation | undefined {
  const next = deliveredTo(universe, completed, ['direct']);
  const { execution } = stateAt(universe, next, next.executions.length - 1);
  if (execution.status === 'SUCCEEDED') return undefined;
  const seen = `a delivery of a COMPLETED record ends ${execution.status}, ${execution.end?.error ?? ''}`;
  return { invariant: NOTHING_IS_STUCK.name, says: NOTHING_IS_STUCK.says, seen };
}

function statusOf(universe: Universe, world: World): unknown {
  const record = universe.recordOf(world);
  return counts(record, world.now) ? record['status']?.['S'] : undefined;
}

function deliveredTo(universe: Universe, quiet: World, entries: readonly Entry[]): World {
  const rested = rest(universe, quiet);
  const delivered = deliveries(
    universe,
    { ...rested, deliveries: rested.delivered + 1 },
    entries,
    payloadFor(universe, rested),
  );
  return delivered[0] ? run(universe, delivered[0].after, entries) : rested;
}

// Another payload would be refused, rightly.
function payloadFor(universe: Universe, world: World): number {
  const record = universe.recordOf(world);
  const owner = counts(record, world.now) ? placeOfArn(universe, world, record['owner']?.['S']) : undefined;
  return owner === undefined ? 0 : payloadOf(stateAt(universe, world, owner).execution.input.value);
}

function rest(universe: Universe, world: World): World {
  const next = nextInstant(universe, world);
  if (next !== undefined) return rest(universe, { ...world, now: next, strays: [] });
  // Until the slowest clock has seen it, too.
  return { ...world, now: world.now + 2 * world.skewMs };
}

/** The first step that is possible, again and again; time passes only where nothing else does. */
function run(universe: Universe, from: World, entries: readonly Entry[]): World {
  let world = from;
  for (let count = 0; count < STEPS_MAX; count += 1) {
    if (world.delivered === world.deliveries && isQuiet(universe, world)) return world;
    const steps = ordinarySteps(universe, world, entries.slice(0, 1)).filter(({ name }) => name !== 'ttl');
    const step = steps.find(({ name }) => name !== 'pass') ?? steps[0];
    if (!step) return world;
    world = remembered(world, step).after;
  }
  return world;
}
