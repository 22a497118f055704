import { differingFieldsIn, failureInWords, invalidKeyIn } from '../key/failure';
import type { ExecutionHistory, HistoryPart } from '../key/history';
import { stepMsOf } from '../key/judge-owner';
import type { FoundExecution, FoundExecutions, KeyState } from '../key/key-state';
import { duration, QUOTED_MAX, shortened } from '../text';
import type { TimelineContext, TimelineEvent } from './events';
import { sentenceFor } from './sentences';

/** An execution of a key, and what it did. */
export interface ToldExecution extends FoundExecution {
  readonly timeline: readonly TimelineEvent[];
}

/** The executions that were found of a key, each with its timeline. */
export interface ToldExecutions extends Partial<Pick<FoundExecutions, 'namesake' | 'searched'>> {
  /** Oldest first; none if they are not kept (Express). */
  readonly executions: readonly ToldExecution[];
}

/** The executions of a key, and what each of them did. Pure. */
export function withTimelines({ executions: found, workflow, record }: KeyState): ToldExecutions {
  const { executions = [], ...search } = found ?? {};
  const stepMs = stepMsOf(workflow, record);
  return {
    ...search,
    executions: executions.map(one => ({
      ...one,
      timeline: timelineOf(one.history, { executionArn: one.executionArn, stepMs }),
    })),
  };
}

/**
 * What an execution did, and why, by its history: in order, and in words.
 *
 * It says what the history says, and nothing else: where data is missing, the sentence says so. States and events that
 * this version does not know are left out, or said by their names.
 */
export function timelineOf(
  { parts }: ExecutionHistory,
  known: Pick<TimelineContext, 'executionArn' | 'stepMs'>,
): readonly TimelineEvent[] {
  const unknown = { attempt: undefined, record: undefined, owner: undefined };
  const context: TimelineContext = { ...known, ...unknown, hasOwned: false };
  return withoutRepeatedChecks(parts.flatMap(part => eventsFor(part, context)));
}

function eventsFor(part: HistoryPart, context: TimelineContext): TimelineEvent[] {
  switch (part.kind) {
    case 'visit': {
      const { visit } = part;
      const [kind, text] = sentenceFor(visit, context) ?? [];
      // A completed call is listed at its time, a call that has not ended at its beginning.
      const at = visit.exitedAt ?? visit.enteredAt;
      return kind === undefined || text === undefined ? [] : [{ at, kind, text }];
    }
    case 'redriven': {
      const count = part.count === undefined ? '' : ` (redrive ${part.count})`;
      return [{ at: part.at, kind: 'redriven', text: `was redriven${count}` }];
    }
    case 'ended':
      return [endOf(part)];
  }
}

function endOf({ at, status, error, cause, within }: HistoryPart & { kind: 'ended' }): TimelineEvent {
  const state = within === undefined ? '' : ` in "${within.name}"`;
  const failure = failureInWords({ error, cause });
  const why = failure === '' ? '' : `: ${shortened(failure, QUOTED_MAX)}`;
  switch (status) {
    case 'SUCCEEDED':
      return { at, kind: 'succeeded', text: 'succeeded' };
    case 'ABORTED':
      return { at, kind: 'aborted', text: `was stopped${state}${why}` };
    case 'TIMED_OUT':
      return { at, kind: 'timedOut', text: `ran out of its time${state}${why}` };
    default:
      // A Fail state of ours has said why it is there.
      return within?.isOurs && within.isFail
        ? { at, kind: 'failed', text: error === '' ? 'failed' : `failed with ${error}${whatIsWrong(cause)}` }
        : { at, kind: 'failed', text: `failed${state}${why}` };
  }
}

/** Of an event that was rejected: what its key is, or where the record's payload is another. */
function whatIsWrong(cause: string): string {
  const key = invalidKeyIn(cause);
  if (key !== undefined) return `: ${key}`;
  const fields = differingFieldsIn(cause);
  if (fields === undefined) return '';
  return fields.length === 0
    ? ': what differs is not stored'
    : `: differs in ${shortened(fields.join(', '), QUOTED_MAX)}`;
}

/** A delivery that waits checks repeatedly: between its first check and its last, only their number is listed. */
function withoutRepeatedChecks(timeline: readonly TimelineEvent[]): readonly TimelineEvent[] {
  const waits = timeline.flatMap(({ kind }, index) => (kind === 'waited' ? [index] : []));
  const [first, last] = [waits[0], waits.at(-1)];
  if (first === undefined || last === undefined || waits.length < 3) return timeline;
  const between = timeline.slice(first + 1, last);
  // Whatever else happened there is worth a line.
  if (!between.every(({ kind }) => kind === 'waited' || kind === 'read' || kind === 'asked')) return timeline;
  const at = timeline[first]?.at ?? new Date(0);
  const ms = (timeline[last]?.at.getTime() ?? 0) - at.getTime();
  const text = `checked ${waits.length - 1} more times within ${duration(ms)}, and waited after each`;
  return [...timeline.slice(0, first + 1), { at, kind: 'waited', text }, ...timeline.slice(last + 1)];
}
