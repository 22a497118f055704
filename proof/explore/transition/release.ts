import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { isQuiet } from './effects';
import { type Step, silent } from './step';

/** What a person writes into a record that is released. */
const RELEASED = JSON.stringify({ Error: 'Idempotency.Released', Cause: 'by an operator' });
/** What recovery writes into one. */
const RELEASED_BY_RECOVERY = JSON.stringify({ Error: 'Idempotency.Released', Cause: 'by recovery' });

/** Whether a record is held for review, until a person releases it. */
export function isParked(record: Item | undefined): boolean {
  return record?.['status']?.['S'] === 'HELD';
}

/** Whether recovery has released a record, as its owner can never go on: it delivers again. */
export function isReleasedByRecovery(record: Item | undefined): boolean {
  return record?.['status']?.['S'] === 'RELEASED' && record['error']?.['S'] === RELEASED_BY_RECOVERY;
}

/** Whether a person has released a record: the next delivery goes on. */
export function isReleasedByHand(record: Item | undefined): boolean {
  return record?.['status']?.['S'] === 'RELEASED' && !isReleasedByRecovery(record);
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
  const freed: Item = { ...record, status: { S: 'RELEASED' }, error: { S: RELEASED } };
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
