import type { ModelState, Recovery } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { isHeardOf, isOver } from '../transition/recovery';
import { ordinarySteps } from '../transition/steps';
import { type Violation, violationIn } from './invariants';
import { remembered } from './past';
import { unrecoveredAt } from './recovered';

/** More steps than any recovery takes to its end. */
const STEPS_MAX = 1000;

/**
 * Lets recovery alone bring everything to its end, without faults and without another delivery: started by the events
 * of what has ended, and once more by the search alone. Undefined where it does, and where there is no recovery.
 */
export function aloneAt(space: StateSpace, quiet: ModelState): Violation | undefined {
  if (!space.recovery) return undefined;
  const still: ModelState = { ...quiet, faults: 0, deliveries: quiet.delivered };
  return recoveredFrom(space, still) ?? recoveredFrom(space, withoutEvents(space, still));
}

/** The same with the event of each end lost: the search finds it. */
function withoutEvents(space: StateSpace, model: ModelState): ModelState {
  const recoveries = model.executions.flatMap((number, index): Recovery[] => {
    const { execution } = space.workflow.get(number);
    if (!isHeardOf(execution)) return [];
    const { redriveCount: redrives } = execution;
    return [{ execution: index, redrives, phase: 'unheard', state: undefined, knows: {} }];
  });
  return { ...model, recoveries };
}

/** The first step that is possible, again and again; time passes only where nothing else does. */
function recoveredFrom(space: StateSpace, from: ModelState): Violation | undefined {
  let model = from;
  for (let count = 0; count < STEPS_MAX && !isOver(space, model); count += 1) {
    const steps = ordinarySteps(space, model, ['direct']).filter(({ name }) => !/^(ttl|near)/.test(name));
    const step = steps.find(({ name }) => name !== 'pass') ?? steps[0];
    if (!step) break;
    const made = remembered(model, step);
    const violation = violationIn(space, model, made);
    if (violation) return { ...violation, seen: `${violation.seen}, ${ALONE}` };
    model = made.after;
  }
  const violation = unrecoveredAt(space, model);
  return violation && { ...violation, seen: `${violation.seen}, ${ALONE}` };
}

const ALONE = 'with recovery alone when everything had ended';
