import {
  all,
  any,
  type Condition,
  eq,
  exists,
  holds,
  isIn,
  known,
  min,
  negated,
  notAfter,
  times,
  type Value,
} from './condition';
import { IS_COMPLETED, IS_FAILED, IS_HELD, IS_IN_PROGRESS, IS_RELEASED } from './conditions';
import { OTHERWISE, type Row, type Rule, rulesOf } from './judgement';

// By which rules a check decides about a message of a queue whose execution was started before.

/** What a check does with a message. `hold`: the message stays invisible, and is checked again. */
export type MessageVerdict = 'finished' | 'hold' | 'leaveWithError' | 'leave';

/** What a check does by the record of the key. `askAboutBoth`: about the execution of the message, and the owner. */
export type MessageRecordVerdict = MessageVerdict | 'askAboutBoth' | 'askAboutIts';

/** What distinguishes the checks of two queues. */
export interface MessageVariant {
  /** How long the step can run: recovery redrives its execution a little later. */
  readonly stepSeconds: number;
}

/**
 * For so many times the time of the step after the end of an owner, its message stays invisible: recovery decides about
 * that owner, and a receive would only be used up. After that the message comes back, and its delivery starts recovery,
 * if every event was lost.
 */
const RECOVERED_WITHIN_STEPS = 32;

/** The same, in checks, if no execution is known that could say when it ended. */
const RECOVERED_WITHIN_CHECKS = 6;

const STATUS: Value = { is: 'record', name: 'status', as: 'text' };
const OWNER: Value = { is: 'record', name: 'owner', as: 'text' };
const ITS_STATUS = known('startedStatus');
const OWNERS_STATUS = known('ownerStatus');
const RUNNING = ['RUNNING', 'PENDING_REDRIVE'];

/** True if the execution that was started for the message owns the record: so with the message's payload. */
const IS_ITS_OWN = eq(OWNER, known('started'));

const RECORD_RULES: readonly Rule<MessageRecordVerdict>[] = [
  { name: 'Its execution completed the key', when: all(IS_COMPLETED, IS_ITS_OWN), verdict: 'finished' },
  { name: 'Held for review', when: IS_HELD, verdict: 'leaveWithError' },
  {
    name: 'Another execution owns the key',
    when: all(any(IS_IN_PROGRESS, IS_FAILED), exists(OWNER), negated(IS_ITS_OWN)),
    verdict: 'askAboutBoth',
  },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'askAboutIts' },
];

/** The rules by which a check decides by the record; the last one always holds. */
export function messageRecordRules(): readonly Rule<MessageRecordVerdict>[] {
  return RECORD_RULES;
}

// A stopped execution may have ended before its claim. One that failed there was rejected, or its Task has failed.
const WAS_STOPPED_UNCLAIMED = all(negated(exists(STATUS)), isIn(ITS_STATUS, ['ABORTED', 'TIMED_OUT']));

/** By the latest end: an execution that has run for long has been checked often. */
function mayBeRecovered({ stepSeconds }: MessageVariant): Condition {
  const endedAgo = min(known('startedEndedAgo'), known('ownerEndedAgo'));
  return any(
    all(exists(endedAgo), notAfter(endedAgo, times(RECOVERED_WITHIN_STEPS, stepSeconds))),
    all(negated(exists(endedAgo)), notAfter(known('checks'), RECOVERED_WITHIN_CHECKS)),
  );
}

const ROWS: readonly Row<MessageVerdict, MessageVariant>[] = [
  // It was answered by the record. That may be gone by now: another start would run the step again.
  { name: 'Its execution succeeded', when: eq(ITS_STATUS, 'SUCCEEDED'), verdict: 'finished' },
  // A wrong guess costs time, and no receive.
  { name: 'No answer about its execution', when: negated(exists(ITS_STATUS)), verdict: 'hold' },
  // Also while it sends its failure: another start would find it under the name of its key.
  { name: 'Its execution is running', when: isIn(ITS_STATUS, RUNNING), verdict: 'hold' },
  // The owner of a failed record can be another workflow's, which the check may never ask about.
  {
    name: 'No answer about the owner',
    when: all(holds('isAsked'), negated(exists(OWNERS_STATUS)), negated(IS_FAILED)),
    verdict: 'hold',
  },
  { name: 'The owner is running', when: isIn(OWNERS_STATUS, RUNNING), verdict: 'hold' },
  { name: 'The business step failed', when: all(IS_FAILED, IS_ITS_OWN), verdict: 'leaveWithError' },
  {
    name: 'Recovery may decide',
    when: v => all(any(IS_IN_PROGRESS, IS_RELEASED, WAS_STOPPED_UNCLAIMED), mayBeRecovered(v)),
    verdict: 'hold',
  },
  { name: 'No execution works on the key', when: OTHERWISE, verdict: 'leave' },
];

/** The rules by which a check decides by the executions; the last one always holds. */
export function messageRules(variant: MessageVariant): readonly Rule<MessageVerdict>[] {
  return rulesOf(ROWS, variant);
}
