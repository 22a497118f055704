import { itemIndexOf, nameOfEntry } from '../model/entries';
import type { ExecutionState } from '../model/execution-state';
import { type ModelState, numberAt } from '../model/model-state';
import { executionAt, type StateSpace } from '../model/state-space';
import { arrive, carryOut, withFacts, wornOut } from './effects';
import { type Fact, type Step, silent } from './step';

/** The state that writes a result as text. */
const RESULT = 'Record the result';

/** How often an evaluation meets a limit in one fault: as often as the definition tries. */
const LIMITS = 3;

/** The error where an evaluation meets a limit. Its cause is an unknown text. */
export const LIMIT = { kind: 'failed', error: 'States.QueryEvaluationError', cause: '\u2026' } as const;

/**
 * Expressions of the claim cannot be evaluated within the service's limits: those of its request, once or several
 * times; or what follows the put, several times. Those of a result cannot, to the last retry.
 */
export function meetsLimits(
  space: StateSpace,
  model: ModelState,
  index: number,
  { call }: ExecutionState,
): Step[] {
  if (call === null) return [];
  const name = `limit${nameOfEntry(index)}`;
  if (call.stateName === RESULT) {
    // The last fault: recovery holds a COMPLETED record whose result is lost, which no invariant knows.
    if (model.faults > 0) return [];
    const step = wornOut(space, model, index, LIMIT.error);
    const goesOn = executionAt(space, step.after, index).execution.status === 'RUNNING';
    return goesOn ? [{ ...step, name: `${name}:result` }] : [];
  }
  if (call.resource !== 'dynamodb:putItem') return [];
  const [number, itemIndex] = [numberAt(model, index), itemIndexOf(index)];
  const worn: Fact = { kind: 'wornOut', of: 'workflow', number, itemIndex, error: LIMIT.error };
  return [
    { ...withFacts([worn], limitsOf(space, model, index, true)), name },
    { ...withFacts([worn], limitsOf(space, model, index, false)), name: `${name}:request` },
    { ...arrive(space, model, index, LIMIT), name: `${name}:request-once` },
  ];
}

/** Several claims of which the request, or what follows the put, cannot be evaluated. */
function limitsOf(space: StateSpace, from: ModelState, index: number, isPut: boolean): Step {
  let step: Step = silent('', from);
  const go = ({ after, facts }: Pick<Step, 'after' | 'facts'>) => {
    step = { name: '', after, facts: [...step.facts, ...facts] };
  };
  for (let times = 0; times < LIMITS; ) {
    const { call } = executionAt(space, step.after, index);
    if (call?.resource !== 'dynamodb:putItem') break;
    times += 1;
    if (!isPut) {
      go(arrive(space, step.after, index, LIMIT));
      continue;
    }
    const made = carryOut(space, step.after, call, index);
    const isLimit = made.result.kind === 'succeeded';
    const { after, facts } = arrive(space, made.model, index, isLimit ? LIMIT : made.result);
    go({ after, facts: [...made.facts, ...facts] });
  }
  return step;
}
