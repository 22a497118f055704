import {
  all,
  any,
  before,
  type Condition,
  either,
  eq,
  exists,
  holds,
  isIn,
  known,
  max,
  min,
  minus,
  named,
  negated,
  notAfter,
  power,
  sum,
  times,
  type Value,
} from './condition';
import {
  HAS_ENDED_BADLY,
  IS_IN_PROGRESS,
  IS_REDRIVABLE,
  IS_RELEASED,
  isRedrivenTooOften,
  OWNER_NOT_FOUND,
  stepSeconds,
  VISIBLE_WITHIN_MS,
} from './conditions';
import { ERROR, RELEASED_BY_RECOVERY } from './error-names';
import type { JudgedOwner, JudgedRecord } from './judged';
import { OTHERWISE, type RecoveryVerdict, type Row, type Rule, recoveryRules, rulesOf } from './judgement';
import { STATUS } from './record';
import { ACTS_MAX, DELAY, DELAY_FIRST, DELAY_MAX } from './recovery-timing';
import {
  AFTER_THE_STEP,
  BEFORE_THE_STEP,
  RESULTS_AFTER_THE_STEP,
  RESULTS_BEFORE_THE_STEP,
  SENDS_AFTER_THE_STEP,
  SENDS_BEFORE_THE_STEP,
  SENDS_OF_RESULTS,
  STATE,
} from './state-names';
import type { Variant } from './variant';

// By which rules recovery decides about an execution that ended: what is due by the record of its key, and
// where it stopped. The rules over the owner of an unfinished record are in `judgement.ts`.

const text = (name: keyof JudgedRecord): Value => ({ is: 'record', name, as: 'text' });
const ofOwner = (name: keyof JudgedOwner): Value => ({ is: 'owner', name, as: 'text' });
const OWNERS_START: Value = { is: 'owner', name: 'startDate', as: 'number' };
const NOW: Value = { is: 'now', in: 'ms' };

/** How often recoveries before this one have delivered the event. */
export const EARLIER = known('earlier');
const REDRIVES = max(0, { is: 'owner', name: 'redriveCount', as: 'number' });
/** How often this recovery has acted, and the execution was redriven, and recoveries before have delivered. */
export const TRIES = named('tries', sum(known('acts'), REDRIVES, EARLIER));

/** How long recovery waits, in seconds, after the last act: it grows with acts, redrives, and recoveries before. */
export const DELAY_SECONDS: Value = named(
  'delay',
  either(eq(TRIES, 0), DELAY_FIRST, min(times(DELAY, power(2, min(minus(TRIES, 1), ACTS_MAX))), DELAY_MAX)),
);

/**
 * When nothing of the execution can act any more, epoch milliseconds: its step has certainly ended, and a request of it
 * has arrived or never will. An execution that is not known may have been started a moment ago.
 */
export function quietAt(stepTimeoutSeconds: number): Value {
  const ended = sum(max(known('endedAt'), known('unknownAt')), times(stepSeconds(stepTimeoutSeconds), 1000));
  const visible = sum({ is: 'record', name: 'claimedAt', as: 'time' }, VISIBLE_WITHIN_MS);
  return max(ended, either(eq(ofOwner('status'), OWNER_NOT_FOUND), visible), known('actedAt'));
}

/** True if it is too early to decide: something of the execution may still act, or the last act may be under way. */
export function isTooEarly(stepTimeoutSeconds: number): Condition {
  return before(NOW, sum(quietAt(stepTimeoutSeconds), times(DELAY_SECONDS, 1000)));
}

/** True if recovery has acted, or the event has been delivered again, as often as may be. */
const IS_TRIED_TOO_OFTEN = any(notAfter(ACTS_MAX, known('acts')), notAfter(ACTS_MAX, EARLIER));

/** True if an owner whose step has ended was redriven as often as recovery acts: each redrive has failed. */
const IS_REDRIVEN_BY_ALL_ACTS = isRedrivenTooOften(ACTS_MAX);

/** The record is the execution's own. */
const IS_OWN = eq(text('owner'), ofOwner('executionArn'));
const IS_MINE = all(IS_IN_PROGRESS, IS_OWN);
/** The record's error says that recovery has released it. */
export const WAS_BY_RECOVERY = eq(text('error'), RELEASED_BY_RECOVERY);
const IS_RELEASED_BY_RECOVERY = all(IS_RELEASED, IS_OWN, WAS_BY_RECOVERY);
// If the owner has been redriven meanwhile, `onceflow release` restores the record.
const IS_BEING_RELEASED = all(eq(text('status'), STATUS.releasing), IS_OWN);
const UNCLAIMED = all(holds('isUnclaimed'), negated(holds('hasNothingToRecover')));

/** What distinguishes what is due by the record. */
export interface DueVariant extends Variant {
  readonly sendsResults: boolean;
  readonly sendsFailures: boolean;
  /** For how long a finished record is kept, in seconds, by each outcome: completed, failed. */
  readonly retentionSeconds: readonly [number, number];
}

/**
 * True if only the execution itself can give what is missing: the notice of how its step ended, or, as its output, a
 * result that the record does not hold.
 */
function owed({ sendsResults, sendsFailures }: DueVariant): Condition {
  const result = holds(sendsResults ? 'isCompletedByIt' : 'hasOnlyResult');
  const notice = all(holds('isSender'), holds('isNoticeUnsent'), negated(holds('isFreed')));
  return sendsFailures ? any(result, notice) : result;
}

const undone = (v: DueVariant) => any(IS_MINE, UNCLAIMED, owed(v));

/** For how long a record is kept at least that is finished from now on, in seconds, whenever its write arrives. */
export function shortestRetention({ retentionSeconds, stepTimeoutSeconds }: DueVariant): Value {
  return minus(min(...retentionSeconds), stepTimeoutSeconds);
}

/**
 * True if there is no record, and one that was finished since the execution began may have been deleted. Its expiry
 * counts from when that was evaluated, and the request may have arrived later, by the step's time at most.
 */
function isForgotten(variant: DueVariant): Condition {
  return all(
    negated(exists(text('status'))),
    exists(OWNERS_START),
    notAfter(sum(OWNERS_START, times(shortestRetention(variant), 1000)), NOW),
  );
}

// A request that was on its way when the execution ended may still arrive: it takes the key over, or holds it. An
// execution that was rejected for its input may have thought its claim lost.
const MAY_BECOME_OWN = any(
  all(negated(IS_OWN), exists(text('status')), negated(eq(text('status'), STATUS.completed))),
  eq(ofOwner('error'), ERROR.invalidEvent),
);

const DAY_MS = 24 * 60 * 60 * 1000;
// A name is free again after 90 days: the record is that of an execution of the same name.
const IS_EARLIER_CLAIM = all(
  exists(OWNERS_START),
  before(sum({ is: 'record', name: 'claimedAt', as: 'time' }, DAY_MS), OWNERS_START),
);

const hasFailedAnd = (...of: readonly Condition[]) => all(HAS_ENDED_BADLY, ...of);

/** The next step by the record of an execution's key. */
export type DueVerdict =
  | RecoveryVerdict
  | 'nothingLeft'
  | 'giveUp'
  | 'giveUpNoKey'
  | 'giveUpForgotten'
  /** Ends as the recovery that has held the record: it holds, or gives up, once. */
  | 'giveUpHeld'
  | 'deliver'
  | 'wait'
  /** Waits, and counts an act: another one releases the record. */
  | 'waitForRelease'
  | 'holdLost';

const DUE_ROWS: readonly Row<DueVerdict, DueVariant>[] = [
  {
    name: 'Rejected for its key',
    when: all(holds('hasNoKey'), eq(ofOwner('error'), ERROR.invalidEvent)),
    verdict: 'nothingLeft',
  },
  { name: 'Without a key', when: holds('hasNoKey'), verdict: 'giveUpNoKey' },
  {
    name: 'Released by a recovery, too often',
    when: all(IS_RELEASED_BY_RECOVERY, IS_TRIED_TOO_OFTEN),
    verdict: 'giveUp',
  },
  { name: 'Released by a recovery', when: IS_RELEASED_BY_RECOVERY, verdict: 'deliver' },
  {
    name: 'Being released, for too long',
    when: all(IS_BEING_RELEASED, IS_TRIED_TOO_OFTEN),
    verdict: 'giveUp',
  },
  { name: 'Being released', when: IS_BEING_RELEASED, verdict: 'waitForRelease' },
  // The execution continued after a lost answer to its write, or by the interrupted recovery that this one replaces.
  {
    name: 'Held by this recovery',
    when: all(eq(text('status'), STATUS.held), IS_OWN, holds('isHeldByThis')),
    verdict: 'giveUpHeld',
  },
  {
    name: 'Its record may be gone',
    when: v => all(undone(v), isForgotten(v)),
    verdict: 'giveUpForgotten',
  },
  {
    name: 'It may become unfinished',
    when: v => all(any(undone(v), MAY_BECOME_OWN), negated(holds('isAsked'))),
    verdict: 'wait',
  },
  { name: 'Nothing is left', when: v => negated(undone(v)), verdict: 'nothingLeft' },
  // A delivery that comes later asks for its work all the same.
  {
    name: 'Stopped for good',
    when: all(eq(ofOwner('error'), ERROR.stopped), negated(holds('isCalled'))),
    verdict: 'nothingLeft',
  },
  { name: 'Too early', when: v => isTooEarly(v.stepTimeoutSeconds), verdict: 'wait' },
  {
    name: 'Its result is lost',
    when: hasFailedAnd(
      holds('hasOnlyResult'),
      any(eq(ofOwner('redriveStatus'), 'NOT_REDRIVABLE'), IS_REDRIVEN_BY_ALL_ACTS),
    ),
    verdict: 'holdLost',
  },
  // Each end of it has a recovery of its own: the one of the last end gives up.
  {
    name: 'Its notice or end failed too often',
    when: v =>
      hasFailedAnd(
        owed(v),
        IS_REDRIVEN_BY_ALL_ACTS,
        eq({ is: 'owner', name: 'redriveCount', as: 'number' }, known('redrivesBefore')),
      ),
    verdict: 'giveUp',
  },
  {
    name: 'The recovery of its last end gives up',
    when: v => hasFailedAnd(owed(v), IS_REDRIVEN_BY_ALL_ACTS),
    verdict: 'nothingLeft',
  },
  { name: 'Tried too often', when: IS_TRIED_TOO_OFTEN, verdict: 'giveUp' },
  {
    name: 'It has to send a notice, or to end',
    when: v => hasFailedAnd(owed(v)),
    verdict: 'redrive',
  },
  { name: 'It never claimed its key', when: hasFailedAnd(UNCLAIMED), verdict: 'deliver' },
  { name: 'Nothing is left of it', when: negated(IS_MINE), verdict: 'nothingLeft' },
  {
    name: 'The claim of an earlier execution',
    in: v => v.isAtMostOnce,
    when: IS_EARLIER_CLAIM,
    verdict: 'holdInDoubt',
  },
];

/** The rules by which recovery decides what is due by the record of a key; the last one always holds. */
export function dueRules(variant: DueVariant): readonly Rule<DueVerdict>[] {
  return [...rulesOf(DUE_ROWS, variant), ...recoveryRules(variant)];
}

/** What recovery does with an owner, at most once, by where it stopped. */
export type LastStateVerdict =
  | 'decideAgain'
  | 'readOn'
  | 'redrive'
  | 'release'
  | 'holdExhausted'
  | 'holdInDoubt';

const LAST_STATE = known('lastState', '$lastState.name');
const wasIn = (states: readonly string[]) => isIn(LAST_STATE, states);
const HAD_LEFT_THE_STEP = all(eq(LAST_STATE, STATE.step), holds('isLastStateLeft', '$lastState.isLeft'));
const IS_OF_THIS_END = holds('isOfThisEnd', '$lastState.isOfThisEnd');

function statesBefore({ sendsFailures, storesResults }: DueVariant): readonly string[] {
  return [
    ...BEFORE_THE_STEP,
    ...(sendsFailures ? SENDS_BEFORE_THE_STEP : []),
    ...(storesResults ? RESULTS_BEFORE_THE_STEP : []),
  ];
}

function statesAfter({ sendsFailures, sendsResults, storesResults }: DueVariant): readonly string[] {
  return [
    ...AFTER_THE_STEP,
    ...(sendsFailures ? SENDS_AFTER_THE_STEP : []),
    ...(storesResults ? RESULTS_AFTER_THE_STEP : []),
    ...(sendsResults ? SENDS_OF_RESULTS : []),
  ];
}

const LAST_STATE_ROWS: readonly Row<LastStateVerdict, DueVariant>[] = [
  // The owner goes on, or has ended another time, since it was asked about: what was seen of it is old.
  {
    name: 'Redriven meanwhile',
    when: all(exists(known('isOfThisEnd', '$lastState.isOfThisEnd')), negated(IS_OF_THIS_END)),
    verdict: 'decideAgain',
  },
  {
    name: 'Not on this page',
    when: holds('hasNextPage', "$exists($pageToken) and $not($pageToken = '')"),
    verdict: 'readOn',
  },
  {
    name: 'Outside of its step, and redrivable',
    when: v =>
      all(
        any(wasIn([...statesBefore(v), ...statesAfter(v)]), HAD_LEFT_THE_STEP),
        IS_REDRIVABLE,
        negated(isRedrivenTooOften(v.maxRedrives)),
      ),
    verdict: 'redrive',
  },
  { name: 'Before its step', when: v => wasIn(statesBefore(v)), verdict: 'release' },
  {
    name: 'Behind its step, redriven too often',
    when: v => all(any(wasIn(statesAfter(v)), HAD_LEFT_THE_STEP), IS_REDRIVABLE),
    verdict: 'holdExhausted',
  },
  { name: 'In its step, or not known', when: OTHERWISE, verdict: 'holdInDoubt' },
];

/** The rules by which recovery decides by where an owner stopped; the last one always holds. */
export function lastStateRules(variant: DueVariant): readonly Rule<LastStateVerdict>[] {
  return rulesOf(LAST_STATE_ROWS, variant);
}
