import type { Violation } from './invariants';
import { placeOf } from './world/local-state';
import { stateAt } from './world/moves';
import { textOf, type Universe, type World } from './world/world';

/** What is checked of all worlds together: only so does each of them come to where everything has ended. */
export const EVERYTHING_ENDS = {
  name: 'everythingEnds',
  says: 'Everything ends: nothing waits for what never comes, and no order of things leads back to where it began.',
} as const;

/** What is wrong with a world in which nothing can happen any more, and not everything has ended. */
export function waitsForNothing(universe: Universe, world: World): Violation {
  const waiting = world.executions.flatMap((_, place) => {
    const state = stateAt(universe, world, place);
    return state.execution.status === 'RUNNING' ? [`execution ${place + 1} in "${placeOf(state)}"`] : [];
  });
  return broken(`nothing happens any more, with ${waiting.join(', ') || 'a dispatcher under way'}`);
}

/** What is wrong with a step that leads back to a world of before. */
export function goesRound(): Violation {
  return broken('everything is as it was before, and may go on so for ever');
}

function broken(seen: string): Violation {
  return { invariant: EVERYTHING_ENDS.name, says: EVERYTHING_ENDS.says, seen };
}

/** The worlds of one schedule: tells when one comes again. */
export class Trail {
  readonly #texts = new Set<string>();

  constructor(first: World) {
    this.#texts.add(textOf(first));
  }

  /** Goes on to a world; a violation where it was there before. */
  goTo(world: World): Violation | undefined {
    const { size } = this.#texts;
    return this.#texts.add(textOf(world)).size === size ? goesRound() : undefined;
  }
}
