import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { ModelState } from '../model/model-state';
import type { Releasing } from '../model/past';
import type { StateSpace } from '../model/state-space';
import { isQuiet } from './effects';
import { type Step, silent } from './step';

/** What a person writes into a record that is released. */
const RELEASED = JSON.stringify({ Error: 'Idempotency.Released', Cause: 'by an operator' });
/** What recovery writes into one. */
const RELEASED_BY_RECOVERY = JSON.stringify({ Error: 'Idempotency.Released', Cause: 'by recovery' });

/** Whether a record is held for review, until a person releases it. */
export function isHeld(record: Item | undefined): boolean {
  return record?.['status']?.['S'] === 'HELD';
}

/** Whether a person is about to release a record: one that was stopped meanwhile does so again. */
export function isBeingReleased(record: Item | undefined): boolean {
  return record?.['status']?.['S'] === 'RELEASING';
}

/** Whether recovery has released a record, as its owner can never go on: it delivers again. */
export function isReleasedByRecovery(record: Item | undefined): boolean {
  return record?.['status']?.['S'] === 'RELEASED' && record['error']?.['S'] === RELEASED_BY_RECOVERY;
}

/** Whether a person has released a record: the next delivery goes on. */
export function isReleasedByHand(record: Item | undefined): boolean {
  return record?.['status']?.['S'] === 'RELEASED' && !isReleasedByRecovery(record);
}

/** For how long a release holds the record first, milliseconds: no redrive is on its way by then. */
const HELD_MS = 80_000;

/**
 * Faults: a person releases a key that is held; beside recovery also one whose owner has ended, when no step of it may
 * be working. There the record is held first, and a release that is killed leaves it so.
 */
export function releases(space: StateSpace, model: ModelState): Step[] {
  const record = space.recordOf(model);
  if (!isStepOver(space, model)) return [];
  const faulty = { ...model, faults: model.faults - 1 };
  if (!space.recovery) {
    const isAtRest = isQuiet(space, model) && isHeld(record);
    return isAtRest
      ? [silent('release', released(space, faulty)), silent('complete', completed(space, faulty))]
      : [];
  }
  const status = String(record?.['status']?.['S']);
  const owner = ownerOf(space, model);
  if (!record || !['IN_PROGRESS', 'HELD', 'RELEASING'].includes(status) || !owner?.end) return [];
  const error = record['error']?.['S'];
  const releasing: Releasing = {
    since: model.now,
    redrives: owner.redriveCount,
    status: status === 'RELEASING' ? 'IN_PROGRESS' : status,
    ...(typeof error === 'string' && { error }),
  };
  const held = written(space, faulty, { ...record, status: { S: 'RELEASING' }, error: { S: RELEASED } });
  const { releasing: _, ...past } = held.past;
  const completion = { ...held, past: { ...past, releasing: { ...releasing, isCompletion: true as const } } };
  // Without its condition a completion goes on beside a release that another operator makes.
  const isBeside =
    model.past.releasing?.isCompletion &&
    space.subject.completionWithout === 'condition' &&
    status === 'RELEASING';
  if (isBeside) return [silent('release:beside', released(space, faulty))];
  return [
    silent('release', { ...held, past: { ...past, releasing } }),
    silent('release:killed', { ...held, past }),
    ...(status === 'HELD' ? [silent('complete', completion)] : []),
  ];
}

/** A release comes to its end: it writes the record, or gives it back where its owner was redriven meanwhile. */
export function releaseGoesOn(space: StateSpace, model: ModelState): Step[] {
  const { releasing, ...past } = model.past;
  if (!releasing || releasing.since + HELD_MS > model.now) return [];
  const record = space.recordOf(model);
  const over = { ...model, past };
  if (releasing.isCompletion && space.subject.completionWithout === 'condition')
    return [silent('completed', completed(space, over))];
  if (record?.['status']?.['S'] !== 'RELEASING') return [silent('released:too-late', over)];
  const owner = ownerOf(space, model);
  const isAsBefore = owner?.end && owner.redriveCount === releasing.redrives;
  if (isAsBefore && releasing.isCompletion) return [silent('completed', completed(space, over))];
  if (isAsBefore) return [silent('released', released(space, over))];
  const { error: _, ...others } = record;
  const { status, error } = releasing;
  const before: Item = {
    ...others,
    status: { S: status },
    ...(error !== undefined && { error: { S: error } }),
  };
  return [silent('released:not', written(space, over, before))];
}

/** When a release goes on; undefined where none is under way. */
export function releaseInstant({ past: { releasing } }: ModelState): number | undefined {
  return releasing && releasing.since + HELD_MS;
}

function ownerOf(space: StateSpace, model: ModelState) {
  const arn = space.recordOf(model)?.['owner']?.['S'];
  return model.executions
    .map(number => space.workflow.get(number).execution)
    .findLast(one => one.arn === arn);
}

function written(space: StateSpace, model: ModelState, record: Item): ModelState {
  const table = space.withRecord(model.table, record);
  return { ...model, table, tableBefore: space.asTableBefore(model.table) };
}

/** The model with the key freed: its record says so, and the next delivery may run the step. */
export function released(space: StateSpace, model: ModelState): ModelState {
  const record = space.recordOf(model);
  if (!record) return model;
  const freed: Item = { ...record, status: { S: 'RELEASED' }, error: { S: RELEASED } };
  const { mayHaveRun } = model.past;
  const allowed = model.past.successes.length + 1;
  const past = { ...model.past, allowed, mayHaveRun: mayHaveRun === undefined ? undefined : 0 };
  return { ...written(space, model, freed), past };
}

/** The result that an operator gives a key: what its step would have returned. */
const COMPLETED_RESULT = '"by hand"';

/** Whether an operator has completed a record, and it holds that result. */
export function isCompletedByHand(record: Item | undefined): boolean {
  return record?.['status']?.['S'] === 'COMPLETED' && record['result']?.['S'] === COMPLETED_RESULT;
}

/** The model with the key completed: an operator has taken the record over, and its step never runs again. */
function completed(space: StateSpace, model: ModelState): ModelState {
  const record = space.recordOf(model);
  if (!record) return model;
  const { retentionSeconds = 0 } = space.subject.workflow.traits;
  const owner = String(record['owner']?.['S']).split(':').slice(0, 7).join(':');
  const { error: _, ...others } = record;
  const done: Item = {
    ...others,
    status: { S: 'COMPLETED' },
    ...(space.subject.completionWithout !== 'owner' && {
      owner: { S: `${owner}:operator` },
      attempt: { N: String(Number(record['attempt']?.['N']) + 1) },
      claimId: { S: 'operator' },
    }),
    result: { S: COMPLETED_RESULT },
    expiry: { N: String(Math.floor(model.now / 1000) + retentionSeconds) },
  };
  const results = [...model.past.results.slice(-1), COMPLETED_RESULT];
  const past = { ...model.past, completedAt: model.now, results };
  return { ...written(space, model, done), past };
}

function isStepOver(space: StateSpace, model: ModelState): boolean {
  const owner = space.recordOf(model)?.['owner']?.['S'];
  return model.executions.every(number => {
    const { arn, end } = space.workflow.get(number).execution;
    return arn !== owner || !end || end.at + space.workflow.stepMsOf(number) <= model.now;
  });
}
