import type { Violation } from './invariants';
import { shown } from './invariants';
import { counts, isStored, remembered } from './past';
import { isQuiet, stateAt } from './world/moves';
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
  const violation = entries
    .filter(entry => entry === 'direct' || universe.dispatcher)
    .map(entry => triedAt(universe, quiet, entry))
    .find(tried => tried !== undefined);
  if (!violation) universe.notStuck.add(key);
  return violation;
}

function triedAt(universe: Universe, quiet: World, entry: Entry): Violation | undefined {
  const once = deliveredTo(universe, { ...quiet, faults: 0 }, entry);
  const end = statusOf(universe, once) === 'FAILED' ? deliveredTo(universe, once, entry) : once;
  if (statusOf(universe, end) === 'COMPLETED') return unansweredAt(universe, end);
  return stuck(`with more deliveries the record is ${shown(universe.recordOf(end))}`);
}

function unansweredAt(universe: Universe, completed: World): Violation | undefined {
  const next = deliveredTo(universe, completed, 'direct');
  const { status, end } = stateAt(universe, next, next.executions.length - 1).execution;
  if (status !== 'SUCCEEDED') {
    return stuck(`a delivery of a COMPLETED record ends ${status}, ${end?.error ?? ''}`);
  }
  const answer = end?.output?.text ?? '';
  if (isStored(answer, next.past)) return undefined;
  return stuck(`a delivery of a COMPLETED record is answered with ${answer}`);
}

function stuck(seen: string): Violation {
  return { invariant: NOTHING_IS_STUCK.name, says: NOTHING_IS_STUCK.says, seen };
}

function statusOf(universe: Universe, world: World): unknown {
  const record = universe.recordOf(world);
  return counts(record, world.now) ? record['status']?.['S'] : undefined;
}

function deliveredTo(universe: Universe, quiet: World, entry: Entry): World {
  const rested = rest(universe, quiet);
  const delivered = deliveries(
    universe,
    { ...rested, deliveries: rested.delivered + 1 },
    [entry],
    payloadFor(universe, rested),
  );
  return delivered[0] ? run(universe, delivered[0].after, entry) : rested;
}

// Another payload would be refused, rightly.
function payloadFor(universe: Universe, world: World): number {
  return counts(universe.recordOf(world), world.now) ? (world.past.payload ?? 0) : 0;
}

function rest(universe: Universe, world: World): World {
  const next = nextInstant(universe, world);
  if (next !== undefined) return rest(universe, { ...world, now: next, strays: [] });
  // Until the slowest clock has seen it, too.
  return { ...world, now: world.now + 2 * world.skewMs };
}

/** The first step that is possible, again and again; time passes only where nothing else does. */
function run(universe: Universe, from: World, entry: Entry): World {
  let world = from;
  for (let count = 0; count < STEPS_MAX; count += 1) {
    if (world.delivered === world.deliveries && isQuiet(universe, world)) return world;
    const steps = ordinarySteps(universe, world, [entry]).filter(({ name }) => name !== 'ttl');
    const step = steps.find(({ name }) => name !== 'pass') ?? steps[0];
    if (!step) return world;
    world = remembered(world, step).after;
  }
  return world;
}
