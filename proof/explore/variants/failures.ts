import {
  type DraftObject,
  dropCondition,
  dropRules,
  listOf,
  objectAt,
  replaceIn,
  stateOf,
} from '../mutations/edit';
import { of, type VariantMutation } from './mutation';

const STEP = 'Business step';
const SEND = 'Send failure';
const SEND_RESULT = 'Send result';
const CERTAIN = 'Is the outcome certain?';

function goOn(state: DraftObject, next: string): void {
  delete state['End'];
  state['Next'] = next;
}

function end(state: DraftObject): void {
  delete state['Next'];
  state['End'] = true;
}

/** The guards around a step that is retried, and around what is sent to a failure destination. */
export const FAILURE_MUTATIONS: readonly VariantMutation[] = [
  ...['Lambda.SdkClientException', 'Sandbox.Timedout', 'States.Timeout'].map(error =>
    of(
      'retry',
      `after-${error}`,
      'retries a step that may still be working, or may have had its effect',
      draft => {
        const retrier = objectAt(stateOf(draft, STEP), 'Retry', 0);
        (retrier['ErrorEquals'] as string[]).push(error);
      },
    ),
  ),
  of('retry', 'once-more', 'retries the step more often than it may', draft => {
    objectAt(stateOf(draft, STEP), 'Retry', 0)['MaxAttempts'] = 2;
  }),
  of('retry', 'not-told', 'does not tell the step that it is retried', draft => {
    objectAt(draft, 'States', STEP, 'Arguments', 'Payload')['retryCount'] = 0;
  }),

  of('chain-retried', 'at-once', 'retries a chain while what it has begun may be at work', draft => {
    objectAt(stateOf(draft, STEP), 'Retry', 0)['IntervalSeconds'] = 1;
  }),
  of(
    'chain-retried',
    'a-second-early',
    'retries a chain a second before what it has begun is over',
    draft => {
      const retrier = objectAt(stateOf(draft, STEP), 'Retry', 0);
      retrier['IntervalSeconds'] = Number(retrier['IntervalSeconds']) - 1;
    },
  ),
  of('chain-retried', 'once-more', 'retries the chain more often than it may', draft => {
    objectAt(stateOf(draft, STEP), 'Retry', 0)['MaxAttempts'] = 2;
  }),

  of('on-failure', 'sent-before-the-record', 'sends a failure that the record does not say yet', draft => {
    stateOf(draft, SEND)['Next'] = 'Record the failure';
    stateOf(draft, 'Record the failure')['Next'] = 'Business step failed';
    stateOf(draft, CERTAIN)['Default'] = SEND;
  }),
  of('on-failure', 'sent-once', 'gives up a notice whose answer is lost', draft => {
    delete stateOf(draft, SEND)['Retry'];
  }),
  of('on-failure', 'send-swallowed', 'ends as if the failure had been sent', draft => {
    stateOf(draft, SEND)['Catch'] = [{ ErrorEquals: ['States.ALL'], Next: 'Business step failed' }];
  }),
  of('on-failure', 'another-attempt', 'tells of the first attempt only', draft => {
    const request = objectAt(stateOf(draft, SEND), 'Arguments');
    replaceIn(request, 'MessageBody', "'attempt': $attempt", "'attempt': 1");
  }),
  of('on-failure', 'own-doubt-not-sent', 'sends nothing of a step whose end it does not know', draft => {
    stateOf(draft, 'Hold the key for review')['Next'] = 'Held for review';
    delete objectAt(draft, 'States')['Send doubt'];
  }),
  of('on-success', 'sent-before-the-record', 'sends a result that the record does not say yet', draft => {
    stateOf(draft, STEP)['Next'] = SEND_RESULT;
    goOn(stateOf(draft, SEND_RESULT), 'Record the result');
    end(stateOf(draft, 'Record the result'));
  }),
  {
    ...of('on-success', 'elsewhere-unconditional', 'says of any record that its step has succeeded', draft =>
      dropCondition(draft, 'Record that it succeeded'),
    ),
    budgets: [[1, 3]],
    schedule: 'start1 do1 do1 works1.1 lose1 retention pass ttl limit1:result do1',
  },
  of('on-success', 'sent-once', 'gives up a result whose answer is lost', draft => {
    delete stateOf(draft, SEND_RESULT)['Retry'];
  }),
  of('on-success', 'send-swallowed', 'ends as if the result had been sent', draft => {
    objectAt(draft, 'States')['Done'] = { Type: 'Succeed' };
    stateOf(draft, SEND_RESULT)['Catch'] = [{ ErrorEquals: ['States.ALL'], Next: 'Done' }];
  }),
  of('on-success', 'not-sent', 'sends nothing of a step that has succeeded', draft => {
    end(stateOf(draft, 'Record the result'));
    stateOf(draft, 'Record that it succeeded')['Next'] = SEND_RESULT;
    delete objectAt(draft, 'States')['Send where the result is'];
  }),
  of('on-success', 'another-attempt', 'tells of the first attempt only', draft => {
    const request = objectAt(stateOf(draft, SEND_RESULT), 'Arguments');
    replaceIn(request, 'MessageBody', "'attempt': $attempt", "'attempt': 1");
  }),
];

const STORE = 'Store result';
const READ = 'Read stored result';

/** The guards around a result in a bucket. */
export const RESULT_MUTATIONS: readonly VariantMutation[] = [
  of('results', 'any-object', 'answers with whatever is at the place', draft =>
    replaceIn(stateOf(draft, READ), 'Output', '$states.result.ChecksumSHA256 = $record.resultHash.S', 'true'),
  ),
  of('results', 'not-put', 'finishes the record although the result could not be put', draft => {
    const store = stateOf(draft, STORE);
    const assign = objectAt(store, 'Assign');
    const resultLocation = String(assign['resultLocation']);
    store['Catch'] = [
      ...listOf(store, 'Catch'),
      {
        ErrorEquals: ['States.ALL'],
        Assign: { resultLocation, resultHash: 'none', isReadable: true },
        Output: '{% $states.input %}',
        Next: 'Record where the result is',
      },
    ];
  }),
  of('results', 'not-read', 'takes a result in a bucket for a missing one', draft => {
    dropRules(draft, 'What does the record say?', ['Completed, its result in a bucket']);
    delete objectAt(draft, 'States')[READ];
  }),
  of('results', 'put-once', 'gives up a put whose answer is lost', draft => {
    delete stateOf(draft, STORE)['Retry'];
  }),
];
