import { Token } from 'aws-cdk-lib';
import { Choice, type State } from 'aws-cdk-lib/aws-stepfunctions';
import {
  CONDITION_FAILED,
  DATA_TOO_LONG,
  EVALUATION_FAILED,
  NAME_TAKEN_SDK,
  OWNER_UNKNOWN,
} from '../aws-error-names';
import { decide, when } from '../choice';
import { all, negated, toJsonata } from '../contract/condition';
import { IS_IN_PROGRESS, IS_REDRIVABLE, isRedrivenTooOften } from '../contract/conditions';
import { ERROR, NOTHING_TO_RECOVER, RELEASED_BY_RECOVERY } from '../contract/error-names';
import { and, expression, literal, not, or } from '../contract/jsonata';
import { recoveryRules } from '../contract/judgement';
import { RECORD, STATUS } from '../contract/record';
import { DELIVER_WITHIN_SECONDS } from '../contract/recovery-timing';
import {
  AFTER_THE_STEP,
  BEFORE_THE_STEP,
  RECOVERY_STATE,
  RESULTS_AFTER_THE_STEP,
  RESULTS_BEFORE_THE_STEP,
  SENDS_AFTER_THE_STEP,
  SENDS_BEFORE_THE_STEP,
  SENDS_OF_RESULTS,
  STATE,
} from '../contract/state-names';
import type { ResolvedTime } from '../resolved-time';
import { PASS_INPUT_ON } from '../settings';
import {
  hadLeft,
  IS_FURTHER_BACK,
  IS_OF_ANOTHER_END,
  NO_PAGE,
  PLACE_UNKNOWN,
  readTheOwnersHistory,
  wasIn,
  whereDidItStop,
} from './owner-history';
import {
  factsOfTheRecord,
  HAS_ONLY_RESULT,
  owedIn,
  type RecordJudgeSettings,
  UNCLAIMED,
} from './record-facts';
import {
  completeTheRecord,
  holdTheRecord,
  readRecordOfOwner,
  releaseTheRecord,
  THIS_RECOVERY,
} from './record-writes';
import type { Entrances, RecoveryJudge, SharedRecoveryStates } from './recovery-fragment';
import { because, ERROR_TOLD, REPLACED, STATUS_TOLD } from './recovery-input';
import {
  deliverAgain,
  HAS_FAILED,
  IS_REDRIVEN_TOO_OFTEN,
  IS_TRIED_TOO_OFTEN,
  isTooEarly,
  ONE_MORE,
  redriveTheOwner,
} from './recovery-states';

/** Decides about the execution of a workflow by the record of its key: the only judge of owners that ended. */
export function recordJudge(settings: RecordJudgeSettings): RecoveryJudge {
  return {
    timing: settings.variant,
    // Its error tells whether it has sent the notice that it owes.
    needsError: settings.onFailure !== undefined,
    settled: NOTHING_TO_RECOVER,
    known: { readAt: 0, hasNoKey: false },
    destination: settings.onFailure?.target,
    connect: shared => connect(shared, settings),
  };
}

function connect(shared: SharedRecoveryStates, settings: RecordJudgeSettings): Entrances {
  const { scope, wait } = shared;
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
  decideByRecord(whatIsDue, shared, settings, acts);
  decideByOwner(whatIsDue, shared, settings, acts);
  // A request that it thought lost may still arrive: decides when that is over.
  const rejected = and(`${ERROR_TOLD} = ${literal(ERROR.invalidEvent)}`, `${STATUS_TOLD} = 'FAILED'`);
  return { rules: [['Rejected for its input', rejected, wait]], otherwise: read, asked: read, unknown: read };
}

type Acts = ReturnType<typeof connectActs>;

/** What recovery does, and what that leads to: after an act that was too late it waits, and decides again. */
function connectActs(
  { scope, wait, nothingLeft, givenUp }: SharedRecoveryStates,
  settings: RecordJudgeSettings,
) {
  const decideAgain = { assign: ONE_MORE, outputs: PASS_INPUT_ON };
  const deliver = deliverAgain(scope, { assign: { deliveries: 1 }, within: deliverWithin(settings) });
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

/** The first rules: over the record, and over an execution that does not own an unfinished one. */
function decideByRecord(
  choice: Choice,
  shared: SharedRecoveryStates,
  settings: RecordJudgeSettings,
  acts: Acts,
): void {
  const { wait, nothingLeft, givenUp } = shared;
  const owed = owedIn(settings);
  const undone = or(IS_MINE, UNCLAIMED, owed);
  when(choice, 'Rejected for its key', and('$hasNoKey', IS_REJECTED), nothingLeft);
  when(choice, 'Without a key', '$hasNoKey', givenUp, because(NO_KEY));
  when(choice, 'Released by a recovery, too often', and(IS_RELEASED, IS_TRIED_TOO_OFTEN), givenUp);
  when(choice, 'Released by a recovery', IS_RELEASED, acts.deliver);
  when(choice, 'Being released, for too long', and(IS_BEING_RELEASED, IS_TRIED_TOO_OFTEN), givenUp);
  when(choice, 'Being released', IS_BEING_RELEASED, wait, { assign: ONE_MORE });
  when(choice, 'Held by this recovery', IS_HELD_BY_THIS, givenUp, HELD_BEFORE);
  when(choice, 'Its record may be gone', and(undone, isForgotten(settings)), givenUp, because(FORGOTTEN));
  when(choice, 'It may become unfinished', and(or(undone, MAY_BECOME_OWN), '$not($isAsked)'), wait);
  when(choice, 'Nothing is left', not(undone), nothingLeft);
  when(choice, 'Stopped for good', IS_STOPPED, nothingLeft);
  when(choice, 'Too early', isTooEarly(settings.variant), wait);
  const isLost = and(HAS_FAILED, HAS_ONLY_RESULT, or(IS_NOT_REDRIVABLE, IS_REDRIVEN_TOO_OFTEN));
  when(choice, 'Its result is lost', isLost, acts.hold, heldFor(ERROR.resultUnavailable, LOST));
  // Each end of it has a recovery of its own: the one of the last end gives up.
  const isEnough = and(HAS_FAILED, owed, IS_REDRIVEN_TOO_OFTEN);
  when(choice, 'Its notice or end failed too often', and(isEnough, IS_OF_LAST_END), givenUp);
  when(choice, 'The recovery of its last end gives up', isEnough, nothingLeft);
  when(choice, 'Tried too often', IS_TRIED_TOO_OFTEN, givenUp);
  when(choice, 'It has to send a notice, or to end', and(HAS_FAILED, owed), acts.redrive);
  when(choice, 'It never claimed its key', and(HAS_FAILED, UNCLAIMED), acts.deliver);
  when(choice, 'Nothing is left of it', not(IS_MINE), nothingLeft);
}

/** The rules behind those of {@link decideByRecord}: over the owner of an unfinished record. */
function decideByOwner(
  choice: Choice,
  shared: SharedRecoveryStates,
  settings: RecordJudgeSettings,
  acts: Acts,
): void {
  const { variant } = settings;
  const inDoubt = heldFor(ERROR.inDoubt, IN_DOUBT);
  if (variant.isAtMostOnce) {
    when(choice, 'The claim of an earlier execution', IS_EARLIER_CLAIM, acts.hold, inDoubt);
  }
  const locate = variant.isAtMostOnce ? connectHistory(shared, settings, acts) : undefined;
  decide(
    choice,
    recoveryRules(variant),
    {
      leave: () => shared.nothingLeft,
      complete: () => acts.complete,
      redrive: () => acts.redrive,
      release: () => acts.release,
      holdExhausted: () => acts.hold,
      holdInDoubt: () => acts.hold,
      locate: locate && (() => locate),
    },
    { holdExhausted: heldFor(ERROR.redrivesExhausted, EXHAUSTED), holdInDoubt: inDoubt },
  );
}

/**
 * At most once: finds out where the owner stopped. If it stopped outside of its step, it can be redriven, or released
 * from before the step. All else is in doubt, also what cannot be read; but if it was redriven since it was asked
 * about, recovery decides again.
 */
function connectHistory(
  { scope, wait }: SharedRecoveryStates,
  settings: RecordJudgeSettings,
  { redrive, release, hold }: Acts,
): State {
  const read = readTheOwnersHistory(scope);
  const where = whereDidItStop(scope);
  read.next(where);
  read.addCatch(where, {
    errors: [...OWNER_UNKNOWN, EVALUATION_FAILED, DATA_TOO_LONG],
    assign: PLACE_UNKNOWN,
    outputs: PASS_INPUT_ON,
  });
  const [before, after] = placesIn(settings);
  const isOutside = or(wasIn([...before, ...after]), hadLeft(STATE.step));
  const isBehind = or(wasIn(after), hadLeft(STATE.step));
  const mayBeRedriven = all(IS_REDRIVABLE, negated(isRedrivenTooOften(settings.variant.maxRedrives)));
  const decideAgain = { assign: { ...ONE_MORE, ...NO_PAGE } };
  when(where, 'Redriven meanwhile', IS_OF_ANOTHER_END, wait, decideAgain);
  when(where, 'Not on this page', IS_FURTHER_BACK, read);
  when(where, 'Outside of its step, and redrivable', and(isOutside, toJsonata(mayBeRedriven)), redrive);
  when(where, 'Before its step', wasIn(before), release);
  const exhausted = heldFor(ERROR.redrivesExhausted, EXHAUSTED);
  when(
    where,
    'Behind its step, redriven too often',
    and(isBehind, toJsonata(IS_REDRIVABLE)),
    hold,
    exhausted,
  );
  when(where, 'In its step, or not known', 'true', hold, heldFor(ERROR.inDoubt, IN_DOUBT));
  where.otherwise(hold);
  return read;
}

function placesIn({ onFailure, onSuccess, variant }: RecordJudgeSettings) {
  const before = [
    ...BEFORE_THE_STEP,
    ...(onFailure ? SENDS_BEFORE_THE_STEP : []),
    ...(variant.storesResults ? RESULTS_BEFORE_THE_STEP : []),
  ];
  const after = [
    ...AFTER_THE_STEP,
    ...(onFailure ? SENDS_AFTER_THE_STEP : []),
    ...(variant.storesResults ? RESULTS_AFTER_THE_STEP : []),
    ...(onSuccess ? SENDS_OF_RESULTS : []),
  ];
  return [before, after] as const;
}

function heldFor(error: string, reason: string) {
  return { assign: { heldFor: error, reason: expression(literal(reason)) } };
}

const IS_OWN = `$record.${RECORD.owner}.S = $owner.executionArn`;
const IS_MINE = and(toJsonata(IS_IN_PROGRESS), IS_OWN);
const STATUS_READ = `$record.${RECORD.status}.S`;
const IS_RELEASED = and(
  `${STATUS_READ} = ${literal(STATUS.released)}`,
  IS_OWN,
  `$record.${RECORD.error}.S = ${literal(RELEASED_BY_RECOVERY)}`,
);
// If the owner has been redriven meanwhile, `onceflow release` restores the record.
const IS_BEING_RELEASED = and(`${STATUS_READ} = ${literal(STATUS.releasing)}`, IS_OWN);

/** How JSON text is written as a member of JSON text. */
function textInText(json: string): string {
  return JSON.stringify(json).slice(1, -1);
}

// By itself, the answer to its write lost, or by the recovery that was interrupted and in place of which it runs.
const IS_HELD_BY_THIS = and(
  `${STATUS_READ} = ${literal(STATUS.held)}`,
  IS_OWN,
  `$exists($filter($append([${THIS_RECOVERY}], ${REPLACED}), function($one) { ` +
    `$contains($record.${RECORD.error}.S, ${literal(textInText('"recovery":"'))} & $one & ${literal(textInText('"'))}) }))`,
);
// A delivery that comes later asks for its work all the same.
const IS_STOPPED = and(`$owner.error = ${literal(ERROR.stopped)}`, '$not($isCalled)');
const IS_OF_LAST_END = '$owner.redriveCount = $redrivesBefore';
const IS_REJECTED = `$owner.error = ${literal(ERROR.invalidEvent)}`;

const DAY_MS = 24 * 60 * 60 * 1000;
// A name is free again after 90 days: the record is that of an execution of the same name.
const IS_EARLIER_CLAIM = and(
  '$exists($owner.startDate)',
  `$owner.startDate - $toMillis($record.${RECORD.claimedAt}.S) > ${DAY_MS}`,
);

// A request that was on its way when the execution ended may still arrive: it takes the key over, or holds it.
const MAY_BECOME_OWN = and(
  not(IS_OWN),
  `$exists(${STATUS_READ})`,
  `$not(${STATUS_READ} = ${literal(STATUS.completed)})`,
);

const IS_NOT_REDRIVABLE = "$owner.redriveStatus = 'NOT_REDRIVABLE'";

/**
 * True if there is no record, and one that was finished since the execution began may have been deleted. Its expiry
 * counts from when that was evaluated, and the request may have arrived later, by the step's time at most.
 */
function isForgotten(settings: RecordJudgeSettings): string {
  const kept = shortestRetention(settings);
  const seconds = typeof kept === 'string' ? kept : kept.count();
  const isAbsent = `$not($exists($record.${RECORD.status}))`;
  return and(isAbsent, '$exists($owner.startDate)', `$millis() >= $owner.startDate + ${seconds} * 1000`);
}

/** For how long a record is kept at least that is finished from now on, whenever its write arrives. */
function shortestRetention({ retentionSeconds, stepTimeout }: RecordJudgeSettings): ResolvedTime | string {
  if (retentionSeconds.some(one => Token.isUnresolved(one))) {
    return `($min([${retentionSeconds.join(', ')}]) - ${stepTimeout.count()})`;
  }
  return stepTimeout.map(seconds => Math.min(...retentionSeconds) - seconds);
}

/** The shorter of the two times within which an event may be delivered again. */
function deliverWithin(settings: RecordJudgeSettings): ResolvedTime | string {
  const kept = shortestRetention(settings);
  return typeof kept === 'string'
    ? `$min([${DELIVER_WITHIN_SECONDS}, ${kept}])`
    : kept.map(seconds => Math.min(DELIVER_WITHIN_SECONDS, seconds));
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
