import { nameOfEntry, whichOf } from '../model/entries';
import type { ExecutionState } from '../model/execution-state';
import { type ModelState, numberAt } from '../model/model-state';
import { executionAt, type StateSpace } from '../model/state-space';
import { arrive, carryOut, settle } from './effects';
import { type Step, silent } from './step';

/** How often an evaluation meets a limit in one fault: as often as the definition tries. */
const LIMITS = 3;

/** The error where an evaluation meets a limit. Its cause is a text that nobody knows. */
export const LIMIT = { kind: 'failed', error: 'States.QueryEvaluationError', cause: '\u2026' } as const;

/** The state that evaluates the key by itself, when an expression of the claim could not be evaluated. */
const CHECK = /(?:^|: )Check the key$/;

/**
 * Expressions of the claim cannot be evaluated within the service's limits: those of its request, once or several
 * times; what follows the put, several times; or that of the key, when it is evaluated by itself.
 */
export function meetsLimits(
  space: StateSpace,
  model: ModelState,
  index: number,
  { call }: ExecutionState,
): Step[] {
  if (call === null) return [];
  const name = `limit${nameOfEntry(index)}`;
  if (CHECK.test(call.stateName)) {
    const worn = space.workflow.exhausted(numberAt(model, index), LIMIT.error, model.now, whichOf(index));
    return [{ ...settle(space, model, index, worn), name }];
  }
  if (call.resource !== 'dynamodb:putItem') return [];
  return [
    { ...limitsOf(space, model, index, true), name },
    { ...limitsOf(space, model, index, false), name: `${name}:request` },
    { ...arrive(space, model, index, LIMIT), name: `${name}:request-once` },
  ];
}

/** Several claims of which the request, or what follows the put, cannot be evaluated; the key can, each time. */
function limitsOf(space: StateSpace, from: ModelState, index: number, isPut: boolean): Step {
  let step: Step = silent('', from);
  const go = ({ after, facts }: Pick<Step, 'after' | 'facts'>) => {
    step = { name: '', after, facts: [...step.facts, ...facts] };
  };
  for (let times = 0; times < LIMITS; ) {
    const { call } = executionAt(space, step.after, index);
    const isClaim = call?.resource === 'dynamodb:putItem';
    if (!call || (!isClaim && !CHECK.test(call.stateName))) break;
    if (isClaim) times += 1;
    if (isClaim && !isPut) {
      go(arrive(space, step.after, index, LIMIT));
      continue;
    }
    const made = carryOut(space, step.after, call, index);
    const isLimit = isClaim && made.result.kind === 'succeeded';
    const { after, facts } = arrive(space, made.model, index, isLimit ? LIMIT : made.result);
    go({ after, facts: [...made.facts, ...facts] });
  }
  return step;
}
