import { type Field, parseOffsetDateTime, type WaitState } from '../../language/index';
import type { Completion } from '../completion';
import { type EvaluationFailure, failedByExpression } from '../evaluation';
import type { Thread } from '../execution';
import { fieldSeconds, fieldText, isPathField } from '../fields';
import { pathTime } from '../path-values';
import { runtimeFailure } from '../paths';
import { waitId } from '../threads';
import { setTimer } from '../timeout';
import type { Turn } from '../turn';
import { leaveByFlow } from './leaving';

// Wait State: https://states-language.net/spec.html#wait-state
//
// 1. Evaluate `Seconds`, a whole number of seconds from now, or `Timestamp`, an ISO 8601 time with offset. If neither
//    has a value, the scope fails, because a Wait has neither Retry nor Catch.
// 2. Wait until that time, unless it has passed.
// 3. Leave with `Assign` and `Output`; without an `Output` the output is the input.

/** Waits for its time; one that has passed is not waited for. */
export function enterWait(turn: Turn, state: WaitState, thread: Thread): Completion {
  const due = dueTime(turn, state, thread);
  if (due.kind === 'failed') return failedByExpression(turn, thread, due);
  if (due.kind === 'unreadable') return failedByExpression(turn, thread, due.problem, thread.enteredEventId);
  if (due.at <= turn.context.now) return resumeWait(turn, state, thread);
  const timer = setTimer(turn, waitId('wait', thread.enteredEventId), due.at);
  return { kind: 'waiting', thread: { ...thread, waits: { kind: 'timer', timer } } };
}

/** Goes on when the time has come. */
export function resumeWait(turn: Turn, state: WaitState, thread: Thread): Completion {
  return leaveByFlow(turn, thread, { flow: state, prefix: '' }, state.next);
}

type Due =
  | { readonly kind: 'due'; readonly at: number }
  | EvaluationFailure
  /** The expression gave a text, and the text is not a time. */
  | { readonly kind: 'unreadable'; readonly problem: EvaluationFailure };

function dueTime(turn: Turn, { until }: WaitState, thread: Thread): Due {
  const { now } = turn.context;
  if (until.kind === 'seconds') {
    const field = { field: until.seconds, location: 'Seconds' };
    const seconds = fieldSeconds(turn, thread, field);
    if (seconds.kind === 'failed') return seconds;
    return inTime({ kind: 'due', at: now + seconds.value * 1000 }, now, until.seconds);
  }
  const { timestamp: field } = until;
  const location = 'Timestamp';
  if (isPathField(field)) {
    const at = pathTime(turn, thread, field);
    return at.kind === 'failed' ? at : inTime({ kind: 'due', at: at.value }, now, field);
  }
  const timestamp = fieldText(turn, thread, { field, location });
  if (timestamp.kind === 'failed') return timestamp;
  const at = parseOffsetDateTime(timestamp.value);
  if (at !== undefined) return { kind: 'due', at };
  const reason =
    'The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: ' +
    timestamp.value;
  return { kind: 'unreadable', problem: { kind: 'failed', reason, location } };
}

/** Seconds that a wait of a JSONPath state lasts at most, as recorded: what 32 bits hold. */
const DELAY_SECONDS_MAX = 2 ** 31 - 1;

function inTime(due: Due & { readonly kind: 'due' }, now: number, field: Field): Due {
  const isTooLong = isPathField(field) && due.at - now > DELAY_SECONDS_MAX * 1000;
  return isTooLong ? runtimeFailure('Wait state delay is too long.') : due;
}
