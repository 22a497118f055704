import { minus, notAfter } from '../../../state-machine/contract/condition';
import { changeRows, listOf, objectAt, replaceIn, rulesOf, stateOf } from './edit';
import type { Mutation } from './mutation';
import { EXPIRED, EXPIRY, NOW_SECONDS } from './parts';

function changed(name: string, says: string, change: Mutation['change']): Mutation {
  return { name, says, of: 'workflow', change };
}

/** A mutant that one invariant alone finds. */
function found(onlyBy: string, name: string, says: string, change: Mutation['change']): Mutation {
  return { name, says, of: 'workflow', onlyBy, change };
}

const CLAIM = 'Claim record';
const TAKE_OVER = 'Take over';
const STEP = 'Business step';
const COMPLETED = 'Record the result';
const FAILED = 'Record the failure';
const JUDGE = 'What does the record say?';
const GONE = ['Absent or expired, rejected too often', 'Absent or expired'];

/** Lets a finished record expire at another time: JSONata of epoch seconds. */
function expiringAt(state: string, seconds: string): Mutation['change'] {
  return draft => {
    const values = objectAt(draft, 'States', state, 'Arguments', 'ExpressionAttributeValues');
    values[':expiry'] = { N: `{% $string(${seconds}) %}` };
  };
}

function neverExpiring(state: string): Mutation['change'] {
  return draft => {
    const request = objectAt(draft, 'States', state, 'Arguments');
    replaceIn(request, 'UpdateExpression', ', #expiry = if_not_exists(#expiry, :expiry)', '');
    delete objectAt(request, 'ExpressionAttributeNames')['#expiry'];
    delete objectAt(request, 'ExpressionAttributeValues')[':expiry'];
  };
}

const NOW = '$floor($millis() / 1000)';
const STARTED = '$floor($toMillis($states.context.Execution.StartTime) / 1000)';

/** Stored, answered, passed and kept values: right in kind and time, with the wrong words. */
export const OUTCOME_MUTATIONS: readonly Mutation[] = [
  found('completedMeansSuccess', 'step-never-runs', 'finishes the record without running the step', draft => {
    stateOf(draft, CLAIM)['Next'] = COMPLETED;
  }),
  changed('step-failure-is-success', 'stores an error as the result', draft => {
    for (const catcher of listOf(stateOf(draft, STEP), 'Catch')) {
      catcher['Next'] = COMPLETED;
      catcher['Output'] = '{% $states.errorOutput %}';
    }
    for (const name of [FAILED, 'Business step failed', 'Let the step end'])
      delete objectAt(draft, 'States')[name];
  }),
  ...['Sandbox.Timedout', 'States.Timeout'].map(error =>
    found(
      'oneRunPerAttempt',
      `step-retried-after-${error}`,
      'runs the step again as the same attempt',
      draft =>
        listOf(stateOf(draft, STEP), 'Retry').forEach(({ ErrorEquals }) => {
          (ErrorEquals as string[]).push(error);
        }),
    ),
  ),
  changed(
    'unevaluated-claim-by-another-name',
    'tells an event that cannot be evaluated to come again later',
    draft => {
      stateOf(draft, 'Invalid event')['Error'] = 'Idempotency.InProgress';
    },
  ),
  found(
    'stepIsToldWhatIs',
    'step-told-another-key',
    'gives the step another key than the record has',
    draft => {
      objectAt(draft, 'States', STEP, 'Arguments', 'Payload')['idempotencyKey'] = 'order';
    },
  ),
  found('stepIsToldWhatIs', 'step-told-more', 'gives the step something besides its input', draft => {
    objectAt(draft, 'States', STEP, 'Arguments', 'Payload')['input'] =
      "{% $merge([$states.input, {'more': true}]) %}";
  }),
  ...[COMPLETED, FAILED].flatMap(state => {
    const name = state === COMPLETED ? 'finalize' : 'finalize-failed';
    return [
      found('retentionIsKept', `${name}-for-a-minute`, 'keeps a finished record for a minute', draft =>
        expiringAt(state, `${NOW} + 60`)(draft),
      ),
      found(
        'retentionIsKept',
        `${name}-a-second-longer`,
        'keeps a finished record for a second more',
        draft => {
          const values = objectAt(draft, 'States', state, 'Arguments', 'ExpressionAttributeValues');
          replaceIn(
            objectAt(values, ':expiry'),
            'N',
            '$floor($millis() / 1000)',
            '1 + $floor($millis() / 1000)',
          );
        },
      ),
      found(
        'retentionIsKept',
        `${name}-never-expires`,
        'keeps a finished record for ever',
        neverExpiring(state),
      ),
    ];
  }),
  found('retentionIsKept', 'finalize-counts-from-the-start', 'counts the retention from the start', draft => {
    const values = objectAt(draft, 'States', COMPLETED, 'Arguments', 'ExpressionAttributeValues');
    replaceIn(objectAt(values, ':expiry'), 'N', NOW, STARTED);
  }),
  found('recordSaysThePayload', 'claim-without-payload', 'stores nothing of the payload', draft => {
    delete objectAt(draft, 'States', CLAIM, 'Arguments', 'Item')['payloadHash'];
  }),
  found('recordSaysThePayload', 'takeover-drops-the-payload', 'forgets the payload with a failure', draft => {
    const request = objectAt(draft, 'States', TAKE_OVER, 'Arguments');
    replaceIn(request, 'UpdateExpression', 'REMOVE #expiry', 'REMOVE payloadHash, #expiry');
  }),
  changed('judge-other-payload-waits', 'tells another payload to come again later', draft => {
    for (const rule of rulesOf(draft, JUDGE, ['Another payload'])) rule['Next'] = 'In progress';
    delete objectAt(draft, 'States')['Payload mismatch'];
  }),
  found(
    'rejectedForWhatIs',
    'judge-other-payload-by-another-name',
    'rejects with a name of its own',
    draft => {
      stateOf(draft, 'Payload mismatch')['Error'] = 'Idempotency.Rejected';
    },
  ),
  changed('judge-expired-an-hour-early', 'gives a record up before it expires', draft =>
    changeRows(draft, JUDGE, GONE, [EXPIRED, notAfter(minus(EXPIRY, 3600), NOW_SECONDS)]),
  ),
  found(
    'lostAnswersAreHarmless',
    'claim-lost-answer-is-read',
    'reads the record when its claim is not answered',
    draft => {
      const state = stateOf(draft, CLAIM);
      const error = 'DynamoDB.SdkClientException';
      listOf(state, 'Retry').unshift({ ErrorEquals: [error], MaxAttempts: 0 });
      const rejected = listOf(state, 'Catch').find(({ Next }) => Next === 'Read record');
      (rejected?.['ErrorEquals'] as string[] | undefined)?.push(error);
    },
  ),
  {
    name: 'dispatch-keeps-elsewhere',
    says: 'sends what it cannot start to another queue',
    of: 'dispatcher',
    change: draft => {
      objectAt(draft, 'States', 'Keep the event', 'Arguments')['QueueUrl'] = 'https://sqs/another';
    },
  },
  {
    name: 'dispatch-keeps-a-part',
    says: 'keeps a part of the event',
    of: 'dispatcher',
    onlyBy: 'keepsTheEvent',
    change: draft => {
      objectAt(draft, 'States', 'Keep the event', 'Arguments')['MessageBody'] =
        '{% $states.context.Execution.Input.detail %}';
    },
  },
];
