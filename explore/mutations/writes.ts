import {
  changeCondition,
  dropCondition,
  dropRetries,
  dropUnused,
  listOf,
  objectAt,
  replaceIn,
  stateOf,
} from './edit';
import type { Mutation, SpareGuard } from './mutation';

const CLAIM = 'Claim record';
const TAKE_OVER = 'Take over';
const COMPLETED = 'Finalize: completed';
const FAILED = 'Finalize: failed';

function claim(name: string, says: string, change: Mutation['change']): Mutation {
  return { name: `claim-${name}`, says, of: 'workflow', change };
}

function takeover(name: string, says: string, change: Mutation['change']): Mutation {
  return { name: `takeover-${name}`, says, of: 'workflow', change };
}

function finalize(name: string, says: string, change: Mutation['change']): Mutation {
  return { name: `finalize-${name}`, says, of: 'workflow', change };
}

/** The guards of the three conditional writes. */
export const WRITE_MUTATIONS: readonly Mutation[] = [
  claim('unconditional', 'claims whatever is there', draft => dropCondition(draft, CLAIM)),
  claim('only-expired', 'does not claim a key without a record', draft =>
    changeCondition(draft, CLAIM, 'attribute_not_exists(#idempotencyKey) OR ', ''),
  ),
  claim('only-absent', 'does not claim an expired record', draft =>
    changeCondition(draft, CLAIM, '#expiry <= :now OR ', ''),
  ),
  claim('expired-or-not', 'claims any record that has an expiry', draft =>
    changeCondition(draft, CLAIM, '#expiry <= :now', 'attribute_exists(#expiry)'),
  ),
  claim('expired-later', 'claims an expired record only a second later than it is judged', draft =>
    changeCondition(draft, CLAIM, '#expiry <= :now', '#expiry < :now'),
  ),
  claim('not-reentrant', 'is refused by its own record', draft =>
    changeCondition(draft, CLAIM, ' OR (#owner = :me AND #attempt = :first AND #status = :inProgress)', ''),
  ),
  claim('reentrant-for-all', 'claims an unfinished record of anybody', draft =>
    changeCondition(draft, CLAIM, '#owner = :me AND ', ''),
  ),
  claim('reentrant-when-finished', 'claims its own finished record again', draft =>
    changeCondition(draft, CLAIM, ' AND #status = :inProgress', ''),
  ),
  claim('reentrant-any-attempt', 'takes its own attempt back', draft =>
    changeCondition(draft, CLAIM, '#attempt = :first AND ', ''),
  ),
  claim('without-retries', 'fails at the first lost answer', draft => dropRetries(draft, CLAIM)),
  takeover('unconditional', 'takes over whatever is there', draft => dropCondition(draft, TAKE_OVER)),
  takeover('of-any-owner', 'takes over a record that another one has taken over', draft =>
    changeCondition(draft, TAKE_OVER, '#owner = :seenOwner AND #attempt = :seenAttempt AND ', ''),
  ),
  takeover('not-reentrant', 'is refused by its own record', draft =>
    changeCondition(
      draft,
      TAKE_OVER,
      ' OR (#owner = :me AND #attempt = :next AND #status = :inProgress)',
      '',
    ),
  ),
  takeover('reentrant-for-all', 'takes an unfinished record of anybody with the attempt it wants', draft =>
    changeCondition(draft, TAKE_OVER, '#owner = :me AND #attempt = :next AND ', ''),
  ),
  takeover('reentrant-any-owner', 'takes an unfinished record of anybody with the same attempt', draft =>
    changeCondition(draft, TAKE_OVER, '(#owner = :me AND #attempt', '(#attempt'),
  ),
  takeover('reentrant-when-finished', 'takes its own finished record again', draft =>
    changeCondition(draft, TAKE_OVER, '#attempt = :next AND #status = :inProgress', '#attempt = :next'),
  ),
  takeover('same-attempt', 'does not raise the attempt', draft => {
    const request = objectAt(draft, 'States', TAKE_OVER, 'Arguments');
    objectAt(request, 'ExpressionAttributeValues')[':next'] = { N: '{% $record.attempt.N %}' };
    objectAt(draft, 'States', TAKE_OVER, 'Assign')['attempt'] = '{% $number($record.attempt.N) %}';
  }),
  takeover('keeps-the-expiry', 'leaves the expiry of the failure on the record', draft => {
    const request = objectAt(draft, 'States', TAKE_OVER, 'Arguments');
    replaceIn(request, 'UpdateExpression', 'REMOVE #expiry, ', 'REMOVE ');
    dropUnused(request);
  }),
  takeover('without-retries', 'fails at the first lost answer', draft => dropRetries(draft, TAKE_OVER)),
  finalize('unconditional', 'stores a result whoever owns the record', draft =>
    dropCondition(draft, COMPLETED),
  ),
  finalize('any-owner', 'stores a result in a record that was claimed anew with the same attempt', draft =>
    changeCondition(draft, COMPLETED, '#owner = :me AND ', ''),
  ),
  finalize('failed-unconditional', 'stores a failure whoever owns the record', draft =>
    dropCondition(draft, FAILED),
  ),
  finalize('moves-the-expiry', 'counts the retention anew with each attempt', draft => {
    const request = objectAt(draft, 'States', COMPLETED, 'Arguments');
    replaceIn(request, 'UpdateExpression', 'if_not_exists(#expiry, :expiry)', ':expiry');
  }),
  finalize('without-retries', 'fails at the first lost answer', draft => dropRetries(draft, COMPLETED)),
  finalize('failed-without-retries', 'fails at the first lost answer', draft => dropRetries(draft, FAILED)),
  finalize(
    'gives-up',
    'catches an outage and ends in a Fail state, where a redrive finds nothing to do',
    draft =>
      void listOf(stateOf(draft, COMPLETED), 'Catch').push({
        ErrorEquals: ['States.ALL'],
        Next: 'Claim lost',
      }),
  ),
];

/** Clauses of the same writes that are there beside others. */
export const SPARE_WRITE_GUARDS: readonly SpareGuard[] = [
  {
    ...takeover('any-owner-of-attempt', 'does not look at the owner', draft =>
      changeCondition(draft, TAKE_OVER, '#owner = :seenOwner AND ', ''),
    ),
    heldBy: 'the attempt, which every takeover raises',
  },
  {
    ...takeover('any-attempt-of-owner', 'does not look at the attempt', draft =>
      changeCondition(draft, TAKE_OVER, '#attempt = :seenAttempt AND ', ''),
    ),
    heldBy: 'the owner, who owns a record but once',
  },
  {
    ...takeover('any-status', 'does not look at the status', draft =>
      changeCondition(draft, TAKE_OVER, ' AND #status = :seenStatus', ''),
    ),
    heldBy: 'an owner that is dead for good, or has failed, never finishes its record',
  },
  {
    ...takeover('reentrant-any-attempt', 'takes its own attempt back', draft =>
      changeCondition(draft, TAKE_OVER, '#attempt = :next AND ', ''),
    ),
    heldBy: 'two faults are too few: it takes three for an execution to take over twice',
  },
  {
    ...finalize('any-attempt', 'does not look at the attempt', draft =>
      changeCondition(draft, COMPLETED, ' AND #attempt = :mine', ''),
    ),
    heldBy: 'the owner',
  },
  {
    ...finalize('failed-any-owner', 'does not look at the owner', draft =>
      changeCondition(draft, FAILED, '#owner = :me AND ', ''),
    ),
    heldBy: 'the attempt, within one retention; beyond it takes three faults',
  },
  {
    ...finalize('failed-any-attempt', 'does not look at the attempt', draft =>
      changeCondition(draft, FAILED, ' AND #attempt = :mine', ''),
    ),
    heldBy: 'the owner',
  },
];
