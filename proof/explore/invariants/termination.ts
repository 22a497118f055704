import { currentState } from '../model/execution-state';
import { hexadecimal } from '../model/interned';
import type { ModelState } from '../model/model-state';
import { PackedStates } from '../model/packed-states';
import { executionAt, type StateSpace } from '../model/state-space';
import { type Violation, violationOf } from './invariants';

/** Checked of all states together: from each of them, everything ends. */
export const EVERYTHING_ENDS = {
  name: 'everythingEnds',
  says: 'Everything ends: nothing waits for what never comes, and no order of things leads back to where it began.',
} as const;

/** The fault of a state in which nothing can happen any more, although not everything has ended. */
export function waitsForNothing(space: StateSpace, model: ModelState): Violation {
  const waiting = model.executions.flatMap((_, index) => {
    const state = executionAt(space, model, index);
    return state.execution.status === 'RUNNING' ? [`execution ${index + 1} in "${currentState(state)}"`] : [];
  });
  return broken(
    `nothing happens any more, with ${waiting.join(', ') || 'a dispatcher, a request or a recovery under way'}`,
  );
}

/** The fault of a step that leads back to an earlier state. */
export function goesRound(): Violation {
  return broken('everything is as it was before, and may go on so for ever');
}

function broken(seen: string): Violation {
  return violationOf(EVERYTHING_ENDS, seen);
}

/** The states of one schedule: notices when one comes again. */
export class Trail {
  readonly #packed: PackedStates;
  readonly #met = new Set<string>();

  constructor(space: StateSpace, first: ModelState) {
    this.#packed = new PackedStates(space);
    this.#met.add(this.#nameOf(first));
  }

  /** Goes on to a state; a violation if it was there before. */
  goTo(model: ModelState): Violation | undefined {
    const { size } = this.#met;
    return this.#met.add(this.#nameOf(model)).size === size ? goesRound() : undefined;
  }

  #nameOf(model: ModelState): string {
    this.#packed.pack(model);
    return hexadecimal(this.#packed.hash());
  }
}
