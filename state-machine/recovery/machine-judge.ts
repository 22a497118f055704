import { Choice, type State } from 'aws-cdk-lib/aws-stepfunctions';
import { DATA_TOO_LONG, NAME_TAKEN_SDK, OWNER_UNKNOWN } from '../aws-error-names';
import { when } from '../choice';
import { SETTLED_IN_A_MACHINE } from '../contract/error-names';
import { literals, not } from '../contract/jsonata';
import { MACHINE_RECOVERY_STATE, RECOVERY_STATE } from '../contract/state-names';
import { PASS_INPUT_ON } from '../settings';
import {
  askAboutTheDelivery,
  DELIVERED,
  HAS_OLDER_EVENTS,
  hasFailedInAFragment,
  IS_AT_WORK,
  IS_DELIVERED,
  IS_LEFT,
  IS_TOO_FAR_BACK,
  letTheDeliveryWork,
  MACHINE_PLACE_UNKNOWN,
  type MachineRecoverySettings,
  mayBeForgotten,
  NO_DELIVERY,
  readItsHistory,
  requestsOf,
} from './machine-states';
import type { Entrances, RecoveryJudge, SharedRecoveryStates } from './recovery-fragment';
import { because, STATUS_TOLD, UNKNOWN } from './recovery-input';
import { deliverAgain, HAS_FAILED, IS_TRIED_TOO_OFTEN_IN_ALL, isTooEarly } from './recovery-states';

/**
 * Decides about the execution of a team's own state machine: its input is delivered once more, and the fragments in it
 * redrive the owner of their key, take over, or answer. Its records cannot be read here, because a key may be out of
 * what the execution had made of its input.
 */
export function machineJudge(settings: MachineRecoverySettings): RecoveryJudge {
  return {
    timing: settings,
    needsError: false,
    settled: SETTLED_IN_A_MACHINE,
    known: { ...NO_DELIVERY, ...MACHINE_PLACE_UNKNOWN, ...requestsOf(settings) },
    destination: undefined,
    connect: shared => connect(shared, settings),
  };
}

function connect(shared: SharedRecoveryStates, settings: MachineRecoverySettings): Entrances {
  const { scope, wait, ask, nothingLeft, givenUp } = shared;
  const whatIsDue = Choice.jsonata(scope, RECOVERY_STATE.whatIsDue, {
    comment: 'An execution that runs is left alone; one that fails again and again is left to an operator',
  });
  const deliver = deliverAgain(scope, { assign: DELIVERED, within: undefined });
  const askAboutDelivery = askAboutTheDelivery(scope);
  const whatBecameOfIt = Choice.jsonata(scope, MACHINE_RECOVERY_STATE.whatBecameOfIt, {
    comment: 'The delivery has the event, unless it left that to the execution that has ended',
  });
  const letItWork = letTheDeliveryWork(scope);
  when(whatIsDue, 'It resumed, or has finished', not(HAS_FAILED), nothingLeft);
  when(
    whatIsDue,
    'Answered, rejected, or stopped for good',
    `$owner.error in ${literals(SETTLED_IN_A_MACHINE)}`,
    nothingLeft,
  );
  when(
    whatIsDue,
    'Its later end has a recovery of its own',
    '$owner.redriveCount > $redrivesBefore',
    nothingLeft,
  );
  when(whatIsDue, 'It is delivered', IS_DELIVERED, askAboutDelivery);
  when(whatIsDue, 'Tried too often', IS_TRIED_TOO_OFTEN_IN_ALL, givenUp);
  when(whatIsDue, 'Its records may be gone', mayBeForgotten(settings), givenUp, because(FORGOTTEN));
  when(whatIsDue, 'Too early', isTooEarly(settings), wait);
  whatIsDue.otherwise(deliver);
  deliver.next(wait);
  // Another recovery of the same end has delivered it.
  deliver.addCatch(wait, { errors: [...NAME_TAKEN_SDK], assign: DELIVERED, outputs: PASS_INPUT_ON });
  askAboutDelivery.next(whatBecameOfIt);
  askAboutDelivery.addCatch(givenUp, { errors: [...OWNER_UNKNOWN, DATA_TOO_LONG], ...because(UNKNOWN) });
  when(whatBecameOfIt, 'It has left the event to the owner', IS_LEFT, whatIsDue);
  when(whatBecameOfIt, 'It is running', IS_AT_WORK, letItWork);
  whatBecameOfIt.otherwise(nothingLeft);
  letItWork.next(ask);
  const history = connectHistory(shared, settings);
  return {
    rules: [['Failed by another error', `${STATUS_TOLD} = 'FAILED'`, history]],
    otherwise: wait,
    asked: whatIsDue,
    unknown: givenUp,
  };
}

/** Tells a request that was given up from a failure that the state machine ends with. */
function connectHistory(
  { scope, wait, nothingLeft, givenUp }: SharedRecoveryStates,
  settings: MachineRecoverySettings,
): State {
  const read = readItsHistory(scope);
  const where = Choice.jsonata(scope, MACHINE_RECOVERY_STATE.whereDidItFail, {
    comment: 'In a request of a fragment it gave up after hours; elsewhere it failed on purpose',
  });
  read.next(where);
  read.addCatch(givenUp, { errors: [...OWNER_UNKNOWN, DATA_TOO_LONG], ...because(NO_HISTORY) });
  when(where, 'In a request of a fragment', hasFailedInAFragment(settings), wait);
  when(where, 'Not known', IS_TOO_FAR_BACK, givenUp, because(NO_HISTORY));
  when(where, 'Further back', HAS_OLDER_EVENTS, read);
  where.otherwise(nothingLeft);
  return read;
}

const NO_HISTORY =
  'its history does not say in which state it failed; look at it, and redrive it if that is right';
const FORGOTTEN =
  'records that its fragments have finished may be gone by now: find out what of its work is done, and redrive it or ' +
  'deliver its event again if that is right';
