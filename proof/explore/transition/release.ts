import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { isQuiet } from './effects';
import { type Step, silent } from './step';

/** What a record holds that nobody knows the outcome of. */
const IN_DOUBT = 'Idempotency.InDoubt';
/** What a person writes into it. */
const RELEASED = JSON.stringify({ Error: 'Idempotency.Released', Cause: '{}' });

/** Whether a record is in doubt, until a person frees it. */
export function isParked(record: Item | undefined): boolean {
  const error = record?.['error']?.['S'];
  return record?.['status']?.['S'] === 'FAILED' && typeof error === 'string' && error.includes(IN_DOUBT);
}

/** A fault: a person frees a key that is in doubt, when nothing of it is under way and no step may be working. */
export function releases(space: StateSpace, model: ModelState): Step[] {
  const isAtRest = isQuiet(space, model) && isStepOver(space, model);
  if (!isAtRest || !isParked(space.recordOf(model))) return [];
  return [silent('release', { ...released(space, model), faults: model.faults - 1 })];
}

/** The model with the key freed: its record says so, and the next delivery may run the step. */
export function released(space: StateSpace, model: ModelState): ModelState {
  const record = space.recordOf(model);
  if (!record) return model;
  const freed: Item = { ...record, error: { S: RELEASED } };
  const table = space.withRecord(model.table, freed);
  const past = { ...model.past, allowed: model.past.successes.length + 1, mayHaveRun: 0 };
  return { ...model, table, tableBefore: space.asTableBefore(model.table), past };
}

function isStepOver(space: StateSpace, model: ModelState): boolean {
  const owner = space.recordOf(model)?.['owner']?.['S'];
  return model.executions.every(number => {
    const { arn, end } = space.workflow.get(number).execution;
    return arn !== owner || !end || end.at + space.workflow.stepMsOf(number) <= model.now;
  });
}
