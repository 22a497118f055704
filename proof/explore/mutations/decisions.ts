import {
  ALWAYS,
  before,
  exists,
  minus,
  NEVER,
  negated,
  notAfter,
  sum,
} from '../../../state-machine/contract/condition';
import { IS_COMPLETED, IS_IN_PROGRESS, IS_OTHER_PAYLOAD } from '../../../state-machine/contract/conditions';
import { IS_YOUNG, OWNS_THE_RECORD } from '../../../state-machine/contract/dispatch-rules';
import {
  changeRows,
  changeValue,
  dropRules,
  listOf,
  moveRules,
  narrowRules,
  objectAt,
  replaceIn,
  setRules,
  stateOf,
} from './edit';
import type { Mutation } from './mutation';
import { CLAIMED_AT, EXPIRED, EXPIRY, NOW_SECONDS, STATUS_TEXT } from './parts';

function judge(name: string, says: string, change: Mutation['change']): Mutation {
  return { name, says, of: 'workflow', change };
}

function dispatch(name: string, says: string, change: Mutation['change']): Mutation {
  return { name: `dispatch-${name}`, says, of: 'dispatcher', change };
}

const JUDGE = 'What does the record say?';
const DONE = 'Has it been done?';
const STEP = 'Business step';

// The names of the rules: their comments in the definition.
const GONE = ['Absent or expired, rejected too often', 'Absent or expired'];
const FAILED = ['Failed or released, rejected too often', 'Failed or released'];
const OWN_CLAIM = 'A claim under its name';
const IN_TIME = "Within the step's time";

const EXPIRES_LATER = [EXPIRED, before(EXPIRY, NOW_SECONDS)] as const;

/** The guards of reading, judging, asking, waiting, and of starting by name. */
export const DECISION_MUTATIONS: readonly Mutation[] = [
  judge('read-not-consistent', 'reads a record as it was', draft => {
    delete objectAt(draft, 'States', 'Read record', 'Arguments')['ConsistentRead'];
  }),
  judge('judge-expired-counts', 'takes an expired record for one that counts', draft =>
    changeRows(draft, JUDGE, GONE, [EXPIRED, NEVER]),
  ),
  judge('judge-expired-later', 'takes a record that expires this second for one that counts', draft =>
    changeRows(draft, JUDGE, GONE, EXPIRES_LATER),
  ),
  judge('judge-absent-counts', 'does not notice that there is no record any more', draft =>
    changeRows(draft, JUDGE, GONE, [negated(exists(STATUS_TEXT)), NEVER]),
  ),
  judge('judge-expiry-is-gone', 'takes every record with an expiry for expired', draft =>
    changeRows(draft, JUDGE, GONE, [EXPIRED, exists(EXPIRY)]),
  ),
  judge('judge-any-payload', 'answers another payload', draft => {
    dropRules(draft, JUDGE, ['Another payload']);
    delete objectAt(draft, 'States')['Payload mismatch'];
  }),
  judge('judge-payload-last', 'looks at the payload when the status has decided', draft =>
    moveRules(draft, JUDGE, ['Another payload'], 'back'),
  ),
  judge('judge-payload-after-failure', 'looks at the payload when a failure has been taken over', draft =>
    moveRules(draft, JUDGE, FAILED, 'front'),
  ),
  judge('judge-payload-of-the-ended', 'looks at the payload of a record that is not in progress', draft =>
    narrowRules(draft, JUDGE, ['Another payload'], negated(IS_IN_PROGRESS)),
  ),
  judge('judge-gone-last', 'looks at the expiry when the status has decided', draft =>
    moveRules(draft, JUDGE, GONE, 'back'),
  ),
  judge('judge-failure-stays', 'does not take a failure over', draft => dropRules(draft, JUDGE, FAILED)),
  {
    ...judge('judge-own-is-in-progress', 'waits for itself', draft => dropRules(draft, JUDGE, [OWN_CLAIM])),
    isByName: true,
  },
  judge('judge-calls-nobody', 'leaves every unfinished record alone', draft =>
    dropRules(draft, JUDGE, [OWN_CLAIM, 'Lease over', 'Leased', 'Overdue']),
  ),
  judge('judge-never-calls', 'takes every unfinished record for one whose owner is at work', draft =>
    setRules(draft, JUDGE, [IN_TIME], IS_IN_PROGRESS),
  ),
  judge('judge-calls-at-once', 'starts recovery for each owner, however young its claim is', draft =>
    dropRules(draft, JUDGE, [IN_TIME]),
  ),
  judge('judge-calls-too-late', "starts recovery a second after the step's time is over", draft =>
    changeValue(draft, JUDGE, [IN_TIME], [CLAIMED_AT, sum(CLAIMED_AT, 1000)]),
  ),
  judge('judge-step-of-any-status', 'checks the time of a finished record', draft => {
    changeRows(draft, JUDGE, [IN_TIME], [IS_IN_PROGRESS, ALWAYS]);
    moveRules(draft, JUDGE, [IN_TIME], 'front');
  }),
  judge('call-for-nobody', 'starts recovery without the owner that it is for', draft =>
    replaceIn(
      objectAt(draft, 'States', 'Call recovery', 'Arguments'),
      'Input',
      "'executionArn': $record.owner.S",
      "'record': $record.owner.S",
    ),
  ),
  judge('call-once-for-all', 'starts recovery for a claim but once', draft =>
    replaceIn(
      objectAt(draft, 'States', 'Call recovery', 'Arguments'),
      'Name',
      '$formatBase($floor($millis() / 900000), 10)',
      "'0'",
    ),
  ),
  judge('call-failed-is-an-error', 'fails where recovery cannot be started', draft => {
    delete stateOf(draft, 'Call recovery')['Catch'];
  }),
  judge('step-end-not-awaited', 'records a failure while the step may be working', draft => {
    for (const catcher of listOf(stateOf(draft, STEP), 'Catch')) catcher['Next'] = 'Record the failure';
    delete objectAt(draft, 'States')['Let the step end'];
  }),
  ...['ClientExecutionTimeoutException', 'SdkClientException', 'ServiceException', 'AWSLambdaException'].map(
    error =>
      judge(`step-end-not-awaited-after-${error}`, 'takes one kind of lost answer for an end', draft => {
        for (const catcher of listOf(stateOf(draft, STEP), 'Catch')) {
          catcher['ErrorEquals'] = (catcher['ErrorEquals'] as string[]).filter(
            name => name !== `Lambda.${error}`,
          );
        }
      }),
  ),
  judge(
    'step-result-too-long-by-any-name',
    'takes the word for any error to cover a result too long',
    draft => {
      const state = stateOf(draft, STEP);
      state['Catch'] = listOf(state, 'Catch').filter(
        ({ ErrorEquals }) => !(ErrorEquals as string[]).includes('States.DataLimitExceeded'),
      );
    },
  ),
  judge('step-without-timeout', 'waits for ever for an answer that never comes', draft => {
    delete stateOf(draft, STEP)['TimeoutSeconds'];
  }),
  judge('step-end-awaited-a-second-less', 'does not wait for the last second of the step', draft => {
    const state = stateOf(draft, 'Let the step end');
    state['Seconds'] = Number(state['Seconds']) - 1;
  }),
  judge('step-timeout-a-second-less', 'gives up on the step in the last second of its function', draft => {
    const state = stateOf(draft, STEP);
    state['TimeoutSeconds'] = Number(state['TimeoutSeconds']) - 1;
  }),
  judge('judge-expired-a-second-early', 'gives a record up in its last second', draft =>
    changeRows(draft, JUDGE, GONE, [EXPIRED, notAfter(minus(EXPIRY, 1), NOW_SECONDS)]),
  ),
  judge('step-end-awaited-too-short', 'waits a second for the step to end', draft => {
    stateOf(draft, 'Let the step end')['Seconds'] = 1;
  }),
  judge('step-retried-after-lost-answer', 'runs the step again beside a run whose answer was lost', draft => {
    for (const retrier of listOf(stateOf(draft, STEP), 'Retry')) {
      (retrier['ErrorEquals'] as string[]).push('Lambda.SdkClientException');
    }
  }),
  judge('step-timeout-too-short', 'gives up on the step before its function ends', draft => {
    stateOf(draft, STEP)['TimeoutSeconds'] = 1;
  }),
  dispatch('taken-is-done', 'drops a delivery whose name is taken', draft => {
    for (const catcher of listOf(stateOf(draft, 'Start by key'), 'Catch')) {
      if ((catcher['ErrorEquals'] as string[]).some(name => name.includes('AlreadyExists'))) {
        catcher['Next'] = 'Started before';
      }
    }
  }),
  dispatch('joined-is-own', 'takes an execution that was running for its own', draft =>
    replaceIn(objectAt(draft, 'States', 'Start by key', 'Assign'), 'joined', '$wasRunning or', 'false or'),
  ),
  dispatch('retried-is-own', 'takes an execution for its own that began while the start was retried', draft =>
    replaceIn(
      objectAt(draft, 'States', 'Start by key', 'Assign'),
      'joined',
      ' or $states.context.State.RetryCount > 0',
      '',
    ),
  ),
  dispatch('leaves-to-any-owner', 'leaves a delivery to an execution that does not own its record', draft =>
    changeRows(draft, DONE, ['The running execution is at work'], [OWNS_THE_RECORD, ALWAYS]),
  ),
  dispatch('leaves-to-any-status', 'leaves a delivery to an execution that has finished its record', draft =>
    changeRows(draft, DONE, ['The running execution is at work'], [IS_IN_PROGRESS, ALWAYS]),
  ),
  dispatch('leaves-without-a-claim', 'waits for ever for the claim of a running execution', draft =>
    changeRows(draft, DONE, ['The running execution may still claim'], [IS_YOUNG, ALWAYS]),
  ),
  dispatch('any-record-is-done', 'drops a delivery whose record is not COMPLETED', draft =>
    changeRows(draft, DONE, ['Done'], [IS_COMPLETED, exists(STATUS_TEXT)]),
  ),
  dispatch('expired-is-done', 'drops a delivery whose record has expired', draft =>
    changeRows(draft, DONE, ['Done'], [EXPIRED, NEVER]),
  ),
  dispatch('expired-later', 'drops a delivery in the second in which the record expires', draft =>
    changeRows(draft, DONE, ['Done'], EXPIRES_LATER),
  ),
  dispatch('keeps-nothing', 'fails where it cannot start, without the dead-letter queue', draft => {
    for (const name of ['Read the key', 'Start by key', 'Start again', 'Start without a key']) {
      for (const catcher of listOf(stateOf(draft, name), 'Catch')) {
        if (catcher['Next'] === 'Keep the event') catcher['Next'] = 'Not started';
      }
    }
    delete objectAt(draft, 'States')['Keep the event'];
  }),
  dispatch('read-fails', 'fails where the record cannot be read', draft => {
    delete stateOf(draft, 'Read record')['Catch'];
  }),
  dispatch('any-payload-is-done', 'drops a delivery with another payload', draft =>
    changeRows(draft, DONE, ['Done'], [IS_OTHER_PAYLOAD, NEVER]),
  ),
  dispatch('again-by-the-same-name', 'starts again under the name that is taken', draft => {
    const given = objectAt(draft, 'States', 'Start by key', 'Arguments')['Name'] ?? null;
    objectAt(draft, 'States', 'Start again', 'Arguments')['Name'] = given;
  }),
  dispatch('read-not-consistent', 'reads a record as it was', draft => {
    delete objectAt(draft, 'States', 'Read record', 'Arguments')['ConsistentRead'];
  }),
];
