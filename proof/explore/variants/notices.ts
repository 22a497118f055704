import { ALWAYS, all, known, notAfter, type Value } from '../../../state-machine/contract/condition';
import { IS_IN_PROGRESS } from '../../../state-machine/contract/conditions';
import {
  changeValue,
  type DraftObject,
  listOf,
  objectAt,
  replaceIn,
  replaceValue,
  rulesOf,
  setRules,
  stateOf,
} from '../mutations/edit';
import { tryOften } from '../mutations/ends';
import type { Mutation } from '../mutations/mutation';
import { hasRunAfter, of, ofRecovery, type VariantMutation } from './mutation';
import type { VariantName } from './variants';

const SEND = 'Send failure';
const SEND_DOUBT = 'Send doubt';
const SEND_RESULT = 'Send result';
const END = 'Let the step end';
const CERTAIN = 'Is the outcome certain?';
const WHERE = 'Where did it stop?';
const LEASE_EXPIRY: Value = { is: 'record', name: 'leaseExpiry', as: 'number' };
const SINCE_ITS_START = [known('endedAt'), { is: 'owner', name: 'startDate', as: 'number' }] as const;

function notice(
  variant: VariantName,
  name: string,
  says: string,
  change: Mutation['change'],
): VariantMutation {
  return { ...of(variant, name, says, change), kind: 'notices' };
}

function doubt(name: string, says: string, change: Mutation['change']): VariantMutation {
  return { ...of('at-most-once', name, says, change), kind: 'doubt' };
}

function asked(mutation: VariantMutation): VariantMutation {
  return { ...mutation, kind: 'requests' };
}

function message(state: string, from: string, to: string): Mutation['change'] {
  return draft => replaceIn(objectAt(stateOf(draft, state), 'Arguments'), 'MessageBody', from, to);
}

function toAnotherQueue(state: string): Mutation['change'] {
  return draft => {
    objectAt(stateOf(draft, state), 'Arguments')['QueueUrl'] =
      'https://sqs.us-east-1.amazonaws.com/1/another';
  };
}

function swallowed(draft: DraftObject, state: string): void {
  const task = stateOf(draft, state);
  task['Catch'] = [
    { ErrorEquals: ['States.ALL'], Output: '{% $states.input %}', Next: String(task['Next']) },
  ];
}

/**
 * The sent notices and their senders, the times at which a key may be in doubt, and the receivers of the requests of
 * variants.
 */
export const NOTICE_MUTATIONS: readonly VariantMutation[] = [
  notice('on-failure', 'to-another-queue', 'sends failures elsewhere', toAnotherQueue(SEND)),
  notice('on-failure', 'doubt-to-another-queue', 'sends doubts elsewhere', toAnotherQueue(SEND_DOUBT)),
  notice(
    'on-failure',
    'without-key',
    'does not say of which key a failure is',
    message(SEND, "'idempotencyKey': $idempotencyKey, ", ''),
  ),
  notice(
    'on-failure',
    'another-input',
    'sends another event than its own',
    message(SEND, "{'input': $states.input}", "{'input': $states.input.detail}"),
  ),
  notice(
    'on-failure',
    'doubt-is-failure',
    'calls a doubt a failure',
    message(SEND_DOUBT, "'status': 'IN_DOUBT'", "'status': 'FAILED'"),
  ),
  notice('on-failure', 'failure-is-doubt', 'calls a failure a doubt', draft => {
    message(SEND, "'status': 'FAILED'", "'status': 'IN_DOUBT'")(draft);
  }),
  notice('on-failure', 'rejection-not-sent', 'sends nothing of an invalid event', draft => {
    objectAt(draft, 'States')['Send invalid event'] = { Type: 'Pass', Next: 'Invalid event' };
  }),
  notice('on-failure', 'rejection-swallowed', 'ends as if its rejection had been sent', draft =>
    swallowed(draft, 'Send payload mismatch'),
  ),
  notice(
    'on-failure',
    'rejection-of-another',
    'says that the owner of the record was rejected',
    message(
      'Send payload mismatch',
      "'executionArn': $states.context.Execution.Id",
      "'executionArn': $record.owner.S",
    ),
  ),
  notice('on-failure', 'rejection-without-cause', 'does not say why a delivery was rejected', draft => {
    const task = objectAt(stateOf(draft, 'Send payload mismatch'), 'Arguments');
    task['MessageBody'] = String(task['MessageBody']).replace("'cause': ", "'why': ");
  }),
  notice('on-failure', 'sent-by-a-lost-claim', 'sends a failure whose record has another owner', draft => {
    for (const catcher of listOf(stateOf(draft, 'Record the failure'), 'Catch')) catcher['Next'] = SEND;
  }),
  notice('on-success', 'sent-by-a-lost-claim', 'sends a result whose record has another owner', draft => {
    for (const catcher of listOf(stateOf(draft, 'Record the result'), 'Catch'))
      if (catcher['Next'] === 'Claim lost')
        Object.assign(catcher, { Next: SEND_RESULT, Output: '{% $states.input %}' });
  }),
  notice('on-success', 'to-another-queue', 'sends results elsewhere', toAnotherQueue(SEND_RESULT)),
  notice(
    'on-success',
    'another-result',
    'sends another result than its own',
    message(SEND_RESULT, "{'result': $states.input}", "{'result': {'charge': 'none'}}"),
  ),
  {
    ...ofRecovery(
      'recovery-on-failure',
      'given-up-by-another-word',
      'calls it a failure that it gives up',
      draft => message('Notify', "'status': 'GIVEN_UP'", "'status': 'FAILED'")(draft),
    ),
    kind: 'notices',
    budgets: [[1, 2]],
  },

  {
    ...of('express', 'lease-at-its-end', 'takes over in the very millisecond in which a lease ends', draft =>
      setRules(
        draft,
        'What does the record say?',
        ['Lease over'],
        all(IS_IN_PROGRESS, notAfter(LEASE_EXPIRY, { is: 'now', in: 'ms' })),
      ),
    ),
    kind: 'time',
  },
  {
    ...ofRecovery(
      'recovery',
      'since-its-start',
      "counts the step's time since the start of an execution",
      draft => {
        changeValue(draft, 'What is due?', ['Too early'], SINCE_ITS_START);
        replaceValue(stateOf(draft, 'Wait until nothing can act'), 'Timestamp', SINCE_ITS_START);
      },
    ),
    kind: 'time',
  },

  doubt('failure-is-doubt', 'leaves the key of a step in doubt that has failed', draft =>
    setRules(draft, CERTAIN, ['It may have run'], ALWAYS),
  ),
  doubt('own-doubt-at-once', 'leaves its own key in doubt while its step may be working', draft => {
    stateOf(draft, END)['Seconds'] = 0;
  }),
  doubt('second-failure-is-doubt', 'leaves a key in doubt whose step has failed after a takeover', draft => {
    objectAt(stateOf(draft, 'Take over'), 'Assign')['redrives'] = -1;
  }),
  doubt('throttled-is-doubt', 'leaves a key in doubt whose step was throttled', draft =>
    setRules(draft, CERTAIN, ['It may have run'], hasRunAfter('(?:Service|', '(?:TooManyRequests|Service|')),
  ),
  {
    ...ofRecovery(
      'at-most-once',
      'unbegun-is-held',
      'leaves a key in doubt whose owner had not begun its step',
      draft => {
        for (const rule of rulesOf(draft, WHERE, ['Outside of its step, and redrivable'])) {
          rule['Next'] = 'Hold for review';
          rule['Assign'] = { heldFor: 'Idempotency.InDoubt', reason: 'its step may have run' };
        }
      },
    ),
    kind: 'doubt',
  },

  asked(
    ofRecovery('at-most-once', 'history-oldest-first', "reads the owner's history from its begin", draft =>
      changeArguments(draft, "'ReverseOrder': true", "'ReverseOrder': false"),
    ),
  ),
  asked(
    ofRecovery(
      'at-most-once',
      'history-with-data',
      'reads more of a history than an answer may have',
      draft => changeArguments(draft, "'IncludeExecutionData': false", "'IncludeExecutionData': true"),
    ),
  ),
  asked(
    ofRecovery('at-most-once', 'history-in-one', 'reads more events at once than an answer may have', draft =>
      changeArguments(draft, "'MaxResults': 5", "'MaxResults': 1000"),
    ),
  ),
  asked(
    of('results', 'put-without-hash', 'does not ask for the hash of what it has put', draft => {
      delete objectAt(stateOf(draft, 'Store result'), 'Arguments')['ChecksumAlgorithm'];
    }),
  ),
  asked(
    of('results', 'read-without-hash', 'does not ask for the hash of what it reads', draft => {
      delete objectAt(stateOf(draft, 'Read stored result'), 'Arguments')['ChecksumMode'];
    }),
  ),
  asked(
    ofRecovery('recovery', 'old-record', 'reads the record as it may have been before', draft => {
      delete objectAt(stateOf(draft, 'Read record'), 'Arguments')['ConsistentRead'];
    }),
  ),
  asked(
    ofRecovery('recovery', 'to-another-function', 'redrives by another function', draft => {
      objectAt(stateOf(draft, 'Redrive the owner'), 'Arguments')['FunctionName'] =
        'arn:aws:lambda:us-east-1:1:function:x';
    }),
  ),
  asked(
    ofRecovery('recovery', 'to-another-machine', 'delivers to the machine of recovery itself', draft => {
      objectAt(stateOf(draft, 'Deliver again'), 'Arguments')['StateMachineArn'] =
        '{% $states.context.StateMachine.Id %}';
    }),
  ),
  ...(
    [
      ['Read record', 'States.ALL', 'start1 abort1 tell1 stop-recovery1'],
      ['Ask about the owner', 'States.ALL', 'start1 abort1 tell1 recover1 pass pass wake1 stop-recovery1'],
      [
        'Deliver again',
        'States.ALL',
        'start1 abort1 never1 tell1 recover1 pass pass wake1 recover1 recover1 stop-recovery1',
      ],
      [
        'Release the record',
        'States.QueryEvaluationError',
        'start1 limit1 tell1 recover1 pass pass wake1 recover1 recover1 stop-recovery1',
      ],
    ] as const
  ).map(
    ([state, error, schedule], index): VariantMutation => ({
      ...ofRecovery(
        'recovery',
        `impatient-${index + 1}`,
        `gives "${state}" up after one ${error}`,
        tryOften(state, error, 0),
      ),
      kind: 'recovery',
      schedule,
    }),
  ),
  {
    ...ofRecovery(
      'recovery-on-failure',
      'notified-once',
      'gives a notice up that was throttled once',
      tryOften('Notify', 'States.ALL', 0),
    ),
    kind: 'recovery',
    schedule: 'start1 do1 do1 works1.1 do1 abort1 retention tell1 pass ttl recover1 stop-recovery1',
  },
];

function changeArguments(draft: DraftObject, from: string, to: string): void {
  const state = stateOf(draft, "Read the owner's history");
  replaceIn(state, 'Arguments', from, to);
}
