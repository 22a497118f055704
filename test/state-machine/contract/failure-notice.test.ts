import { isFreedIn, isNoticeUnsentIn, isSenderIn } from '../../../state-machine/contract/failure-notice';
import { and, expression, not } from '../../../state-machine/contract/jsonata';
import type { JudgedOwner, JudgedRecord } from '../../../state-machine/contract/judged';
import { evaluate206 } from '../../support/evaluate';
import { type NoticeState, noticeOf, senderOf } from './notices';

const OWNER = 'arn:aws:states:us-east-1:111111111111:execution:Pay:first';
const HOLDER = 'arn:aws:states:us-east-1:111111111111:execution:Pay:second';

function failed(name: string, cause: object = {}) {
  return {
    status: 'FAILED',
    owner: OWNER,
    error: JSON.stringify({ Error: name, Cause: JSON.stringify(cause) }),
  };
}

const held = (name: string, cause: object = {}) => ({ ...failed(name, cause), status: 'HELD' });

describe('who has to send the notice of a record', () => {
  test.each([
    ['a failed step: the owner', failed('CardDeclined'), OWNER],
    ["the owner's own doubt: the owner", failed('Idempotency.InDoubt', { error: 'Lambda.X' }), OWNER],
    [
      'held, and the record does not say by whom: none',
      held('Idempotency.InDoubt', { owner: OWNER }),
      undefined,
    ],
    ['held for its owner by an execution: that one', held('Idempotency.InDoubt', { heldBy: HOLDER }), HOLDER],
    ['held by recovery in doubt: none', held('Idempotency.InDoubt', { heldBy: 'recovery' }), undefined],
    [
      'held by recovery after the redrives: none',
      held('Idempotency.RedrivesExhausted', { heldBy: 'recovery' }),
      undefined,
    ],
    ["a step's error that looks alike: the owner", failed('CardDeclined', { heldBy: HOLDER }), OWNER],
    ['an error that is no JSON: the owner', { status: 'FAILED', owner: OWNER, error: 'CardDeclined' }, OWNER],
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
    'a step that failed with %s, as sending may: unsent, which a redrive fixes or leaves as it is',
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

const isUnsent = (record: JudgedRecord, execution: object) =>
  evaluate206(
    expression(and(isSenderIn('$record'), isNoticeUnsentIn('$record'), not(isFreedIn('$record')))),
    {
      record: {
        ...(record.status && { status: { S: record.status } }),
        ...(record.owner && { owner: { S: record.owner } }),
        ...(record.error && { error: { S: record.error } }),
      },
      owner: execution,
    },
  );

describe('what recovery sees of the notice of a record', () => {
  const records: readonly JudgedRecord[] = [
    { status: undefined },
    { status: 'COMPLETED', owner: OWNER },
    { status: 'IN_PROGRESS', owner: OWNER },
    failed('CardDeclined'),
    failed('SQS.SqsException'),
    failed('CardDeclined', { heldBy: HOLDER }),
    failed('Idempotency.Released'),
    held('Idempotency.RedrivesExhausted', { owner: OWNER, attempt: 1, heldBy: 'recovery' }),
    held('Idempotency.InDoubt', { owner: OWNER, attempt: 1, heldBy: 'recovery' }),
    held('Idempotency.InDoubt', { owner: OWNER, attempt: 1, heldBy: HOLDER }),
    held('Idempotency.InDoubt', { owner: OWNER, error: 'Lambda.X' }),
    failed('Idempotency.InDoubt', { owner: OWNER, error: 'Lambda.X' }),
    failed('Idempotency.InDoubt', { owner: OWNER, attempt: 1 }),
    failed('Idempotency.InDoubt', { owner: OWNER, attempt: 1, heldBy: HOLDER }),
    failed('Idempotency.InDoubt', { owner: OWNER, error: `"heldBy":"${HOLDER}"` }),
    { ...failed('Idempotency.InDoubt'), error: '{"Error":"Idempotency.InDoubt","Cause":"no JSON"}' },
  ];
  const ends: readonly JudgedOwner[] = [
    { status: 'ABORTED' },
    { status: 'TIMED_OUT' },
    { status: 'SUCCEEDED' },
    { status: 'RUNNING' },
    { status: 'FAILED' },
    ...['CardDeclined', 'Idempotency.InDoubt', 'SQS.SqsException', 'States.TaskFailed'].map(error => ({
      status: 'FAILED',
      error,
    })),
  ];
  const cases = records.flatMap(record =>
    [OWNER, HOLDER].flatMap(executionArn => ends.map(end => ({ record, executionArn, end }))),
  );

  test('any record and any end: the same as the two functions say', async () => {
    const seen = await Promise.all(
      cases.map(({ record, executionArn, end }) => isUnsent(record, { executionArn, ...end })),
    );
    const said = cases.map(({ record, executionArn, end }) => ({
      value: senderOf(record) === executionArn && noticeOf(record, end) === 'unsent',
    }));

    expect(seen).toEqual(said);
    expect(said.filter(({ value }) => value).length).toBeGreaterThan(10);
  });

  test('it ended as sending may, and was redriven since: not any more', async () => {
    const end = { executionArn: OWNER, status: 'FAILED', error: 'SQS.SqsException' };

    expect(await isUnsent(failed(end.error), { ...end, redriveCount: 0 })).toEqual({ value: true });
    expect(await isUnsent(failed(end.error), { ...end, redriveCount: 1 })).toEqual({ value: false });
    expect(await isUnsent(failed('CardDeclined'), { ...end, redriveCount: 1 })).toEqual({ value: true });
  });
});
