import type { ModelState, Recovery } from '../model/model-state';
import { counts, recordText } from '../model/record';
import { executionAt, type StateSpace } from '../model/state-space';
import { isFailureHeardOf } from '../transition/recovery';
import { indexCalled, isRedelivered, redeliveryOf } from '../transition/redelivery';
import { type Violation, violationOf } from './invariants';
import { nameOfRedelivery, promised } from './redelivery-invariants';

/** Checked of final states, in which everything has ended, redeliveries too. */
export const REDELIVERED = {
  name: 'redelivered',
  says: [
    'When everything has ended and a record says that a step has failed, its event was delivered again as often as deployed.',
    'Otherwise its execution was stopped, no event of its failure came, or its redelivery was stopped.',
    'A redelivery abandons its event only then, or if the record is gone or its input cannot be read.',
    'It reports that where failures are sent, and does not fail.',
  ].join(' '),
} as const;

/** The fault if everything has ended without a redelivery; undefined if no redelivery was promised. */
export function missingRedelivery(space: StateSpace, over: ModelState): Violation | undefined {
  const all = over.recoveries.filter(({ redelivery }) => redelivery);
  const wrong = all.find(each => isWrongEnd(space, over, each));
  if (wrong) return unredelivered(`${nameOfRedelivery(wrong)} has ended: ${wrong.phase}`);
  const record = space.recordOf(over);
  if (!counts(record, over.now) || !isRedelivered(record)) return undefined;
  const owner = indexCalled(space, over, record['owner']?.['S']);
  if (owner === undefined) return undefined;
  const { of } = redeliveryOf(over, owner);
  // It was stopped when its step had failed, or its time was over: its event starts nothing.
  if (!isFailureHeardOf(executionAt(space, over, of).execution)) return undefined;
  const isEnd = ({ execution, phase }: Recovery) =>
    execution === of && ['givenUp', 'stopped', 'unheard'].includes(phase);
  return all.some(isEnd)
    ? undefined
    : unredelivered(`the record is ${recordText(record)}, and its event is not delivered again`);
}

function isWrongEnd(space: StateSpace, over: ModelState, recovery: Recovery): boolean {
  const { phase, knows, redelivery } = recovery;
  if (phase === 'failed' || (phase === 'nothingLeft' && knows.isMissing)) return true;
  if (phase !== 'givenUp') return false;
  if (space.subject.workflow.traits.sendsFailures && !knows.isTold) return true;
  const { times } = redeliveryOf(over, redelivery?.last ?? -1);
  const isExhausted = times >= promised(space).maxAttempts && redelivery?.saw === 'failed';
  return !isExhausted && !knows.isMissing && !knows.isUnread;
}

function unredelivered(seen: string): Violation {
  return violationOf(REDELIVERED, seen);
}
