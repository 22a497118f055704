import { Choice, type State } from 'aws-cdk-lib/aws-stepfunctions';
import { decide } from '../choice';
import { STATUS_TOLD } from '../contract/begin-rules';
import { eq } from '../contract/condition';
import { NOTHING_TO_RECOVER_IN_A_MACHINE } from '../contract/error-names';
import { deliveryRules, failedStateRules, machineRules } from '../contract/machine-rules';
import { MACHINE_RECOVERY_STATE, RECOVERY_STATE } from '../contract/state-names';
import { PASS_INPUT_ON } from '../settings';
import { DATA_TOO_LONG, NAME_TAKEN_SDK, OWNER_UNKNOWN } from '../tasks/aws-error-names';
import {
  askAboutTheDelivery,
  DELIVERED,
  FAILED_STATE_UNKNOWN,
  hasFailedInAFragment,
  letTheDeliveryWork,
  type MachineRecoverySettings,
  NO_DELIVERY,
  readItsHistory,
  requestsOf,
} from './machine-states';
import type { Entrances, RecoveryJudge, SharedRecoveryStates } from './recovery-fragment';
import { because, UNKNOWN } from './recovery-input';
import { deliverAgain } from './recovery-states';

/**
 * Decides about the execution of a team's own state machine: its input is delivered once more, and the fragments in it
 * redrive the owner of their key, take over, or answer. Its records cannot be read here, because a key may be out of
 * what the execution had made of its input.
 */
export function machineJudge(settings: MachineRecoverySettings): RecoveryJudge {
  return {
    timing: settings,
    needsError: false,
    special: { name: 'Failed by another error', when: eq(STATUS_TOLD, 'FAILED') },
    nothingToRecover: NOTHING_TO_RECOVER_IN_A_MACHINE,
    known: { ...NO_DELIVERY, ...FAILED_STATE_UNKNOWN, ...requestsOf(settings) },
    destination: undefined,
    connect: shared => connect(shared, settings),
  };
}

function connect(shared: SharedRecoveryStates, settings: MachineRecoverySettings): Entrances {
  const { scope, wait, ask, nothingLeft, givenUp } = shared;
  const whatIsDue = Choice.jsonata(scope, RECOVERY_STATE.whatIsDue, {
    comment: 'An execution that runs is left alone; one that fails again and again is left to an operator',
  });
  const deliver = deliverAgain(scope, { assign: DELIVERED, withinSeconds: undefined });
  const askAboutDelivery = askAboutTheDelivery(scope);
  const whatBecameOfIt = Choice.jsonata(scope, MACHINE_RECOVERY_STATE.whatBecameOfIt, {
    comment: 'The delivery has the event, unless it left that to the execution that has ended',
  });
  const letItWork = letTheDeliveryWork(scope);
  decide(
    whatIsDue,
    machineRules(settings),
    {
      nothingLeft: () => nothingLeft,
      askAboutDelivery: () => askAboutDelivery,
      giveUp: () => givenUp,
      giveUpForgotten: () => givenUp,
      wait: () => wait,
      deliver: () => deliver,
    },
    { giveUpForgotten: because(FORGOTTEN) },
  );
  deliver.next(wait);
  // Another recovery of the same end has delivered it.
  deliver.addCatch(wait, { errors: [...NAME_TAKEN_SDK], assign: DELIVERED, outputs: PASS_INPUT_ON });
  askAboutDelivery.next(whatBecameOfIt);
  askAboutDelivery.addCatch(givenUp, { errors: [...OWNER_UNKNOWN, DATA_TOO_LONG], ...because(UNKNOWN) });
  decide(whatBecameOfIt, deliveryRules(), {
    decide: () => whatIsDue,
    letItWork: () => letItWork,
    nothingLeft: () => nothingLeft,
  });
  letItWork.next(ask);
  return {
    special: connectHistory(shared, settings),
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
  decide(
    where,
    failedStateRules(hasFailedInAFragment(settings)),
    {
      wait: () => wait,
      giveUpNoHistory: () => givenUp,
      readOn: () => read,
      nothingLeft: () => nothingLeft,
    },
    { giveUpNoHistory: because(NO_HISTORY) },
  );
  return read;
}

const NO_HISTORY =
  'its history does not say in which state it failed; look at it, and redrive it if that is right';
const FORGOTTEN =
  'records that its fragments have finished may be gone by now: find out what of its work is done, and redrive it or ' +
  'deliver its event again if that is right';
