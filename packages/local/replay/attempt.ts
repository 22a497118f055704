import {
  type Execution,
  type HistoryEvent,
  type Machine,
  type Signal,
  type Transition,
  transition,
} from '../engine/index';
import type { Json, JsonObject } from '../json/json';
import type { Evaluator } from '../runtime/evaluation/evaluator';
import type { Aligner, Alignment } from './alignment';
import { comparedDetails } from './comparable-details';
import type { RecordedEvent } from './recording';
import { rejectionIn } from './rejected-call';
import { ReplayContext } from './replay-context';
import { type WaitingThread, waitingThreads } from './waiting';

/** The compared parts of one event. `key` is the same in each attempt at a transition. */
export interface Comparison {
  readonly key: string;
  readonly event: RecordedEvent;
  readonly recorded: JsonObject;
  readonly replayed: JsonObject;
}

/** One way that a transition may go: with one seed, at one time. */
export interface Attempt {
  readonly transition: Transition;
  readonly alignment: Alignment;
  readonly comparisons: readonly Comparison[];
  /** Whether a call was rejected in it, as the recording says. */
  readonly isRejected: boolean;
  /** The states that are entered next, with their entries in the recording. */
  readonly entries: readonly { readonly thread: WaitingThread; readonly event: RecordedEvent }[];
  /** The first thing that the recording does not have, and what it has there. */
  readonly mismatch:
    | { readonly replayed: HistoryEvent | WaitingThread; readonly recorded: RecordedEvent }
    | undefined;
}

/** What a transition is made of and drawn from. */
export interface AttemptAt {
  readonly machine: Machine;
  readonly execution: Execution;
  readonly signal: Signal;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly seed: string;
  /** The event of the recording that it is made for. */
  readonly event: RecordedEvent;
  /** The end of the recording where a call that is made in it was rejected; undefined where none was. */
  readonly rejected: RecordedEvent | undefined;
}

/** Makes a transition, and finds what the recording has in the place of its events. Nothing is kept of it. */
export function attemptAt(
  { machine, execution, signal, now, seed, event, rejected }: AttemptAt,
  aligner: Aligner,
  evaluator: Evaluator,
): Attempt {
  const pausesFirst = signal.kind !== 'pauseEnded';
  // Others may begin again with it: rejected is the call behind the event that the recording says.
  let isRejected = false;
  const rejectionOf = (_integration: string, _parameters: Json, previousEventId: number) => {
    const isNew = previousEventId > execution.lastEventId;
    const at = isNew ? event.id : aligner.idOf(previousEventId);
    if (!rejected || at !== rejected.previousEventId) return undefined;
    isRejected = true;
    return rejectionIn(rejected);
  };
  const context = new ReplayContext({ now, seed, pausesFirst }, evaluator, rejectionOf);
  const made = transition(machine, execution, signal, context);
  const alignment = aligner.align(made.events);
  const comparisons = alignment.pairs.flatMap(({ replayed, recorded }) =>
    recorded && isSameCall(replayed, recorded)
      ? [{ key: String(replayed.id), event: recorded, ...comparedDetails(replayed, recorded) }]
      : [],
  );
  const before = new Set(waitingThreads(execution.root).map(keyOf));
  const paused = waitingThreads(made.execution.root).filter(
    thread => thread.waits.kind === 'pause' && !before.has(keyOf(thread)),
  );
  const { entries, mismatch } = entriesOf(paused, aligner, alignment);
  for (const { thread, event } of entries) {
    const entry = { type: event.type, input: thread.input.text } as HistoryEvent;
    comparisons.push({ key: keyOf(thread), event, ...comparedDetails(entry, event) });
  }
  return {
    ...{ transition: made, alignment, comparisons, entries, isRejected },
    mismatch: alignment.mismatch ?? mismatch,
  };
}

/** Whether both events are of the same call. A call that failed before its start has no start to compare. */
function isSameCall(replayed: HistoryEvent, recorded: RecordedEvent): boolean {
  return !/Started$/.test(replayed.type) || recorded.type === replayed.type;
}

function keyOf({ path, previousEventId }: WaitingThread): string {
  return `${path}@${previousEventId}`;
}

function entriesOf(paused: readonly WaitingThread[], aligner: Aligner, alignment: Alignment) {
  const entries: Attempt['entries'][number][] = [];
  const nextOf = ({ waits }: WaitingThread) => (waits.kind === 'pause' ? waits.next : '');
  for (const thread of paused) {
    const at = aligner.idOf(thread.previousEventId, alignment);
    const after = at === undefined ? [] : aligner.after(at, alignment);
    const event = after.find(({ details }) => details['name'] === nextOf(thread));
    if (event) {
      entries.push({ thread, event });
      continue;
    }
    // Branches begin after one and the same event: an entry of another one is none of this one.
    const others = new Set(paused.filter(other => other !== thread).map(nextOf));
    const instead = after.find(({ details }) => !others.has(String(details['name'])));
    if (instead) return { entries, mismatch: { replayed: thread, recorded: instead } };
  }
  return { entries, mismatch: undefined };
}
