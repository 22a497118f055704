import { waitsForNothing } from '../invariants/everything-ends';
import type { Violation } from '../invariants/invariants';
import { stuckAt } from '../invariants/nothing-is-stuck';
import { remembered } from '../invariants/past';
import { unrecoveredAt } from '../invariants/recovered';
import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { faultSteps } from '../transition/faults';
import { isOver as hasEnded } from '../transition/recovery';
import type { Step } from '../transition/step';
import { type Channel, ordinarySteps } from '../transition/steps';

/** What can happen next in a state, and what is wrong with it where nothing goes on. */
export interface Successors {
  readonly steps: readonly Step[];
  readonly stuck: Violation | undefined;
}

/** Works out what can happen next, faults included. */
export function successorsOf(space: StateSpace, model: ModelState, channels: readonly Channel[]): Successors {
  const ordinary = [...ordinarySteps(space, model, channels)];
  const steps = [...ordinary, ...faultSteps(space, model, channels)];
  const stuck = stillnessOf(space, model, { channels, isOver: ordinary.length === 0 });
  return {
    steps: steps.map(step => remembered(model, step)),
    stuck: stuck && !space.subject.unchecked?.includes(stuck.invariant) ? stuck : undefined,
  };
}

interface Stillness {
  readonly channels: readonly Channel[];
  /** Whether nothing can happen any more without a fault. */
  readonly isOver: boolean;
}

function stillnessOf(
  space: StateSpace,
  model: ModelState,
  { channels, isOver }: Stillness,
): Violation | undefined {
  if (model.delivered === 0) return undefined;
  if (hasEnded(space, model)) {
    return (space.recovery && unrecoveredAt(space, model)) ?? stuckAt(space, model, channels);
  }
  return isOver ? waitsForNothing(space, model) : undefined;
}
