import { ALWAYS, exists, known, NEVER } from '../../../state-machine/contract/condition';
import {
  HAS_SUCCEEDED,
  IS_IN_PROGRESS,
  IS_OF_ANOTHER_FORM,
  IS_REDRIVABLE,
  isClaimOf,
  isRedrivenTooOften,
} from '../../../state-machine/contract/conditions';
import {
  changeCondition,
  changeRows,
  type DraftObject,
  dropRules,
  dropUnused,
  listOf,
  moveRules,
  objectAt,
  replaceIn,
  rulesOf,
  setRules,
  shortenLease,
  stateOf,
} from '../mutations/edit';
import { FAILURE_MUTATIONS, RESULT_MUTATIONS } from './failures';
import { FRONT_DOOR_MUTATIONS } from './front-doors';
import { hasRunAfter, of, ofRecovery, type VariantMutation } from './mutation';
import { NOTICE_MUTATIONS } from './notices';
import { RECOVERY_MUTATIONS } from './recoveries';
import { REDELIVERY_MUTATIONS } from './redeliveries';

const JUDGE = 'What does the record say?';
const STEP = 'Business step';
const WAIT = 'Wait for the owner';
const IS_RUNNING = 'Is the owner running?';
const DUE = 'What is due?';
const WHERE = 'Where did it stop?';
/** The rule that leaves an owner to a person. */
const EXHAUSTED = 'Redriven too often';
const CERTAIN = 'Is the outcome certain?';
/** How many seconds an owner's step may work: the longer one of its own and the record's. */
const RECORDED_STEP_TIMEOUT = /\$max\(\[(\d+), \$number\(\$record\.stepTimeout\.N\)\]\)/g;

/** Forgets what records say of how long their owners' steps may work. */
function goByOwnStepTimeout(draft: DraftObject): void {
  const states = objectAt(draft, 'States');
  for (const [name, state] of Object.entries(states))
    states[name] = JSON.parse(JSON.stringify(state).replaceAll(RECORDED_STEP_TIMEOUT, '$max([$1])'));
}

/** The claim ID that a request's condition compares. */
function claimIdIn(request: DraftObject): DraftObject {
  return objectAt(request, 'ExpressionAttributeValues', ':claimId');
}

/** Two events of a key whose step has failed are in one list, and the step fails again for the first of them. */
const LIST_OF_A_FAILED_KEY =
  'send1 dispatch1 do1 do1 fail1.1 do1 end1 batch2 dispatch2 dispatch2 dispatch2 do2 do2 do2 do2 fail2.2 do2 end2 dispatch3 dispatch3 dispatch3';

/** A mutant of the dispatcher of a custom event bus. */
function ofSubscriber(name: string, says: string, change: VariantMutation['change']): VariantMutation {
  const mutation: VariantMutation = { ...of('custom-event-bus', name, says, change), of: 'dispatcher' };
  return name === 'place-not-in-name' ? { ...mutation, schedule: LIST_OF_A_FAILED_KEY } : mutation;
}

/** A mutant of the dispatcher that waits for the executions of an Express workflow. */
function ofRun(name: string, says: string, change: VariantMutation['change']): VariantMutation {
  return { ...of('express-custom-event-bus', name, says, change), of: 'dispatcher' };
}

/** The guards of single variants: the search must miss each of them alone. */
export const VARIANT_MUTATIONS: readonly VariantMutation[] = [
  {
    ...of('without-key', 'unnamed', 'starts an event without a key under no name', draft => {
      delete objectAt(draft, 'States', 'Start without a key', 'Arguments')['Name'];
    }),
    of: 'dispatcher',
  },
  ofSubscriber('place-not-in-name', 'starts two events of a list again under one name', draft =>
    replaceIn(objectAt(draft, 'States', 'Start again', 'Arguments'), 'Name', " & '#' & $place", ''),
  ),
  ofSubscriber('too-long-comes-again', 'has an event delivered again that no delivery could start', draft => {
    for (const name of ['Start by key', 'Start again', 'Start without a key']) {
      const start = stateOf(draft, name);
      start['Catch'] = listOf(start, 'Catch').filter(({ Next }) => Next !== 'Malformed');
    }
  }),
  ofSubscriber('throttled-is-kept', 'keeps an event that another delivery could start', draft => {
    for (const name of ['Start by key', 'Start again', 'Start without a key'])
      for (const catcher of listOf(stateOf(draft, name), 'Catch'))
        if (catcher['Next'] === 'Not started') catcher['Next'] = 'Malformed';
    delete objectAt(draft, 'States')['Not started'];
  }),
  ofRun('rejected-comes-again', 'has an event delivered again that was rejected for good', draft =>
    dropRules(draft, 'Has it been done?', ['Rejected for good']),
  ),
  ofRun('unfinished-is-final', 'takes an error for final while the key of its event is unfinished', draft =>
    dropRules(draft, 'Has it been done?', ['Another delivery may finish it']),
  ),
  ofRun(
    'unheard-is-final',
    'takes an execution of which it has not heard for one that has succeeded',
    draft => {
      for (const catcher of listOf(stateOf(draft, 'Run the workflow'), 'Catch'))
        catcher['Next'] = 'Delivered';
    },
  ),
  ofRun('open-is-final', 'takes a failed step for one that has succeeded', draft => {
    stateOf(draft, 'Has it been done?')['Default'] = 'Delivered';
  }),
  ofRun('answered-comes-again', 'has an event delivered again whose key is completed', draft =>
    setRules(draft, 'Has it been done?', ['Done']),
  ),
  of(
    'express',
    'lease-without-the-step',
    'has a lease that ends with the execution, not with its step',
    draft => shortenLease(draft, 40_000),
  ),
  of('express', 'lease-too-short', 'has a lease that ends a second before its step may', draft =>
    shortenLease(draft, 1000),
  ),
  of('express', 'lease-never-over', 'waits for an owner whose lease is over', draft =>
    dropRules(draft, JUDGE, ['Lease over']),
  ),
  of('express', 'lease-over-at-once', 'does not look at the lease', draft =>
    setRules(draft, JUDGE, ['Lease over'], IS_IN_PROGRESS),
  ),
  of('express', 'takeover-keeps-the-lease', 'takes over without a lease of its own', draft => {
    const request = objectAt(draft, 'States', 'Take over', 'Arguments');
    replaceIn(request, 'UpdateExpression', ', #leaseExpiry = :leaseExpiry', '');
    dropUnused(request);
  }),
  of('express', 'restarted-claims-again', 'takes the claim of its first run for its own', draft =>
    changeCondition(draft, 'Claim record', ' AND #claimId = :claimId', ''),
  ),
  of('at-most-once', 'any-end-is-certain', 'takes a lost answer for a failure', draft =>
    dropRules(draft, CERTAIN, ['It was cut off', 'It may have run']),
  ),
  of('at-most-once', 'no-permission-is-doubt', 'parks a key whose step it may not even call', draft =>
    setRules(
      draft,
      CERTAIN,
      ['It may have run'],
      hasRunAfter('(?![\\s\\S]*Error Code: AccessDeniedException;)', ''),
    ),
  ),
  of('at-most-once', 'no-function-is-doubt', 'parks a key whose function there is not', draft =>
    setRules(draft, CERTAIN, ['It may have run'], hasRunAfter('(?:Service|', '(?:ResourceNotFound|Service|')),
  ),
  of('at-most-once', 'doubt-is-taken-over', 'takes a key in doubt for one that has failed', draft =>
    dropRules(draft, JUDGE, ['Held for review', 'Cut off', 'In doubt']),
  ),
  ofRecovery(
    'at-most-once',
    'cut-off-is-released',
    'releases the record of an owner that was cut off in its step',
    draft => {
      for (const rule of rulesOf(draft, WHERE, ['In its step, or not known']))
        rule['Next'] = 'Release the record';
    },
  ),
  ofRecovery('at-most-once', 'cut-off-is-redriven', 'redrives an owner wherever it stopped', draft =>
    setRules(draft, WHERE, ['Outside of its step, and redrivable'], IS_REDRIVABLE),
  ),
  ofRecovery('at-most-once', 'unknown-is-released', 'releases the record of an unknown owner', draft => {
    for (const rule of rulesOf(draft, DUE, ['The owner is not known'])) rule['Next'] = 'Release the record';
  }),
  {
    ...of(
      'at-most-once',
      'redriven-answer-is-certain',
      'believes a step that was cut off and redriven by a person',
      draft => dropRules(draft, CERTAIN, ['It ran before, too']),
    ),
    // It is stopped, redriven, and fails then.
    budgets: [[1, 3]],
  },
  ...FAILURE_MUTATIONS,
  ...NOTICE_MUTATIONS,
  ...RECOVERY_MUTATIONS,
  ...REDELIVERY_MUTATIONS,
  ...FRONT_DOOR_MUTATIONS,
  ...RESULT_MUTATIONS,
  of('wait', 'too-long', 'waits for a second more than its time', draft =>
    replaceIn(
      objectAt(draft, 'States', WAIT, 'Assign'),
      'waitUntil',
      'EnteredTime) + 3000',
      'EnteredTime) + 4000',
    ),
  ),
  of('wait', 'last-one-too-long', 'waits beyond its time, once', draft =>
    replaceIn(stateOf(draft, WAIT), 'Seconds', ', $left])', '])'),
  ),
  of('wait', 'for-ever', 'waits as long as the owner is alive', draft =>
    setRules(draft, 'Waited long enough?', ['The time is over']),
  ),
  of('wait', 'gives-up-early', 'waits but once', draft =>
    setRules(draft, 'Waited long enough?', ['The time is over'], exists(known('waitUntil'))),
  ),
  of('stored-failure', 'failure-is-taken-over', 'runs the step again after its failure', draft => {
    for (const rule of rulesOf(draft, JUDGE, ['Failed'])) rule['Next'] = 'Take over';
    delete objectAt(draft, 'States')['Return stored failure'];
  }),
  of('stored-failure', 'another-error', 'answers with an error of its own', draft => {
    stateOf(draft, 'Return stored failure')['Error'] = 'BusinessStepFailed';
  }),
  of(
    'chain',
    'failure-recorded-at-once',
    'takes an error of the chain for the end of all it has begun',
    draft => {
      const state = stateOf(draft, STEP);
      const lost = [
        'ClientExecutionTimeoutException',
        'SdkClientException',
        'ServiceException',
        'AWSLambdaException',
      ];
      const [tooLong = {}, all] = listOf(state, 'Catch');
      const named = { ...all, ErrorEquals: lost.map(error => `Lambda.${error}`) };
      state['Catch'] = [tooLong, named, { ...all, Next: 'Record the failure' }];
    },
  ),
  of('chain', 'end-awaited-too-short', 'waits a second less than what was cut off may work on', draft => {
    const state = stateOf(draft, 'Let the step end');
    state['Seconds'] = Number(state['Seconds']) - 1;
  }),
  of('chain', 'result-in-a-list', 'takes the list of the branches for the result', draft => {
    stateOf(draft, STEP)['Output'] = '{% $states.result %}';
  }),
  of('chain-in-jsonpath', 'the-wrapper-too', 'leaves the state around the chain in JSONPath', draft => {
    const {
      QueryLanguage: _language,
      Arguments: _arguments,
      Output: _output,
      ...rest
    } = stateOf(draft, STEP);
    const Parameters = { 'idempotencyKey.$': '$idempotencyKey', 'attempt.$': '$attempt', 'input.$': '$' };
    const toTheEnd = { Assign: { 'failure.$': '$' }, ResultPath: null, Next: 'Let the step end' };
    objectAt(draft, 'States')[STEP] = {
      ...rest,
      Parameters,
      Catch: [{ ErrorEquals: ['States.ALL'], ...toTheEnd }],
    };
  }),
  of('recovery-redrives', 'held-waits', 'tells deliveries of a held record to come again later', draft => {
    for (const rule of rulesOf(draft, JUDGE, ['Held for review'])) rule['Next'] = 'In progress';
    delete objectAt(draft, 'States')['Held for review'];
  }),
  ofRecovery(
    'recovery-redrives',
    'bound-dropped',
    'redrives an owner however often it is interrupted',
    draft => dropRules(draft, DUE, [EXHAUSTED]),
  ),
  ofRecovery('recovery-redrives', 'one-too-many', 'redrives an owner once more than it may', draft =>
    setRules(draft, DUE, [EXHAUSTED], isRedrivenTooOften(2)),
  ),
  ofRecovery(
    'recovery-redrives',
    'one-too-few',
    'leaves an owner to an operator that was not redriven',
    draft => setRules(draft, DUE, [EXHAUSTED], isRedrivenTooOften(0)),
  ),
  ofRecovery(
    'recovery-redrives',
    'exhausted-is-released',
    'releases an owner that may have run its step',
    draft => {
      for (const rule of rulesOf(draft, DUE, [EXHAUSTED])) rule['Next'] = 'Release the record';
    },
  ),
  ofRecovery(
    'recovery-redrives',
    'exhausted-is-left',
    'leaves an owner alone that is not redriven any more',
    draft => {
      for (const rule of rulesOf(draft, DUE, [EXHAUSTED])) rule['Next'] = 'Nothing left to recover';
    },
  ),
  ofRecovery(
    'recovery-at-most-once',
    'bound-dropped',
    'redrives an owner however often it is interrupted',
    draft =>
      changeRows(draft, WHERE, ['Outside of its step, and redrivable'], [isRedrivenTooOften(1), NEVER]),
  ),
  ofRecovery(
    'recovery-at-most-once',
    'exhausted-is-released',
    'releases the record of an owner that has run its step',
    draft => {
      for (const rule of rulesOf(draft, WHERE, ['Behind its step, redriven too often']))
        rule['Next'] = 'Release the record';
    },
  ),
  ofRecovery(
    'deployment',
    'own-step-timeout-only',
    "takes its own step's time for that of an owner with another definition",
    goByOwnStepTimeout,
  ),
  of('rollback', 'any-form', 'judges the record of a later version, whose payload it cannot compare', draft =>
    changeRows(draft, JUDGE, ['Of another workflow'], [IS_OF_ANOTHER_FORM, NEVER]),
  ),
  of('fragment', 'one-id-for-all-entries', 'gives each entry of an execution the same claim ID', draft => {
    const assign = objectAt(stateOf(draft, 'Make a claim ID'), 'Assign');
    assign['claimId'] = '{% $states.context.Execution.StartTime %}';
  }),
  of('fragment', 'id-at-each-try', 'draws another claim ID each time that it claims', draft => {
    const request = objectAt(stateOf(draft, 'Claim record'), 'Arguments');
    for (const claimId of [objectAt(request, 'Item', 'claimId'), claimIdIn(request)])
      claimId['S'] = '{% $uuid() %}';
  }),
  of('fragment', 'claim-reentrant-by-owner', "takes another entry's claim for its own", draft =>
    changeCondition(draft, 'Claim record', ' AND #claimId = :claimId', ''),
  ),
  {
    ...of('fragment', 'takeover-reentrant-by-owner', "takes another entry's takeover for its own", draft =>
      changeCondition(draft, 'Take over', ' AND #claimId = :claimId', ''),
    ),
    // Two deliveries, each with two entries, take a while.
    budgets: [[2, 1]],
  },
  of('fragment', 'own-by-owner', 'takes over from another entry of its execution, which is at work', draft =>
    changeRows(draft, JUDGE, ['Its own claim'], [isClaimOf('$claimId'), ALWAYS]),
  ),
  of(
    'fragment-in-turn',
    'succeeded-owner-stays',
    'waits for an owner that has gone on without its record',
    draft => setRules(draft, IS_RUNNING, ['Succeeded'], HAS_SUCCEEDED),
  ),
  of('stored-failure', 'failure-for-any-payload', 'answers another payload with the stored failure', draft =>
    moveRules(draft, JUDGE, ['Failed'], 'front'),
  ),
];
