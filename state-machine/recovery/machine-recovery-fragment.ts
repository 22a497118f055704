import { Choice, type INextable, type State, StateMachineFragment } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { when } from '../choice';
import { OPEN_IN_A_MACHINE, SETTLED_IN_A_MACHINE } from '../contract/error-names';
import { and, literals, not } from '../contract/jsonata';
import { MACHINE_RECOVERY_STATE, RECOVERY_STATE } from '../contract/state-names';
import { DATA_TOO_LONG, EVALUATION_FAILED, NAME_TAKEN_SDK, OWNER_UNKNOWN, PASS_INPUT_ON } from '../settings';
import * as asking from './asking';
import * as own from './machine-recovery-states';
import * as ends from './recovery-ends';
import * as dead from './recovery-input';
import * as states from './recovery-states';

/**
 * The states that bring the event of a dead execution of a team's state machine to its end: they deliver its own input
 * once more, and the fragments in it redrive the owner of their key, take over, or answer. Its records cannot be read
 * here, as a key may be out of what the execution had made of its input.
 *
 * The input is that of `RecoveryFragment`.
 */
export class MachineRecoveryFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[] = [];

  constructor(scope: Construct, id: string, settings: own.MachineRecoverySettings) {
    super(scope, id);
    const shared = {
      wait: states.letItsTimePass(this, settings),
      nothingLeft: ends.nothingLeft(this),
      givenUp: ends.givenUp(this, undefined),
    };
    const { wait, nothingLeft, givenUp } = shared;
    const readHistory = this.connectHistory(settings, shared);
    const isToBeLookedAt = Choice.jsonata(this, RECOVERY_STATE.isToBeLookedAt, {
      comment: 'What the state machine ends with on purpose is its own affair',
    });
    const readInput = asking.readTheInput(this);
    const recoverEach = states.recoverEach(this);
    recoverEach.next(nothingLeft);
    when(isToBeLookedAt, 'Several that a search has found', dead.HAS_SEVERAL, recoverEach);
    when(isToBeLookedAt, 'It has not died', dead.IS_NO_DEATH, nothingLeft);
    when(isToBeLookedAt, 'Answered, refused, or stopped for good', IS_SETTLED, nothingLeft);
    when(isToBeLookedAt, 'A recovery that was cut off', dead.IS_A_RECOVERY, isToBeLookedAt, {
      outputs: dead.PARSED_INPUT,
    });
    const known = {
      assign: { ...dead.factsOf(), ...own.NO_DELIVERY, ...own.PLACE_UNKNOWN },
      outputs: {},
    };
    when(
      isToBeLookedAt,
      'Failed by an error of a service or of its own',
      FAILED_BY_ANOTHER,
      readHistory,
      known,
    );
    when(isToBeLookedAt, 'Its input is known', dead.HAS_INPUT, wait, known);
    when(isToBeLookedAt, 'Its input cannot be read', dead.IS_ASKED, givenUp, because(dead.UNREADABLE));
    isToBeLookedAt.otherwise(readInput);
    readInput.next(isToBeLookedAt);
    const unread = { errors: [DATA_TOO_LONG, ...OWNER_UNKNOWN, EVALUATION_FAILED], outputs: PASS_INPUT_ON };
    readInput.addCatch(givenUp, { ...unread, ...because(dead.UNREADABLE) });

    this.connectDeliveries(settings, shared);
    this.startState = isToBeLookedAt;
  }

  /** Tells a request that was given up from a failure that the state machine ends with. */
  private connectHistory(
    settings: own.MachineRecoverySettings,
    { wait, nothingLeft, givenUp }: Shared,
  ): State {
    const read = own.readItsHistory(this);
    const where = Choice.jsonata(this, MACHINE_RECOVERY_STATE.whereDidItFail, {
      comment: 'In a request of a fragment it gave up after hours; elsewhere it failed on purpose',
    });
    read.next(where);
    read.addCatch(givenUp, { errors: [...OWNER_UNKNOWN, DATA_TOO_LONG], ...because(NO_HISTORY) });
    when(where, 'In a request of a fragment', own.hasFailedInAFragment(settings), wait);
    when(where, 'Nobody knows', own.IS_TOO_FAR_BACK, givenUp, because(NO_HISTORY));
    when(where, 'Further back', own.IS_FURTHER_BACK, read);
    where.otherwise(nothingLeft);
    return read;
  }

  /** Decides by the execution and its last delivery, each time anew, and delivers. */
  private connectDeliveries(
    settings: own.MachineRecoverySettings,
    { wait, nothingLeft, givenUp }: Shared,
  ): void {
    const ask = asking.askAboutTheExecution(this);
    const isDue = Choice.jsonata(this, RECOVERY_STATE.isDue, {
      comment: 'What lives is left alone, and what dies again and again is left to a person',
    });
    const deliver = own.deliverAgain(this, settings);
    const askAboutDelivery = own.askAboutTheDelivery(this);
    const whatBecameOfIt = Choice.jsonata(this, MACHINE_RECOVERY_STATE.whatBecameOfIt, {
      comment: 'The event is with the delivery, unless that has left it to the execution that is dead',
    });
    const letItWork = own.letTheDeliveryWork(this);

    wait.next(ask);
    ask.next(isDue);
    ask.addCatch(givenUp, { errors: [...OWNER_UNKNOWN], ...because(dead.UNKNOWN) });
    ask.addCatch(givenUp, { errors: [EVALUATION_FAILED], ...because(dead.BEHIND) });
    ask.addCatch(isDue, { errors: [DATA_TOO_LONG], assign: asking.ERROR_UNKNOWN, outputs: PASS_INPUT_ON });
    when(isDue, 'It goes on, or has done so', not(states.HAS_DIED), nothingLeft);
    when(isDue, 'It has ended anew', states.HAS_ENDED_ANEW, nothingLeft);
    when(isDue, 'Its error is not told', asking.IS_ERROR_MISSING, ask, { assign: asking.ASK_FOR_ALL });
    when(
      isDue,
      'Answered, refused, or stopped for good',
      asking.hasEndedWith(SETTLED_IN_A_MACHINE),
      nothingLeft,
    );
    when(isDue, 'It is delivered', own.IS_DELIVERED, askAboutDelivery);
    when(isDue, 'Delivered too often', states.IS_TRIED_TOO_OFTEN, givenUp);
    when(isDue, 'Nobody knows any more', own.mayBeForgotten(settings), givenUp, because(FORGOTTEN));
    when(isDue, 'Too early', states.isTooEarly(settings), wait);
    isDue.otherwise(deliver);
    deliver.next(wait);
    // Another recovery of the same end has delivered it.
    deliver.addCatch(wait, { errors: [...NAME_TAKEN_SDK], assign: own.DELIVERED, outputs: PASS_INPUT_ON });
    askAboutDelivery.next(whatBecameOfIt);
    askAboutDelivery.addCatch(givenUp, {
      errors: [...OWNER_UNKNOWN, DATA_TOO_LONG],
      ...because(dead.UNKNOWN),
    });
    when(whatBecameOfIt, 'It has left the event to the owner', own.IS_LEFT, isDue);
    when(whatBecameOfIt, 'It is at work', own.IS_AT_WORK, letItWork);
    whatBecameOfIt.otherwise(nothingLeft);
    letItWork.next(ask);
  }
}

interface Shared {
  readonly wait: State & INextable;
  readonly nothingLeft: State;
  readonly givenUp: State;
}

const because = dead.because;
const NO_HISTORY =
  'its history does not say in which state it failed; look at it, and redrive it if that is right';
const FORGOTTEN =
  'records that its fragments have finished may be gone by now: find out what of its work is done, and redrive it or ' +
  'deliver its event again where that is right';
const ERROR = '$states.input.error';
const IS_SETTLED = `${ERROR} in ${literals(SETTLED_IN_A_MACHINE)}`;
const FAILED_BY_ANOTHER = and(
  dead.HAS_INPUT,
  "$states.input.status = 'FAILED'",
  not(`${ERROR} in ${literals(OPEN_IN_A_MACHINE)}`),
);
