import { ALWAYS, eq, sum, times } from '../../../state-machine/contract/condition';
import { stepSeconds } from '../../../state-machine/contract/conditions';
import { WAS_BY_RECOVERY } from '../../../state-machine/contract/recovery-rules';
import {
  changeRows,
  changeToken,
  changeValue,
  type DraftObject,
  dropCondition,
  dropRules,
  objectAt,
  replaceIn,
  replaceValue,
  rulesOf,
  setRules,
  stateOf,
} from '../mutations/edit';
import type { Mutation } from '../mutations/mutation';
import { ofRecovery, type VariantMutation } from './mutation';
import type { VariantName } from './variants';

const BEGIN = 'Is there something to recover?';
const DUE = 'What is due?';
const WAIT = 'Wait until nothing can act';
const ON_FAILURE = 'recovery-on-failure';

/** A schedule that misses each: tests replay it, where the search takes long. */
const SCHEDULES: Readonly<Record<string, string>> = {
  'recovery-old-read':
    'start1 do1 do1 abort1 ends1.1 tell1 recover1 pass pass wake1 recover1 slow-recovery1 release pass released start2 do2 do2 do2 do2 recover1 recover1 do1',
  'recovery-without-token':
    'start1 do1 abort1 tell1 recover1 tell1:again recover2 pass pass wake1 wake2 recover1 recover2 recover1 recover2 recover1 do1 abort1 recover2 do1',
  'recovery-pending-is-dead':
    'start1 do1 abort1 tell1 tell1:again recover1 recover2 pass pass wake1 wake2 recover1 recover1 recover1 pending-recovery2 recover2 recover2',
  'recovery-released-by-anybody':
    'start1 do1 do1 abort1 ends1.1 tell1 recover1 pass pass release pass released wake1 recover1 recover1 recover1',
};

/** Recovery begins with a fault. */
const BUDGETS: VariantMutation['budgets'] = [
  [1, 1],
  [2, 1],
  [1, 2],
];

/** Counts the step's time in another way, wherever recovery waits for its end. */
function changeTime(draft: DraftObject, milliseconds: number): void {
  const change = [times(stepSeconds(STEP_SECONDS), 1000), sum(milliseconds)] as const;
  changeValue(draft, DUE, ['Too early'], change);
  replaceValue(stateOf(draft, WAIT), 'Timestamp', change);
}

/** For how long the step of `recovery` may run. */
const STEP_SECONDS = 40;

/** The guards of recovery's own definition, and of how a delivery starts it. */
export const RECOVERY_MUTATIONS: readonly VariantMutation[] = [
  recovery('the-living', 'releases the record of an owner that is running', draft =>
    dropRules(draft, DUE, ['The owner is running']),
  ),
  recovery('pending-is-dead', 'releases the record of an owner that is about to go on', draft =>
    setRules(
      draft,
      DUE,
      ['The owner is running'],
      eq({ is: 'owner', name: 'status', as: 'text' }, 'RUNNING'),
    ),
  ),
  recovery('gave-up-is-redriven', 'redrives an owner into the Fail state that it ended in', draft =>
    dropRules(draft, DUE, ['The owner ended before its step']),
  ),
  recovery('release-before-redrive', 'releases the record of an owner that could go on', draft =>
    setRules(draft, DUE, ['The owner can never go on'], ALWAYS),
  ),
  recovery('dead-for-good-stays', 'leaves an owner alone that cannot be redriven any more', draft => {
    for (const rule of rulesOf(draft, DUE, ['The owner can never go on']))
      rule['Next'] = 'Nothing left to recover';
  }),
  recovery('dead-for-good-is-redriven', 'redrives an owner that cannot be redriven any more', draft =>
    dropRules(draft, DUE, ['The owner can never go on']),
  ),
  ...[0, 10_000, 20_000, 29_999].map(milliseconds =>
    recovery(`step-time-of-${milliseconds}-ms`, 'acts while the step may be running', draft =>
      changeTime(draft, milliseconds),
    ),
  ),
  recovery('without-a-wait', 'acts at once', draft => {
    dropRules(draft, DUE, ['Too early', 'It may become unfinished']);
  }),
  recovery('not-its-own-yet', 'does not wait for a request of the owner that is on its way', draft =>
    dropRules(draft, DUE, ['It may become unfinished']),
  ),
  recovery('one-look', 'decides by the record as it was before it waited', draft => {
    stateOf(draft, 'Ask about the owner')['Next'] = DUE;
  }),
  recovery('without-token', 'redrives an owner as often as it was seen ended', draft =>
    changeToken(draft, () => undefined),
  ),
  recovery('old-read', 'redrives an owner by a record that was read long ago', draft =>
    changeToken(draft, token => token.replace(/^\{% .* \? (\$hash\(.*\)) : \$error\(.*\) %\}$/, '{% $1 %}')),
  ),
  recovery('release-unconditional', 'releases a record that has changed meanwhile', draft =>
    dropCondition(draft, 'Release the record'),
  ),
  recovery('release-expires', 'lets a released record be forgotten', draft => {
    const request = objectAt(draft, 'States', 'Release the record', 'Arguments');
    replaceIn(request, 'UpdateExpression', 'SET ', 'SET expiry = :later, ');
    objectAt(request, 'ExpressionAttributeValues')[':later'] = {
      N: '{% $string($floor($millis() / 1000) + 60) %}',
    };
  }),
  recovery('release-not-delivered', 'releases a record, and delivers nothing', draft => {
    stateOf(draft, 'Release the record')['Next'] = 'Nothing left to recover';
  }),
  recovery('released-is-left', 'leaves what a recovery has released that was stopped then', draft =>
    dropRules(draft, DUE, ['Released by a recovery']),
  ),
  recovery('released-by-anybody', 'delivers what a person has released', draft =>
    changeRows(draft, DUE, ['Released by a recovery'], [WAS_BY_RECOVERY, ALWAYS]),
  ),
  recovery('forgotten-is-delivered', 'delivers what may have been done, and forgotten', draft =>
    dropRules(draft, DUE, ['Its record may be gone']),
  ),
  recovery('unclaimed-is-left', 'leaves an execution that was interrupted before its claim', draft =>
    dropRules(draft, DUE, ['It never claimed its key']),
  ),
  recovery('name-taken', 'fails where another recovery of the same end has delivered', draft => {
    delete stateOf(draft, 'Deliver again')['Catch'];
  }),
  recovery('unknown-fails', 'fails where Step Functions does not know the execution any more', draft => {
    delete stateOf(draft, 'Ask about the owner')['Catch'];
  }),
  recovery('cut-off', 'does not take up what a recovery was at that was stopped', draft =>
    dropRules(draft, BEGIN, ['A recovery that was interrupted']),
  ),
  recovery('input', 'looks at nothing of which the event does not tell the input', draft => {
    stateOf(draft, 'Read the input')['Next'] = 'Nothing left to recover';
  }),
  recovery(
    'notice-is-not-owed',
    'sends no notice',
    draft => dropRules(draft, DUE, ['It has to send a notice, or to end']),
    ON_FAILURE,
  ),
  recovery(
    'given-up-untold',
    'gives up, and sends no notice',
    draft => {
      objectAt(draft, 'States')['Notify'] = { Type: 'Pass', Next: 'Given up' };
    },
    ON_FAILURE,
  ),
];

/** A mutant of recovery's definition, of a variant in which recovery is among what can happen. */
function recovery(
  name: string,
  says: string,
  change: Mutation['change'],
  variant: VariantName = 'recovery',
): VariantMutation {
  const mutation = ofRecovery(variant, name, says, change);
  const { [mutation.name]: schedule } = SCHEDULES;
  return { ...mutation, budgets: BUDGETS, ...(schedule !== undefined && { schedule }) };
}
