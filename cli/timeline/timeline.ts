import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { happeningsIn, type Visit } from '../key/history';
import { type Failure, failureInWords } from '../key/record';
import { QUOTED_MAX, shortened } from '../text';
import { duration } from '../time-text';
import type { Chapter, Entry } from './events';
import { sentencesFor } from './sentences';

/**
 * What an execution decided, and why, read from its history: in order, and in words.
 *
 * Lenient: states and events that this version does not know are passed over or told by their names.
 */
export function tell(
  events: readonly HistoryEvent[],
  executionArn: string,
  prefix: string,
): readonly Entry[] {
  const chapter: Chapter = {
    me: executionArn,
    attempt: undefined,
    record: undefined,
    failure: undefined,
    owner: undefined,
  };
  const entries: Entry[] = [];
  for (const happening of happeningsIn(events, prefix)) {
    switch (happening.kind) {
      case 'visit':
        entries.push(...sentencesFor(happening.visit, chapter));
        break;
      case 'redriven':
        entries.push({
          at: happening.at,
          kind: 'redriven',
          text: `was redriven (redrive ${happening.count})`,
        });
        break;
      case 'ended':
        entries.push(ending(happening));
        break;
    }
  }
  return withoutRepeatedLooks(entries);
}

interface Ending extends Failure {
  readonly at: Date;
  readonly status: string;
  readonly within: Visit | undefined;
}

function ending({ at, status, error, cause, within }: Ending): Entry {
  const place = within === undefined ? '' : ` in "${within.name}"`;
  const said = failureInWords({ error, cause });
  const why = said === '' ? '' : `: ${shortened(said, QUOTED_MAX)}`;
  switch (status) {
    case 'SUCCEEDED':
      return { at, kind: 'succeeded', text: 'succeeded' };
    case 'ABORTED':
      return { at, kind: 'aborted', text: `was stopped${place}${why}` };
    case 'TIMED_OUT':
      return { at, kind: 'timedOut', text: `ran out of its time${place}${why}` };
    default:
      // A Fail state of ours has said why it is there.
      return within?.isOurs && within.isFail
        ? { at, kind: 'failed', text: `failed with ${error}` }
        : { at, kind: 'failed', text: `failed${place}${why}` };
  }
}

/** A delivery that waits looks again and again: between its first look and its last, only their number is told. */
function withoutRepeatedLooks(entries: readonly Entry[]): readonly Entry[] {
  const waits = entries.flatMap(({ kind }, index) => (kind === 'waited' ? [index] : []));
  const [first, last] = [waits[0], waits.at(-1)];
  if (first === undefined || last === undefined || waits.length < 3) return entries;
  const between = entries.slice(first + 1, last);
  // Whatever else happened there is worth telling.
  if (!between.every(({ kind }) => kind === 'waited' || kind === 'read' || kind === 'asked')) return entries;
  const at = entries[first]?.at ?? new Date(0);
  const ms = (entries[last]?.at.getTime() ?? 0) - at.getTime();
  const text = `looked ${waits.length - 1} more times within ${duration(ms)}, and waited after each`;
  return [...entries.slice(0, first + 1), { at, kind: 'waited', text }, ...entries.slice(last + 1)];
}
