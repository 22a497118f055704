import { eq, negated, type Value } from '../../../state-machine/contract/condition';
import { ME } from '../../../state-machine/contract/conditions';
import { changeCondition, type DraftObject, listOf, objectAt, setRules, stateOf } from './edit';
import type { Mutation } from './mutation';
import { withoutAccount } from './parts';

const CLAIM = 'Claim record';
const TAKE_OVER = 'Take over';
const READ = 'Read record';
const STEP = 'Business step';
const COMPLETED = 'Record the result';
const FAILED = 'Record the failure';
const CONDITION_FAILED = 'DynamoDB.ConditionalCheckFailedException';

function ends(name: string, says: string, change: Mutation['change']): Mutation {
  return { kind: 'ends', name, says, of: 'workflow', change };
}

function patience(name: string, says: string, change: Mutation['change']): Mutation {
  return { kind: 'patience', name: `patience-${name}`, says, of: 'workflow', onlyBy: 'isPatient', change };
}

/** Lets a state make a request again only so often: by the retriers that stand for an error. */
export function tryOften(state: string, error: string, most: number): Mutation['change'] {
  return draft => {
    for (const retrier of listOf(stateOf(draft, state), 'Retry'))
      if ((retrier['ErrorEquals'] as string[]).includes(error)) retrier['MaxAttempts'] = most;
  };
}

function uncaught(state: string): Mutation['change'] {
  return draft => {
    const task = stateOf(draft, state);
    task['Catch'] = listOf(task, 'Catch').filter(
      ({ ErrorEquals }) => !(ErrorEquals as string[]).includes(CONDITION_FAILED),
    );
  };
}

/** Writes an end only into an unfinished record: the request that is made again is rejected. */
function onlyUnfinished(state: string): Mutation['change'] {
  return draft => {
    const request = objectAt(stateOf(draft, state), 'Arguments');
    request['ConditionExpression'] = `(${request['ConditionExpression']}) AND #status = :unfinished`;
    objectAt(request, 'ExpressionAttributeValues')[':unfinished'] = { S: 'IN_PROGRESS' };
  };
}

function failingWith(error: string): Mutation['change'] {
  return (draft: DraftObject) => {
    stateOf(draft, 'Business step failed')['Error'] = error;
  };
}

/** How executions end, and after how many rejections. */
export const END_MUTATIONS: readonly Mutation[] = [
  ends('failure-ends-as-invalid', 'ends as with an invalid event, and its step has failed', draft =>
    failingWith('Idempotency.InvalidEvent')(draft),
  ),
  ends('failure-ends-in-doubt', 'ends in doubt, and its step has failed', failingWith('Idempotency.InDoubt')),
  ends('failure-ends-as-lost', 'ends as one that has lost its claim, and its step has failed', draft =>
    failingWith('Idempotency.ClaimLost')(draft),
  ),
  ends('failure-ends-by-another-name', 'ends with an error of the engine', failingWith('States.TaskFailed')),
  ends('failure-succeeds', 'succeeds when its step has failed', draft => {
    objectAt(draft, 'States')['Business step failed'] = { Type: 'Succeed' };
  }),
  ends('lost-claim-has-no-name', 'ends with the error of the table', uncaught(COMPLETED)),
  ends('rejected-takeover-has-no-name', 'ends with the error of the table', uncaught(TAKE_OVER)),
  ends('completes-once', 'is rejected by its own result', onlyUnfinished(COMPLETED)),
  ends('fails-once', 'is rejected by its own failure', onlyUnfinished(FAILED)),
  ends('takes-over-once', 'is rejected by its own takeover', draft =>
    changeCondition(
      draft,
      TAKE_OVER,
      ' OR (#owner = :me AND #attempt = :next AND #status = :inProgress AND #claimId = :claimId)',
      '',
    ),
  ),
  patience(
    'claim-limit',
    'rejects an event after one limit',
    tryOften(CLAIM, 'States.QueryEvaluationError', 0),
  ),
  patience(
    'claim-limits',
    'rejects an event after two limits',
    tryOften(CLAIM, 'States.QueryEvaluationError', 1),
  ),
  patience('claim', 'fails when its claim was throttled twice', tryOften(CLAIM, 'States.ALL', 1)),
  patience(
    'denied-claim',
    'fails when its claim was denied twice',
    tryOften(CLAIM, 'DynamoDB.AmazonDynamoDBException', 1),
  ),
  patience('read', 'fails when its read was throttled', tryOften(READ, 'States.ALL', 0)),
  patience('step', 'fails when its step was throttled once', draft => {
    tryOften(STEP, 'Lambda.TooManyRequestsException', 0)(draft);
  }),
  patience('completed', 'gives a result up that was throttled twice', tryOften(COMPLETED, 'States.ALL', 2)),
  patience('call', 'calls no recovery when that was throttled once', draft =>
    tryOften('Call recovery', 'Sfn.SfnException', 0)(draft),
  ),
  {
    ...patience('start', 'keeps an event when its start was throttled once', draft => {
      const task = stateOf(draft, 'Start by key');
      for (const retrier of listOf(task, 'Retry')) retrier['MaxAttempts'] = 0;
    }),
    of: 'dispatcher',
  },
  {
    ...ends('step-of-another-function', 'calls another function for its step', draft => {
      objectAt(stateOf(draft, STEP), 'Arguments')['FunctionName'] =
        'arn:aws:lambda:us-east-1:1:function:another';
    }),
    kind: 'requests',
  },
  {
    ...ends('recovery-of-another-machine', 'starts another machine for the recovery of an owner', draft => {
      const request = objectAt(stateOf(draft, 'Call recovery'), 'Arguments');
      request['StateMachineArn'] = 'arn:aws:states:us-east-1:1:stateMachine:another';
    }),
    kind: 'requests',
  },
  {
    ...ends('dispatch-to-another-machine', 'starts another machine than the workflow', draft => {
      const request = objectAt(stateOf(draft, 'Start by key'), 'Arguments');
      request['StateMachineArn'] = 'arn:aws:states:us-east-1:1:stateMachine:another';
    }),
    kind: 'requests',
    of: 'dispatcher',
  },
  {
    ...ends(
      'another-account-is-its-own',
      'takes the record of the same name in another account for its own',
      draft => {
        const owner: Value = { is: 'record', name: 'owner', as: 'text' };
        const isSame = eq(withoutAccount(owner), withoutAccount(ME));
        setRules(draft, 'What does the record say?', ['Of another workflow'], negated(isSame));
      },
    ),
    kind: 'requests',
  },
];
