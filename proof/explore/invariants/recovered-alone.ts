import type { ModelState, Recovery } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { isHeardOf, isOver } from '../transition/recovery';
import { runWithoutFaults } from './faultless-run';
import type { Violation } from './invariants';
import { missingRecovery } from './recovered';

/**
 * Lets recovery alone bring everything to its end, without faults and without another delivery: started by the events
 * of what has ended, and once more by the search alone. Undefined where it does, and where there is no recovery.
 */
export function checkRecoveryAlone(space: StateSpace, quiet: ModelState): Violation | undefined {
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

function recoveredFrom(space: StateSpace, from: ModelState): Violation | undefined {
  const { model, violation } = runWithoutFaults(space, from, {
    name: ALONE,
    channel: 'direct',
    skipped: /^(ttl|near)/,
    isOver: reached => isOver(space, reached),
  });
  if (violation) return violation;
  const unrecovered = missingRecovery(space, model);
  return unrecovered && { ...unrecovered, seen: `${unrecovered.seen}, ${ALONE}` };
}

const ALONE = 'with recovery alone when everything had ended';
