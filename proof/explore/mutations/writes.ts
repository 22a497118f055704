import {
  changeCondition,
  dropCondition,
  dropRetries,
  dropRules,
  dropUnused,
  listOf,
  objectAt,
  replaceIn,
  stateOf,
} from './edit';
import type { Mutation, SpareGuard } from './mutation';

const CLAIM = 'Claim record';
const TAKE_OVER = 'Take over';
const COMPLETED = 'Record the result';
const FAILED = 'Record the failure';

/** The clause that admits an execution's own record, with the attempt that the write sets. */
function ownRecord(attempt: ':first' | ':next'): string {
  return ` OR (#owner = :me AND #attempt = ${attempt} AND #status = :inProgress AND #claimId = :claimId)`;
}

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
  claim('expired-a-second-early', 'claims a record in its last second', draft => {
    const values = objectAt(draft, 'States', CLAIM, 'Arguments', 'ExpressionAttributeValues');
    replaceIn(objectAt(values, ':now'), 'N', '$floor($millis() / 1000)', '$floor($millis() / 1000) + 1');
  }),
  claim('own-record-not-known', 'is rejected by its own record, and asks about itself', draft => {
    changeCondition(draft, CLAIM, ownRecord(':first'), '');
    dropRules(draft, 'What does the record say?', ['A claim under its name']);
  }),
  claim('reentrant-for-all', 'claims an unfinished record of any owner', draft =>
    changeCondition(draft, CLAIM, '#owner = :me AND ', ''),
  ),
  claim('reentrant-when-finished', 'claims its own finished record again', draft =>
    changeCondition(draft, CLAIM, ' AND #status = :inProgress', ''),
  ),
  claim('reentrant-any-attempt', 'takes its own attempt back', draft =>
    changeCondition(draft, CLAIM, '#attempt = :first AND ', ''),
  ),
  {
    ...claim('reentrant-any-claim', 'takes the record of a predecessor of its name for its own', draft =>
      changeCondition(draft, CLAIM, ' AND #claimId = :claimId', ''),
    ),
    isByName: true,
  },
  claim('without-retries', 'fails at the first lost answer', draft => dropRetries(draft, CLAIM)),
  takeover('unconditional', 'takes over whatever is there', draft => dropCondition(draft, TAKE_OVER)),
  takeover('of-any-owner', 'takes over a record that another one has taken over', draft =>
    changeCondition(draft, TAKE_OVER, '#owner = :seenOwner AND #attempt = :seenAttempt AND ', ''),
  ),
  takeover('own-record-not-known', 'is rejected by its own record, and asks about itself', draft => {
    changeCondition(draft, TAKE_OVER, ownRecord(':next'), '');
    dropRules(draft, 'What does the record say?', ['A claim under its name']);
  }),
  takeover('reentrant-for-all', 'takes an unfinished record of any owner with the attempt it wants', draft =>
    changeCondition(draft, TAKE_OVER, '#owner = :me AND #attempt = :next AND ', ''),
  ),
  takeover('reentrant-any-owner', 'takes an unfinished record of any owner with the same attempt', draft =>
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
  finalize('unconditional', 'stores a result without a condition on the owner', draft =>
    dropCondition(draft, COMPLETED),
  ),
  finalize('any-owner', 'stores a result in a record that was claimed anew with the same attempt', draft =>
    changeCondition(draft, COMPLETED, '#owner = :me AND ', ''),
  ),
  finalize('failed-unconditional', 'stores a failure without a condition on the owner', draft =>
    dropCondition(draft, FAILED),
  ),
  finalize('moves-the-expiry', 'counts the retention anew with each attempt', draft => {
    const request = objectAt(draft, 'States', COMPLETED, 'Arguments');
    replaceIn(request, 'UpdateExpression', 'if_not_exists(#expiry, :expiry)', ':expiry');
  }),
  {
    ...finalize(
      'failed-moves-the-expiry',
      'counts the retention of a failure anew with each attempt',
      draft =>
        replaceIn(
          objectAt(draft, 'States', FAILED, 'Arguments'),
          'UpdateExpression',
          'if_not_exists(#expiry, :expiry)',
          ':expiry',
        ),
    ),
  },
  finalize('without-retries', 'fails at the first lost answer', draft => dropRetries(draft, COMPLETED)),
  finalize('failed-without-retries', 'fails at the first lost answer', draft => dropRetries(draft, FAILED)),
  finalize(
    'failed-gives-up',
    'catches an outage and ends in a Fail state, where a redrive finds nothing to do',
    draft =>
      void listOf(stateOf(draft, FAILED), 'Catch').push({
        ErrorEquals: ['States.ALL'],
        Next: 'Business step failed',
      }),
  ),
  finalize(
    'gives-up',
    'catches an outage and ends in a Fail state, where a redrive finds nothing to do',
    draft =>
      void listOf(stateOf(draft, COMPLETED), 'Catch').push({
        ErrorEquals: ['States.ALL'],
        Next: 'Claim lost',
      }),
  ),
  takeover('keeps-the-time', 'leaves the time of the claim before', draft => {
    const request = objectAt(draft, 'States', TAKE_OVER, 'Arguments');
    replaceIn(request, 'UpdateExpression', ', #claimedAt = :at', '');
    dropUnused(request);
  }),
  // The judgement takes over an own record as well, but then a lost answer costs an attempt.
  claim('not-reentrant', 'is rejected by its own record', draft =>
    changeCondition(draft, CLAIM, ownRecord(':first'), ''),
  ),
  takeover('not-reentrant', 'is rejected by its own record', draft =>
    changeCondition(draft, TAKE_OVER, ownRecord(':next'), ''),
  ),
];

/** Clauses of the same writes that are there beside others. */
export const SPARE_WRITE_GUARDS: readonly SpareGuard[] = [
  {
    ...takeover('any-status', 'does not look at the status', draft =>
      changeCondition(draft, TAKE_OVER, ' AND #status = :seenStatus', ''),
    ),
    heldBy:
      'owner and attempt: a record that can be taken over has an owner that is behind its step, or released',
    isEquivalent: true,
  },
  {
    ...takeover('any-owner-of-attempt', 'does not look at the owner', draft =>
      changeCondition(draft, TAKE_OVER, '#owner = :seenOwner AND ', ''),
    ),
    heldBy: 'the attempt, which every takeover raises',
    isEquivalent: true,
    together: 'takeover-of-any-owner',
  },
  {
    ...takeover('any-attempt-of-owner', 'does not look at the attempt', draft =>
      changeCondition(draft, TAKE_OVER, '#attempt = :seenAttempt AND ', ''),
    ),
    heldBy: 'the owner, who owns a record but once',
    isEquivalent: true,
    together: 'takeover-of-any-owner',
  },
  {
    ...takeover('reentrant-any-attempt', 'takes its own attempt back', draft =>
      changeCondition(draft, TAKE_OVER, '#attempt = :next AND ', ''),
    ),
    heldBy: 'how rare it is: it takes three faults for an execution to take over twice',
    needed: {
      executions: 3,
      faults: 3,
      schedule:
        'start1 do1 do1 fail1.1 do1 end1 start2 do2 do2 start3 do3 do3 do3 delay2 do2 do3 fail3.2 do3 end3 do2 do2 late2',
    },
  },
  {
    ...finalize('any-attempt', 'does not look at the attempt', draft =>
      changeCondition(draft, COMPLETED, ' AND #attempt = :mine', ''),
    ),
    heldBy: 'the owner',
    isEquivalent: true,
    together: 'finalize-unconditional',
  },
  {
    ...finalize('failed-any-owner', 'does not look at the owner', draft =>
      changeCondition(draft, FAILED, '#owner = :me AND ', ''),
    ),
    heldBy: 'the attempt, within one retention; beyond it takes three faults',
    needed: {
      executions: 2,
      faults: 3,
      schedule: 'start1 do1 do1 fail1.1 lose1 retention pass start2 do2 do1',
    },
  },
  {
    ...takeover('reentrant-any-claim', 'takes what a predecessor of its name took over for its own', draft =>
      changeCondition(draft, TAKE_OVER, ' AND #claimId = :claimId', ''),
    ),
    heldBy: 'the names: who takes over has one that does not come again; in a fragment it is needed',
    isEquivalent: true,
  },
  {
    ...finalize('failed-any-attempt', 'does not look at the attempt', draft =>
      changeCondition(draft, FAILED, ' AND #attempt = :mine', ''),
    ),
    heldBy: 'the owner',
    isEquivalent: true,
    together: 'finalize-failed-unconditional',
  },
];
