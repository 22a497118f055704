import { Choice, type State } from 'aws-cdk-lib/aws-stepfunctions';
import { decide } from '../choice';
import { min } from '../contract/condition';
import { ERROR, NOTHING_TO_RECOVER } from '../contract/error-names';
import { expression, literal } from '../contract/jsonata';
import { RECORD } from '../contract/record';
import { type DueVariant, dueRules, lastStateRules, shortestRetention } from '../contract/recovery-rules';
import { DELIVER_WITHIN_SECONDS } from '../contract/recovery-timing';
import { RECOVERY_STATE } from '../contract/state-names';
import { PASS_INPUT_ON } from '../settings';
import {
  CONDITION_FAILED,
  DATA_TOO_LONG,
  EVALUATION_FAILED,
  NAME_TAKEN_SDK,
  OWNER_UNKNOWN,
} from '../tasks/aws-error-names';
import { LAST_STATE_UNKNOWN, NO_PAGE, readTheOwnersHistory, whereDidItStop } from './owner-history';
import { factsOfTheRecord, type RecordJudgeSettings } from './record-facts';
import { completeTheRecord, holdTheRecord, readRecordOfOwner, releaseTheRecord } from './record-writes';
import type { Entrances, RecoveryJudge, SharedRecoveryStates } from './recovery-fragment';
import { because } from './recovery-input';
import { deliverAgain, ONE_MORE, redriveTheOwner } from './recovery-states';

/** Decides about the execution of a workflow by the record of its key: the only judge of owners that ended. */
export function recordJudge(settings: RecordJudgeSettings): RecoveryJudge {
  return {
    timing: settings.variant,
    // Its error tells whether it has sent the notice that it owes.
    needsError: settings.onFailure !== undefined,
    nothingToRecover: NOTHING_TO_RECOVER,
    special: undefined,
    known: { readAt: 0, hasNoKey: false },
    destination: settings.onFailure?.target,
    connect: shared => connect(shared, settings),
  };
}

function connect(shared: SharedRecoveryStates, settings: RecordJudgeSettings): Entrances {
  const { scope } = shared;
  const read = readRecordOfOwner(scope, settings, factsOfTheRecord(settings));
  const whatIsDue = Choice.jsonata(scope, RECOVERY_STATE.whatIsDue, {
    comment: 'The record, and what Step Functions says of the execution, decide: the first rule that holds',
  });
  read.next(whatIsDue);
  read.addCatch(whatIsDue, {
    errors: [EVALUATION_FAILED],
    assign: { record: {}, hasNoKey: true },
    outputs: PASS_INPUT_ON,
  });
  const acts = connectActs(shared, settings);
  decideWhatIsDue(whatIsDue, shared, settings, acts);
  return { special: undefined, otherwise: read, asked: read, unknown: read };
}

type Acts = ReturnType<typeof connectActs>;

/** What recovery does, and what that leads to: after an act that was too late it waits, and decides again. */
function connectActs(
  { scope, wait, nothingLeft, givenUp }: SharedRecoveryStates,
  settings: RecordJudgeSettings,
) {
  const decideAgain = { assign: ONE_MORE, outputs: PASS_INPUT_ON };
  const withinSeconds = min(DELIVER_WITHIN_SECONDS, shortestRetention(dueVariant(settings)));
  const deliver = deliverAgain(scope, { assign: { deliveries: 1 }, withinSeconds });
  deliver.next(nothingLeft);
  // The record was read too long ago.
  deliver.addCatch(wait, { errors: [EVALUATION_FAILED], ...decideAgain });
  // Another recovery of the same end has delivered it.
  deliver.addCatch(nothingLeft, { errors: [...NAME_TAKEN_SDK], outputs: PASS_INPUT_ON });
  const redrive = redriveTheOwner(scope, settings.redriveFunction);
  redrive.next(wait);
  // It resumed already, or it could not be redriven.
  redrive.addCatch(wait, decideAgain);
  const complete = completeTheRecord(scope, settings);
  complete.next(nothingLeft);
  complete.addCatch(wait, { errors: [CONDITION_FAILED], ...decideAgain });
  const release = releaseTheRecord(scope, settings);
  release.next(deliver);
  release.addCatch(wait, { errors: [CONDITION_FAILED], ...decideAgain });
  const hold = holdTheRecord(scope, settings);
  hold.next(givenUp);
  hold.addCatch(wait, { errors: [CONDITION_FAILED], ...decideAgain });
  return { deliver, redrive, complete, release, hold };
}

/** The next states of the verdicts, and the errors with which recovery holds a record, or abandons it. */
function decideWhatIsDue(
  choice: Choice,
  shared: SharedRecoveryStates,
  settings: RecordJudgeSettings,
  acts: Acts,
): void {
  const { wait, nothingLeft, givenUp } = shared;
  const variant = dueVariant(settings);
  const locate = variant.isAtMostOnce ? connectHistory(shared, variant, acts) : undefined;
  decide(
    choice,
    dueRules(variant),
    {
      nothingLeft: () => nothingLeft,
      leave: () => nothingLeft,
      wait: () => wait,
      waitForRelease: () => wait,
      giveUp: () => givenUp,
      giveUpNoKey: () => givenUp,
      giveUpForgotten: () => givenUp,
      giveUpHeld: () => givenUp,
      deliver: () => acts.deliver,
      complete: () => acts.complete,
      redrive: () => acts.redrive,
      release: () => acts.release,
      holdExhausted: () => acts.hold,
      holdInDoubt: () => acts.hold,
      holdLost: () => acts.hold,
      locate: locate && (() => locate),
    },
    {
      waitForRelease: { assign: ONE_MORE },
      giveUpNoKey: because(NO_KEY),
      giveUpForgotten: because(FORGOTTEN),
      giveUpHeld: HELD_BEFORE,
      ...HOLDING,
    },
  );
}

/**
 * At most once: finds out where the owner stopped. If it stopped outside of its step, it can be redriven, or released
 * from before the step. All else is in doubt, also what cannot be read; but if it was redriven since it was asked
 * about, recovery decides again.
 */
function connectHistory(
  { scope, wait }: SharedRecoveryStates,
  variant: DueVariant,
  { redrive, release, hold }: Acts,
): State {
  const read = readTheOwnersHistory(scope);
  const where = whereDidItStop(scope);
  read.next(where);
  read.addCatch(where, {
    errors: [...OWNER_UNKNOWN, EVALUATION_FAILED, DATA_TOO_LONG],
    assign: LAST_STATE_UNKNOWN,
    outputs: PASS_INPUT_ON,
  });
  decide(
    where,
    lastStateRules(variant),
    {
      decideAgain: () => wait,
      readOn: () => read,
      redrive: () => redrive,
      release: () => release,
      holdExhausted: () => hold,
      holdInDoubt: () => hold,
    },
    { decideAgain: { assign: { ...ONE_MORE, ...NO_PAGE } }, ...HOLDING },
  );
  return read;
}

function dueVariant({ variant, onFailure, onSuccess, retentionSeconds }: RecordJudgeSettings): DueVariant {
  return {
    ...variant,
    sendsFailures: onFailure !== undefined,
    sendsResults: onSuccess !== undefined,
    retentionSeconds,
  };
}

function heldFor(error: string, reason: string) {
  return { assign: { heldFor: error, reason: expression(literal(reason)) } };
}

const FORGOTTEN =
  'a record that was finished would be gone by now: find out whether its work is done, and deliver its event again ' +
  'if it is not';
const NO_KEY = 'the input of the execution has no usable key; fix it, and deliver its event again';
const EXHAUSTED =
  'the execution failed again after each redrive; find out why, then redrive it manually, or release the key';
const IN_DOUBT = 'the business step may or may not have run; nothing runs until an operator releases the key';
const LOST =
  'the business step has run, but the execution that has its result ended before it could return it, and cannot be ' +
  'redriven; find the result in its history';
const HELD_BEFORE = {
  assign: {
    heldFor: expression(`$parse($record.${RECORD.error}.S).Error`),
    reason: expression(`$parse($parse($record.${RECORD.error}.S).Cause).message`),
  },
};

const HOLDING = {
  holdExhausted: heldFor(ERROR.redrivesExhausted, EXHAUSTED),
  holdInDoubt: heldFor(ERROR.inDoubt, IN_DOUBT),
  holdLost: heldFor(ERROR.resultUnavailable, LOST),
};
