import type { JudgedKey, NextDelivery } from '../../../cli/key/judge';
import type { EndedExecution } from '../../../cli/repair/ended-executions';
import { planRedelivery } from '../../../cli/repair/redelivery-plan';

/** As much of a judged key as is looked at. */
function keyOf(nextDelivery: NextDelivery, more: object = {}): JudgedKey {
  const record = { owner: 'arn:owner', status: 'FAILED' };
  return {
    nextDelivery,
    record,
    owner: { kind: 'unknown' },
    workflow: { prefix: '', isAtMostOnce: false },
    ...more,
  } as unknown as JudgedKey;
}

function execution(executionArn: string, more: Partial<EndedExecution> = {}): EndedExecution {
  const known = { executionArn, status: 'FAILED', error: 'CardDeclined', stoppedAt: 0, recordKey: 'Pay#7' };
  return { ...known, input: '{}', hasOwned: true, ...more };
}

const held = (error: string) => {
  return { record: { status: 'HELD', error: JSON.stringify({ Error: error, Cause: '{}' }) } };
};
const ENDED = { kind: 'ended', isRedrivable: true, redriveCount: 0 } as const;
const TOO_OLD = { ...ENDED, isRedrivable: false };
const UNFINISHED = { record: { status: 'IN_PROGRESS', owner: 'arn:owner' }, owner: ENDED };

describe('what is done about a key', () => {
  test.each([
    ['with recovery', 'callsRecovery'],
    ['without one', 'inProgress'],
    ["in a team's machine", 'redrives'],
  ] as const)('its owner can be redriven, %s: redriven', (_, nextDelivery) => {
    expect(planRedelivery(keyOf(nextDelivery, UNFINISHED), [execution('arn:owner')], false)).toEqual({
      kind: 'redrive',
    });
  });

  test('its owner cannot be redriven: its input is delivered again, which starts recovery', () => {
    const key = keyOf('callsRecovery', {
      ...UNFINISHED,
      owner: TOO_OLD,
      nextRecovery: { does: 'releases' },
      workflow: { prefix: '', recoveryArn: 'arn:recovery' },
    });

    expect(planRedelivery(key, [execution('arn:owner')], false)).toMatchObject({ kind: 'deliver' });
  });

  test('it has failed: the input of its owner is delivered, not that of a later one', () => {
    const executions = [execution('arn:later'), execution('arn:owner')];

    expect(planRedelivery(keyOf('takesOver'), executions, false)).toMatchObject({
      kind: 'deliver',
      execution: { executionArn: 'arn:owner' },
    });
  });

  test('its owner is not among them: the newest that was not rejected for what it is', () => {
    const mismatch = execution('arn:mismatch', { error: 'Idempotency.PayloadMismatch', hasOwned: false });
    const later = execution('arn:later', { error: 'Idempotency.InProgress', hasOwned: false });

    expect(planRedelivery(keyOf('takesOver'), [mismatch, later], false)).toMatchObject({
      execution: { executionArn: 'arn:later' },
    });
    expect(planRedelivery(keyOf('takesOver'), [mismatch], false)).toEqual({
      kind: 'leave',
      reason: 'rejected',
    });
    expect(planRedelivery(keyOf('takesOver'), [mismatch], true)).toMatchObject({ kind: 'deliver' });
  });

  test.each(['InvalidEvent', 'PayloadMismatch', 'ForeignRecord'])(
    'all that there is was rejected with Idempotency.%s: left, as it would be again',
    name => {
      const rejected = execution('arn:rejected', { error: `Idempotency.${name}`, hasOwned: false });

      expect(planRedelivery(keyOf('takesOver'), [rejected], false)).toEqual({
        kind: 'leave',
        reason: 'rejected',
      });
    },
  );

  test.each<[string, Partial<EndedExecution>, string]>([
    ['never came to its claim', { error: 'States.Timeout', hasOwned: false }, 'deliver'],
    ['could not claim it', { error: 'DynamoDB.ValidationException', hasOwned: false }, 'deliver'],
    ['had owned it', {}, 'recordGone'],
    ['had met the record of another', { error: 'Idempotency.InProgress', hasOwned: false }, 'recordGone'],
  ])('there is no record, and its execution %s: %s', (_, more, expected) => {
    const plan = planRedelivery(keyOf('claims', { record: undefined }), [execution('arn:a', more)], false);

    expect(plan.kind === 'leave' ? plan.reason : plan.kind).toBe(expected);
  });

  test.each<[NextDelivery, object, string]>([
    ['returnsResult', {}, 'finished'],
    ['resultUnavailable', {}, 'finished'],
    ['foreignRecord', {}, 'foreign'],
    ['returnsFailure', {}, 'failureIsAnswer'],
    ['holds', {}, 'inDoubt'],
    ['heldForReview', held('Idempotency.InDoubt'), 'inDoubt'],
    ['heldForReview', held('Idempotency.RedrivesExhausted'), 'redrivesExhausted'],
    ['heldForReview', held('Idempotency.ResultUnavailable'), 'finished'],
    ['redrivesExhausted', {}, 'redrivesExhausted'],
    ['callsRecovery', { owner: { kind: 'running' } }, 'running'],
    ['callsRecovery', { ...UNFINISHED, nextRecovery: { does: 'holdsExhausted' } }, 'redrivesExhausted'],
    ['callsRecovery', { ...UNFINISHED, nextRecovery: { does: 'holdsInDoubt' } }, 'inDoubt'],
    ['callsRecovery', { nextRecovery: { does: 'holdsLost' } }, 'finished'],
    ['inProgress', { record: { status: 'RELEASING' }, owner: TOO_OLD }, 'reserved'],
    ['inProgress', { ...UNFINISHED, owner: TOO_OLD }, 'needsRelease'],
    [
      'inProgress',
      { ...UNFINISHED, owner: TOO_OLD, workflow: { prefix: '', isAtMostOnce: true } },
      'inDoubt',
    ],
    ['takesOver', { workflow: { prefix: 'Pay: ' } }, 'ownStateMachine'],
  ])('the next delivery %s, %j: left, as it is %s', (nextDelivery, more, reason) => {
    const plan = planRedelivery(keyOf(nextDelivery, more), [execution('arn:a')], false);

    expect(plan).toEqual({ kind: 'leave', reason });
  });

  test('a person has stopped its owner for good: left, unless that error is named', () => {
    const stopped = execution('arn:owner', { error: 'Idempotency.Stopped' });

    expect(planRedelivery(keyOf('takesOver'), [stopped], false)).toEqual({
      kind: 'leave',
      reason: 'stopped',
    });
    expect(planRedelivery(keyOf('takesOver'), [stopped], true)).toMatchObject({ kind: 'deliver' });
  });

  test.each<[NextDelivery, object, string]>([
    ['claims', { record: undefined }, 'unknown'],
    ['takesOver', {}, 'inputUnknown'],
  ])(
    'the next delivery %s, %j, and no execution is known: left, as it is %s',
    (nextDelivery, more, reason) => {
      expect(planRedelivery(keyOf(nextDelivery, more), [], true)).toEqual({ kind: 'leave', reason });
    },
  );

  test('an input that Step Functions does not tell: left', () => {
    const untold = execution('arn:a', { input: undefined });

    expect(planRedelivery(keyOf('takesOver'), [untold], false)).toEqual({
      kind: 'leave',
      reason: 'inputUnknown',
    });
  });
});
