import type { JudgedOwner } from '../../../state-machine/contract/conditions';
import { type NoticeState, noticeOf, senderOf } from '../../../state-machine/contract/failure-notice';

const OWNER = 'arn:aws:states:us-east-1:111111111111:execution:Pay:first';
const PARKER = 'arn:aws:states:us-east-1:111111111111:execution:Pay:second';

function failed(name: string, cause: object = {}) {
  return {
    status: 'FAILED',
    owner: OWNER,
    error: JSON.stringify({ Error: name, Cause: JSON.stringify(cause) }),
  };
}

describe('who has to send the notice of a record', () => {
  test.each([
    ['a failed step: the owner', failed('CardDeclined'), OWNER],
    ["the owner's own doubt: the owner", failed('Idempotency.InDoubt', { error: 'Lambda.X' }), OWNER],
    [
      'parked, and nobody has said by whom: nobody',
      failed('Idempotency.InDoubt', { owner: OWNER }),
      undefined,
    ],
    [
      'parked for a dead owner: who has parked it',
      failed('Idempotency.InDoubt', { parkedBy: PARKER }),
      PARKER,
    ],
    ["a step's error that looks alike: the owner", failed('CardDeclined', { parkedBy: PARKER }), OWNER],
    ['an error that is no JSON: the owner', { owner: OWNER, error: 'CardDeclined' }, OWNER],
  ])('%s', (_, record, sender) => {
    expect(senderOf(record)).toBe(sender);
  });
});

describe('what becomes of the notice of a record', () => {
  test.each<[string, JudgedOwner | undefined, NoticeState]>([
    ['ended with the error of the record', { status: 'FAILED', error: 'CardDeclined' }, 'sent'],
    ['ended while it sent', { status: 'FAILED', error: 'SQS.SqsException' }, 'unsent'],
    ['stopped', { status: 'ABORTED' }, 'unsent'],
    ['out of time', { status: 'TIMED_OUT' }, 'unsent'],
    ['at work', { status: 'RUNNING' }, 'underWay'],
    ['about to go on', { status: 'PENDING_REDRIVE' }, 'underWay'],
    ['ended with an error that was not told', { status: 'FAILED' }, 'unknown'],
    ['gone on without it', { status: 'SUCCEEDED' }, 'unknown'],
    ['not known any more', undefined, 'unknown'],
  ])('its sender has %s', (_, sender, state) => {
    expect(noticeOf(failed('CardDeclined'), sender)).toBe(state);
  });

  test.each(['SQS.SqsException', 'EventBridge.FailedEntry', 'States.QueryEvaluationError'])(
    'a step that failed with %s, as sending may: unsent, which a redrive mends or leaves as it is',
    error => {
      expect(noticeOf(failed(error), { status: 'FAILED', error })).toBe('unsent');
    },
  );

  test('none is owed of a success, a step at work, or a key that a person has freed', () => {
    const sender = { status: 'ABORTED' };
    const states = [{ status: 'COMPLETED' }, { status: 'IN_PROGRESS' }, failed('Idempotency.Released')];

    expect(states.map(record => noticeOf(record, sender))).toEqual(['none', 'none', 'none']);
  });
});
