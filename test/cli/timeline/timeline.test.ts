import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { claimedKeysIn } from '../../../cli/key/claimed-keys';
import { historyIn } from '../../../cli/key/history';
import { timelineOf } from '../../../cli/timeline/timeline';
import { RECORD_SCHEMA } from '../../../state-machine/contract/index';

const ME = 'arn:aws:states:us-east-1:111111111111:execution:M:order-7';
const OTHER = 'arn:aws:states:us-east-1:111111111111:execution:M:other';

/** Events in the order of their writing, a second apart. */
function history(...details: readonly Partial<HistoryEvent>[]): HistoryEvent[] {
  return details.map((event, index) => ({
    id: index + 1,
    timestamp: new Date(Date.UTC(2026, 10, 20, 9, 0, index)),
    type: 'TaskStateEntered',
    ...event,
  }));
}

const entered = (name: string): Partial<HistoryEvent> => ({ stateEnteredEventDetails: { name } });
const atFail = (name: string): Partial<HistoryEvent> => ({ ...entered(name), type: 'FailStateEntered' });
const exited = (name: string, variables: object = {}, output = '{}'): Partial<HistoryEvent> => ({
  type: 'TaskStateExited',
  stateExitedEventDetails: {
    name,
    output,
    assignedVariables: Object.fromEntries(
      Object.entries(variables).map(([variable, value]) => [variable, JSON.stringify(value)]),
    ),
  },
});
const failed = (error: string, cause = ''): Partial<HistoryEvent> => ({
  type: 'TaskFailed',
  taskFailedEventDetails: { resourceType: 'dynamodb', resource: 'putItem', error, cause },
});
const ended = (type: 'Failed' | 'Aborted' | 'TimedOut' | 'Succeeded', error?: string, cause?: string) => {
  const details = { ...(error && { error }), ...(cause && { cause }) };
  return { type: `Execution${type}`, [`execution${type}EventDetails`]: details } as Partial<HistoryEvent>;
};
const CLAIMED = [entered('Claim record'), exited('Claim record', { idempotencyKey: 'P#k', attempt: 1 })];
const REJECTED = [
  entered('Claim record'),
  failed('DynamoDB.ConditionalCheckFailedException'),
  exited('Claim record', { idempotencyKey: 'P#k', rejections: 1 }),
];
const record = (more: object = {}) => ({
  status: { S: 'IN_PROGRESS' },
  owner: { S: OTHER },
  attempt: { N: '1' },
  claimedAt: { S: '2026-11-20T08:59:00.000Z' },
  ...more,
});

const textsOf = (...events: readonly Partial<HistoryEvent>[]) =>
  timelineOf(historyIn(history(...events), ''), { executionArn: ME, stepMs: 30_000 }).map(({ text }) => text);

describe('the timeline of a history', () => {
  test('faults on the way to a claim: how many, and the last', () => {
    const faults = [failed('DynamoDB.ThrottlingException'), failed('DynamoDB.SdkClientException')];

    expect(textsOf(entered('Claim record'), ...faults, exited('Claim record', { attempt: 1 }))).toEqual([
      'claimed the key as attempt 1, after 2 failed tries (DynamoDB.SdkClientException)',
    ]);
  });

  test('no usable key: rejected, and no record was read', () => {
    const evaluation = {
      type: 'EvaluationFailed',
      evaluationFailedEventDetails: { error: 'States.QueryEvaluationError' },
    };

    expect(
      textsOf(
        entered('Claim record'),
        evaluation as Partial<HistoryEvent>,
        exited('Claim record'),
        atFail('Invalid event'),
        ended('Failed', 'Idempotency.InvalidEvent', '{"keyExpression":"$states.input.id","keyType":"null"}'),
      ),
    ).toEqual([
      'could not claim a key: States.QueryEvaluationError',
      'rejected the delivery: it has no usable key or payload',
      'failed with Idempotency.InvalidEvent: the key is $states.input.id, which gave null',
    ]);
  });

  test.each([
    ['stopped', ended('Aborted', 'Operator', 'by hand'), 'was stopped in "Business step": Operator: by hand'],
    [
      'timed out',
      ended('TimedOut', 'States.Timeout'),
      'ran out of its time in "Business step": States.Timeout',
    ],
    [
      'ended by the service',
      ended('Failed', 'States.Runtime', 'x'),
      'failed in "Business step": States.Runtime: x',
    ],
  ])('%s within the step: where, and why', (_, end, sentence) => {
    expect(
      textsOf(...CLAIMED, entered('Business step'), failed('Lambda.TooManyRequestsException'), end),
    ).toEqual([
      'claimed the key as attempt 1',
      'began the step, attempt 1: Lambda.TooManyRequestsException',
      sentence,
    ]);
  });

  test('redriven: the state that was not left is begun again', () => {
    const redriven = {
      type: 'ExecutionRedriven',
      executionRedrivenEventDetails: { redriveCount: 2 },
    } as const;

    expect(
      textsOf(
        ...CLAIMED,
        entered('Record the result'),
        ended('Aborted'),
        redriven,
        exited('Record the result'),
      ),
    ).toEqual([
      'claimed the key as attempt 1',
      'was to write that the key is COMPLETED, with the result',
      'was stopped in "Record the result"',
      'was redriven (redrive 2)',
      'wrote that the key is COMPLETED, with the result',
    ]);
  });

  test('a claim that was lost: the record has another owner', () => {
    expect(
      textsOf(
        ...CLAIMED,
        entered('Record the result'),
        failed('DynamoDB.ConditionalCheckFailedException'),
        exited('Record the result'),
        atFail('Claim lost'),
        ended('Failed', 'Idempotency.ClaimLost'),
      ).slice(1),
    ).toEqual([
      'could not write its result: the record has another owner',
      'had run the step, but the record has another owner now',
      'failed with Idempotency.ClaimLost',
    ]);
  });

  test('the owner asked about: what was seen of it', () => {
    const owner = {
      status: 'FAILED',
      error: 'States.Runtime',
      stopDate: '2026-11-20T08:59:30Z',
      redriveCount: 2,
    };

    expect(
      textsOf(
        ...REJECTED,
        entered('Read record'),
        exited('Read record', { record: record() }),
        entered('Ask about the owner'),
        exited('Ask about the owner', { owner: { ...owner, redriveStatus: 'NOT_REDRIVABLE' } }),
        entered('Take over'),
        exited('Take over', { attempt: 2 }),
      ),
    ).toEqual([
      'did not get the key: it has a record',
      'read the record: IN_PROGRESS, owner other, attempt 1, claimed 08:59:00Z',
      'asked about the owner other: FAILED with States.Runtime at 08:59:30Z, redriven 2 times',
      'took over from other as attempt 2',
    ]);
  });

  test('a redrive that had been made before', () => {
    expect(
      textsOf(
        entered('Read record'),
        exited('Read record', { record: record() }),
        entered('Redrive the owner'),
        failed('Sfn.ExecutionNotRedrivableException'),
        exited('Redrive the owner'),
      ).at(-1),
    ).toBe('did not redrive the owner other: it had been redriven before, or had finished');
  });

  test.each(['Sfn.AccessDeniedException', 'States.QueryEvaluationError'])(
    'a redrive that failed with %s: the owner has not resumed',
    error => {
      expect(
        textsOf(
          entered('Read record'),
          exited('Read record', { record: record() }),
          entered('Ask about the owner'),
          exited('Ask about the owner', { owner: { status: 'ABORTED', redriveStatus: 'REDRIVABLE' } }),
          entered('Redrive the owner'),
          failed(error),
          exited('Redrive the owner', { redriveError: error }),
          atFail('In progress'),
          ended('Failed', 'Idempotency.InProgress'),
        ).slice(2),
      ).toEqual([
        `could not redrive the owner other: ${error}`,
        'rejected the delivery: other owns the key; it has ended, and could not be redriven',
        'failed with Idempotency.InProgress',
      ]);
    },
  );

  test('a result of which no text can be made: finished all the same', () => {
    const noText = {
      type: 'EvaluationFailed',
      evaluationFailedEventDetails: { error: 'States.QueryEvaluationError' },
    } as Partial<HistoryEvent>;

    expect(
      textsOf(
        ...CLAIMED,
        entered('Record the result'),
        noText,
        exited('Record the result'),
        entered('Record that it succeeded'),
        { type: 'TaskSucceeded' },
        exited('Record that it succeeded'),
        ended('Succeeded'),
      ).slice(1),
    ).toEqual([
      'did not put the result into the record: it is too long for that, or not exact as text',
      'wrote that the key is COMPLETED, its result in the output of this execution',
      'succeeded',
    ]);
  });

  test('a write that was made after faults: made', () => {
    const made = { type: 'TaskSucceeded' } as const;

    expect(
      textsOf(
        entered('Record the failure'),
        failed('DynamoDB.SdkClientException'),
        made,
        exited('Record the failure'),
      ),
    ).toEqual(['wrote that the key has FAILED, after 1 failed try (DynamoDB.SdkClientException)']);
  });

  test.each([
    [
      failed('Sfn.ExecutionAlreadyExistsException'),
      'found recovery r-1 for other, which another delivery had started',
    ],
    [failed('Sfn.AccessDeniedException'), 'could not start recovery for other: Sfn.AccessDeniedException'],
  ])('an overdue owner, whose recovery is not started: %j', (failure, said) => {
    const details = { resourceType: 'aws-sdk:sfn', resource: '', region: '', parameters: '{"Name":"r-1"}' };
    const read = [entered('Read record'), exited('Read record', { record: record() })];
    const called = [
      entered('Call recovery'),
      { type: 'TaskScheduled', taskScheduledEventDetails: details } as const,
      failure,
      exited('Call recovery'),
    ];

    expect(textsOf(...read, ...called, atFail('In progress')).slice(1)).toEqual([
      said,
      'rejected the delivery: other owns the key, and should have finished: recovery decides what becomes of it',
    ]);
  });

  test.each([
    [
      'a Lambda function',
      { errorType: 'E', errorMessage: 'no\n  money', trace: ['at x'] },
      'failed in "Business step": E: no money',
    ],
    [
      'the workflow',
      { message: 'in doubt', owner: 'arn', error: 'Sandbox.Timedout' },
      'failed in "Business step": E: in doubt (Sandbox.Timedout)',
    ],
    ['something else', { code: 7 }, 'failed in "Business step": E: {"code":7}'],
  ])('a cause that is JSON of %s: its message', (_, cause, sentence) => {
    expect(textsOf(entered('Business step'), ended('Failed', 'E', JSON.stringify(cause))).at(-1)).toBe(
      sentence,
    );
  });

  test('a step of several states: its own states are its own business', () => {
    expect(
      textsOf(
        ...CLAIMED,
        entered('Business step'),
        entered('Reserve'),
        exited('Reserve'),
        exited('Business step', {}, '"done"'),
      ).at(-1),
    ).toBe('ran the step, attempt 1: it returned after 3 s "done"');
  });

  test('states and events of another version: passed over, or told by their names', () => {
    expect(
      textsOf(
        ...CLAIMED,
        { type: 'SomethingNew' as HistoryEvent['type'] },
        entered('Measure'),
        exited('Measure'),
        exited('Never entered'),
        ended('Succeeded'),
      ),
    ).toEqual(['claimed the key as attempt 1', 'went through "Measure"', 'succeeded']);
  });

  test('names with the prefix of a larger machine: known without it', () => {
    const events = history(entered('Pay: Claim record'), exited('Pay: Claim record', { attempt: 1 }));
    const timeline = timelineOf(historyIn(events, 'Pay: '), { executionArn: ME, stepMs: 30_000 });

    expect(timeline.map(({ text }) => text)).toEqual(['claimed the key as attempt 1']);
  });

  test('a cause with control characters and a long one: harmless, and cut', () => {
    const events = [entered('Business step'), ended('Failed', 'E', `\u001b[31m${'x'.repeat(300)}`)];
    const [, sentence = ''] = textsOf(...events);

    expect(sentence).toContain('E: \\u001b[31mxxx');
    expect(sentence.length).toBeLessThan(220);
  });
});

describe('a history that lacks data', () => {
  const leftWithout = (name: string): Partial<HistoryEvent> => ({
    type: 'TaskStateExited',
    stateExitedEventDetails: { name },
  });
  const succeeded = { type: 'TaskSucceeded' } as const;

  test.each([
    ['claimed', [succeeded], 'claimed the key; the attempt is not in the history'],
    ['no try of it', [], 'ended its claim; whether it got the key is not in the history'],
    ['failed', [failed('DynamoDB.SdkClientException')], 'could not claim a key: DynamoDB.SdkClientException'],
  ])('the variables of a claim, %s: no attempt is made up', (_, tries, sentence) => {
    expect(textsOf(entered('Claim record'), ...tries, leftWithout('Claim record'))).toEqual([sentence]);
  });

  test('the record that was read: not said to be none', () => {
    const read = [entered('Read record'), succeeded];

    expect(textsOf(...read, leftWithout('Read record'))).toEqual([
      'read the record, which is not in the history',
    ]);
    expect(textsOf(...read, exited('Read record', { record: {} }))).toEqual([
      'read the record: there is none',
    ]);
  });

  test('a record cut off within its text: not said to be none', () => {
    const cut = { name: 'Read record', assignedVariables: { record: '{"status":{"S":"IN_PR' } };

    expect(
      textsOf(entered('Read record'), { ...exited('Read record'), stateExitedEventDetails: cut }),
    ).toEqual(['read the record, which is not in the history']);
  });

  test('the attempt of a takeover: not said to be 0, nor is it the attempt of the step', () => {
    expect(
      textsOf(
        entered('Take over'),
        succeeded,
        leftWithout('Take over'),
        entered('Business step'),
        exited('Business step', {}, '"paid"'),
      ),
    ).toEqual([
      'took over from the owner; the attempt is not in the history',
      'ran the step: it returned after 1 s "paid"',
    ]);
  });

  test('what was learned of the owner: said that it is missing', () => {
    const broken = { name: 'Ask about the owner', assignedVariables: { owner: '{' } };

    expect(
      textsOf(
        entered('Ask about the owner'),
        { type: 'TaskStateExited', stateExitedEventDetails: broken },
        atFail('In progress'),
      ),
    ).toEqual([
      'asked about the owner the owner: its status is not in the history',
      'rejected the delivery: the owner owns the key, and has not finished',
    ]);
  });

  test('how the step failed, and what it returned: the error of its last try, and no result', () => {
    const step = [...CLAIMED, entered('Business step')];
    const tries = [failed('CardDeclined', 'no money'), leftWithout('Business step')];

    expect(textsOf(...step, ...tries).at(-1)).toBe(
      'ran the step, attempt 1: it failed after 2 s with CardDeclined: no money',
    );
    expect(textsOf(...step, succeeded, leftWithout('Business step')).at(-1)).toBe(
      'ran the step, attempt 1: it returned after 2 s; its result is not in the history',
    );
  });

  test('how often it was redriven, and with what error it failed: left out', () => {
    expect(textsOf({ type: 'ExecutionRedriven' }, atFail('Invalid event'), ended('Failed'))).toEqual([
      'was redriven',
      'rejected the delivery: it has no usable key or payload',
      'failed',
    ]);
  });
});

describe('the key that an execution claims', () => {
  const claimsOf = (...events: readonly Partial<HistoryEvent>[]) =>
    claimedKeysIn(history(...events), { prefix: '', schema: RECORD_SCHEMA });
  const keysOf = (...events: readonly Partial<HistoryEvent>[]) => [...claimsOf(...events).keys];

  test('from the variables of the claim, rejected or not', () => {
    expect(keysOf(...CLAIMED)).toEqual(['P#k']);
    expect(keysOf(...REJECTED)).toEqual(['P#k']);
  });

  test('from the request, while it is under way', () => {
    const parameters = JSON.stringify({ Item: { idempotencyKey: { S: 'P#k' } } });
    const scheduled = {
      type: 'TaskScheduled',
      taskScheduledEventDetails: { resourceType: 'dynamodb', resource: 'putItem', region: 'r', parameters },
    } as const;

    expect(keysOf(entered('Claim record'), scheduled)).toEqual(['P#k']);
  });

  test('none before the claim, none without a key', () => {
    expect(keysOf(entered('Claim record'))).toEqual([]);
    expect(keysOf(entered('Claim record'), exited('Claim record', { failedEvaluations: 1 }))).toEqual([]);
  });

  test('missing where a claim was entered, and neither its request nor its variables are there', () => {
    const exit = { type: 'TaskStateExited', stateExitedEventDetails: { name: 'Claim record' } } as const;

    expect(claimsOf(entered('Claim record'), exit).isKeyMissing).toBe(true);
    expect(claimsOf(entered('Business step')).isKeyMissing).toBe(false);
    expect(claimsOf(...CLAIMED).isKeyMissing).toBe(false);
    const without = exited('Claim record', { failedEvaluations: 1 });
    expect(claimsOf(entered('Claim record'), without).isKeyMissing).toBe(false);
  });
});
