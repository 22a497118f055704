import {
  Choice,
  type INextable,
  type State,
  StateMachineFragment,
  type TaskStateBase,
  type Wait,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { when } from '../choice';
import { IS_IN_PROGRESS, isGone } from '../contract/conditions';
import { NOTHING_TO_RECOVER, REFUSED_BY_EVALUATION } from '../contract/error-names';
import { IS_NOTICE_UNSENT } from '../contract/failure-notice';
import { and, expression, fieldName, literal, literals, not, or } from '../contract/jsonata';
import { RECORD, STATUS } from '../contract/record';
import { RECOVERY_STATE } from '../contract/state-names';
import { attributeIn } from '../contract/table-schema';
import { DATA_TOO_LONG, EVALUATION_FAILED, NAME_TAKEN_SDK, OWNER_UNKNOWN, PASS_INPUT_ON } from '../settings';
import * as asking from './asking';
import * as ends from './recovery-ends';
import {
  BEHIND,
  because,
  factsOf,
  HAS_INPUT,
  HAS_SEVERAL,
  IS_A_RECOVERY,
  IS_ASKED,
  IS_NO_DEATH,
  PARSED_INPUT,
  UNKNOWN,
  UNREADABLE,
} from './recovery-input';
import * as states from './recovery-states';

/**
 * The states that bring one dead execution's event to its end: they deliver its own input once more, and the workflow
 * redrives the owner, takes over from it, or claims the key.
 *
 * The input is the detail of a status change, or `{executionArn}`, or `{executions}`: several of these. An execution
 * of the very state machine that these states are in is a recovery that was cut off: what that was given is taken.
 */
export class RecoveryFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[] = [];

  constructor(scope: Construct, id: string, settings: states.RecoverySettings) {
    super(scope, id);
    const isToBeLookedAt = Choice.jsonata(this, RECOVERY_STATE.isToBeLookedAt, {
      comment: 'Most deliveries that end otherwise than well were answered, or refused for good',
    });
    const nothingLeft = ends.nothingLeft(this);
    const givenUp = ends.givenUp(this, settings.notices?.onFailure?.target);
    const readInput = asking.readTheInput(this);
    const read = states.readRecord(this, settings);
    const wait = states.letItsTimePass(this, settings);

    const recoverEach = states.recoverEach(this);
    recoverEach.next(nothingLeft);
    when(isToBeLookedAt, 'Several that a search has found', HAS_SEVERAL, recoverEach);
    when(isToBeLookedAt, 'It has not died', IS_NO_DEATH, nothingLeft);
    when(isToBeLookedAt, 'Answered, or refused for good', IS_ANSWERED, nothingLeft);
    when(isToBeLookedAt, 'A recovery that was cut off', IS_A_RECOVERY, isToBeLookedAt, {
      outputs: PARSED_INPUT,
    });
    const known = { assign: { ...factsFor(settings), ...NO_DELIVERY }, outputs: PARSED_INPUT };
    const isKnown = settings.notices?.onFailure ? and(HAS_INPUT, IS_ERROR_KNOWN) : HAS_INPUT;
    // A request that it thought lost may still be made: looks when that is over.
    when(isToBeLookedAt, 'Refused for its input', and(HAS_INPUT, IS_REFUSED), wait, known);
    when(isToBeLookedAt, 'Its input is known', isKnown, read, known);
    when(isToBeLookedAt, 'Its input cannot be read', IS_ASKED, givenUp, because(UNREADABLE));
    isToBeLookedAt.otherwise(readInput);
    readInput.next(isToBeLookedAt);
    const unread = { errors: [DATA_TOO_LONG, ...OWNER_UNKNOWN, EVALUATION_FAILED], outputs: PASS_INPUT_ON };
    readInput.addCatch(givenUp, { ...unread, ...because(UNREADABLE) });

    this.connectDeliveries(settings, { read, wait, nothingLeft, givenUp });
    this.startState = isToBeLookedAt;
  }

  /** Decides by the record and the execution, each time anew, and delivers. */
  private connectDeliveries(
    settings: states.RecoverySettings,
    { read, wait, nothingLeft, givenUp }: Shared,
  ): void {
    const { notices } = settings;
    const isToBeDelivered = undoneIn(settings);
    const isUnsent = unsentIn(notices);
    const undone = isUnsent === undefined ? isToBeDelivered : or(isToBeDelivered, isUnsent);
    const isUndone = Choice.jsonata(this, RECOVERY_STATE.isUndone, {
      comment: 'It owns an unfinished record, or its claim never got through: nobody else goes on with it',
    });
    const ask = asking.askAboutTheExecution(this);
    const isDue = Choice.jsonata(this, RECOVERY_STATE.isDue, {
      comment: 'What lives is left alone, and what dies again and again is left to a person',
    });
    const deliver = states.deliverAgain(this, settings);

    read.next(isUndone);
    read.addCatch(isUndone, {
      errors: [EVALUATION_FAILED],
      assign: { record: {}, hasNoKey: true, ...because(NO_KEY).assign },
      outputs: PASS_INPUT_ON,
    });
    when(isUndone, 'Without a key, and not refused for it', and('$hasNoKey', '$not($isRefused)'), givenUp);
    when(isUndone, 'Nobody knows any more', and(undone, isForgotten(settings)), givenUp, because(FORGOTTEN));
    const mayBeUndone = and(or(undone, MAY_BECOME_OWN), '$not($hasWaited)');
    when(isUndone, 'Undone, or it may be yet: looked at for the first time', mayBeUndone, wait);
    when(isUndone, 'Undone', undone, ask);
    isUndone.otherwise(nothingLeft);
    wait.next(read);

    ask.next(isDue);
    // The event goes with what is told of it.
    const outputs = PASS_INPUT_ON;
    ask.addCatch(givenUp, { errors: [...OWNER_UNKNOWN], outputs, ...because(UNKNOWN) });
    ask.addCatch(givenUp, { errors: [EVALUATION_FAILED], outputs, ...because(BEHIND) });
    ask.addCatch(isDue, { errors: [DATA_TOO_LONG], outputs, assign: asking.ERROR_UNKNOWN });
    when(isDue, 'It goes on, or has done so', not(states.HAS_DIED), nothingLeft);
    when(isDue, 'It has ended anew', states.HAS_ENDED_ANEW, nothingLeft);
    when(isDue, 'Its error is not told', asking.IS_ERROR_MISSING, ask, { assign: asking.ASK_FOR_ALL });
    when(
      isDue,
      'Answered, refused, or stopped for good',
      asking.hasEndedWith(NOTHING_TO_RECOVER),
      nothingLeft,
    );
    when(isDue, 'Delivered too often', states.IS_TRIED_TOO_OFTEN, givenUp);
    when(isDue, 'Too early', states.isTooEarly(settings), wait);
    if (notices && isUnsent !== undefined) {
      const redrive = states.redriveForTheNotice(this, notices);
      const rule = notices.onSuccess ? 'Nobody was told how it ended' : 'Nobody was told that it failed';
      when(isDue, rule, isUnsent, redrive);
      when(isDue, 'Told meanwhile', not(isToBeDelivered), nothingLeft);
      redrive.next(wait);
      // It goes on already, or nobody could redrive it: looks again.
      redrive.addCatch(wait, { assign: states.ONE_MORE, outputs: PASS_INPUT_ON });
    }
    isDue.otherwise(deliver);
    deliver.next(wait);
    // Another recovery of the same end has delivered it.
    deliver.addCatch(wait, {
      errors: [...NAME_TAKEN_SDK],
      assign: states.ONE_MORE,
      outputs: PASS_INPUT_ON,
    });
  }
}

interface Shared {
  readonly read: TaskStateBase;
  readonly wait: Wait;
  readonly nothingLeft: State;
  readonly givenUp: State;
}

const FORGOTTEN =
  'a record that was finished would be gone by now: find out whether its work is done, and deliver its event again ' +
  'where it is not';
const NO_KEY = 'the input of the execution has no usable key; mend it, and deliver its event again';
const IS_ANSWERED = `$states.input.error in ${literals(NOTHING_TO_RECOVER)}`;

// By how it has ended is seen whether it has sent its notice. Where an event does not tell the error, it is asked for.
const IS_ERROR_KNOWN = or("$not($states.input.status = 'FAILED')", '$exists($states.input.error)', IS_ASKED);
const IS_REFUSED = `$states.input.error in ${literals(REFUSED_BY_EVALUATION)}`;
function factsFor({ notices }: states.RecoverySettings) {
  return { ...factsOf(notices?.onFailure ? ['status', 'error'] : []), isRefused: expression(IS_REFUSED) };
}
const NO_DELIVERY = {
  record: {},
  deliveries: 0,
  deliveredAt: 0,
  hasWaited: false,
  hasNoKey: false,
  isAskedForAll: false,
};

const IS_OWN = `$record.${RECORD.owner}.S = $execution.executionArn`;

// What was on its way when the execution ended may still be made: it takes the key over, or parks it.
const MAY_BECOME_OWN = and(
  not(IS_OWN),
  `$exists($record.${RECORD.status})`,
  `$not($record.${RECORD.status}.S = ${literal(STATUS.completed)})`,
);

/**
 * JSONata that is true where the execution owes a notice of how its step ended. Its last state sends its result: one
 * that owns a COMPLETED record and has died has not, or has not heard that it did.
 */
function unsentIn(notices: states.Notices | undefined): string | undefined {
  const failure = notices?.onFailure && IS_NOTICE_UNSENT;
  const result = notices?.onSuccess
    ? and(IS_OWN, `$record.${RECORD.status}.S = ${literal(STATUS.completed)}`)
    : undefined;
  return failure !== undefined && result !== undefined ? or(failure, result) : (failure ?? result);
}

const FINISHED_AT = `$record.${RECORD.finishedAt}`;
/** True where it was finished since the execution began, however short the retention: for the event of that, too. */
const WAS_FINISHED_MEANWHILE = and(
  `$exists(${FINISHED_AT})`,
  `$toMillis(${FINISHED_AT}.S) >= $execution.startDate`,
);

/**
 * True where nobody but the dead execution has the key, or nobody at all. A record of its own that is gone was
 * finished, and so was one of another execution that was there when this one ended, or was finished while it lived; an
 * event that was refused and has no record has its end; and once the input is delivered, a key without a record is in
 * the hands of that delivery.
 */
function undoneIn({ table }: states.RecoverySettings): string {
  const expiryName = attributeIn(table.schema, RECORD.expiry);
  const isGoneHere = isGone(expiryName).jsonata;
  const expiry = `$record.${fieldName(expiryName)}`;
  const wasThere = and(`$exists(${expiry})`, `$number(${expiry}.N) * 1000 > $execution.stopDate`);
  const wasFinished = or(wasThere, WAS_FINISHED_MEANWHILE);
  const isUnclaimed = and(isGoneHere, not(IS_OWN), not(wasFinished), '$deliveries = 0', '$not($isRefused)');
  return or(and(IS_IN_PROGRESS.jsonata, IS_OWN), isUnclaimed);
}

/** True where there is no record, and one that was finished since the execution began may have been deleted. */
function isForgotten({ retentionSeconds }: states.RecoverySettings): string {
  const isAbsent = `$not($exists($record.${RECORD.status}))`;
  return and(
    isAbsent,
    `$millis() >= $execution.startDate + $min([${[...new Set(retentionSeconds)].join(', ')}]) * 1000`,
  );
}
