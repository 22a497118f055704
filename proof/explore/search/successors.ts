import type { Next, TransitionSystem } from '../../../packages/local/explore/kernel/index';
import { missingRecovery } from '../invariants/final-recovery';
import { missingRedelivery } from '../invariants/final-redelivery';
import { type Violation, violationIn } from '../invariants/invariants';
import { probeForStuckKey } from '../invariants/nothing-is-stuck';
import { remembered } from '../invariants/remembered';
import { Trail, waitsForNothing } from '../invariants/termination';
import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { faultSteps } from '../transition/faults';
import { isOver as hasEnded } from '../transition/recovery';
import type { Step } from '../transition/step';
import { type Channel, ordinarySteps } from '../transition/steps';

/** The workflow as a transition system: its steps, faults included, and what the invariants say of them. */
export function systemOf(
  space: StateSpace,
  channels: readonly Channel[],
): TransitionSystem<ModelState, Step, Violation> {
  return {
    next: model => successorsOf(space, model, channels),
    problemWith: (model, step) => violationIn(space, model, step),
  };
}

/** The same along one trace, which violates an invariant if it comes back to one of its states. */
export function systemAlong(space: StateSpace, first: ModelState, channels: readonly Channel[]) {
  const trail = new Trail(space, first);
  const { next } = systemOf(space, channels);
  const problemWith = (model: ModelState, step: Step) =>
    violationIn(space, model, step) ?? trail.goTo(step.after);
  return { next, problemWith };
}

/** Works out what can happen next, faults included, and what is wrong if nothing goes on. */
export function successorsOf(
  space: StateSpace,
  model: ModelState,
  channels: readonly Channel[],
): Next<Step, Violation> {
  const ordinary = [...ordinarySteps(space, model, channels)];
  const steps = [...ordinary, ...faultSteps(space, model, channels)];
  const wrong = wrongIfStill(space, model, channels, ordinary);
  return {
    steps: steps.map(step => remembered(model, step)),
    problem: wrong && !space.subject.unchecked?.includes(wrong.invariant) ? wrong : undefined,
  };
}

/** The fault of a state in which everything has ended, or nothing can happen without a fault. */
function wrongIfStill(
  space: StateSpace,
  model: ModelState,
  channels: readonly Channel[],
  ordinary: readonly Step[],
): Violation | undefined {
  if (model.delivered === 0) return undefined;
  if (!hasEnded(space, model)) return ordinary.length === 0 ? waitsForNothing(space, model) : undefined;
  return (
    (space.recovery && missingRecovery(space, model)) ??
    (space.redelivery && missingRedelivery(space, model)) ??
    probeForStuckKey(space, model, channels)
  );
}
