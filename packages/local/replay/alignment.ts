import type { HistoryEvent } from '../engine/index';
import type { RecordedEvent } from './recording';

/** An event of the replay with the event of the recording that it is; undefined where the recording has stopped. */
export interface Pair {
  readonly replayed: HistoryEvent;
  readonly recorded: RecordedEvent | undefined;
}

/** How the events of one transition stand in the recording. */
export interface Alignment {
  readonly pairs: readonly Pair[];
  /** The first event of the replay that the recording does not have, and what it has there. */
  readonly mismatch: { readonly replayed: HistoryEvent; readonly recorded: RecordedEvent } | undefined;
}

/**
 * Which event of a recording each event of the replay is. Events of branches and iterations stand in the recording in
 * the order in which things happened there: an event is found by the one that it follows.
 */
export class Aligner {
  readonly #recorded: readonly RecordedEvent[];
  readonly #fromOutside: readonly RecordedEvent[];
  readonly #followers = new Map<number, RecordedEvent[]>();
  readonly #replayed: HistoryEvent[] = [];
  /** The recorded id of each event of the replay. */
  readonly #ids = new Map<number, number>([[0, 0]]);
  readonly #found = new Set<number>();

  constructor(recorded: readonly RecordedEvent[]) {
    this.#recorded = recorded;
    this.#fromOutside = recorded.filter(({ type }) => FROM_OUTSIDE.has(type));
    for (const event of recorded) {
      const before = this.#followers.get(event.previousEventId);
      if (before) before.push(event);
      else this.#followers.set(event.previousEventId, [event]);
    }
  }

  /** The recorded id of an event of the replay; undefined where the recording does not have it. */
  idOf(replayedId: number, latest?: Alignment): number | undefined {
    const known = this.#ids.get(replayedId);
    if (known !== undefined || !latest) return known;
    return latest.pairs.find(({ replayed }) => replayed.id === replayedId)?.recorded?.id;
  }

  /** Events that follow one of the recording and have not been replayed, except ends from outside and aborts. */
  after(recordedId: number, latest?: Alignment): readonly RecordedEvent[] {
    const found = (id: number) =>
      this.#found.has(id) || latest?.pairs.some(({ recorded }) => recorded?.id === id);
    return (this.#followers.get(recordedId) ?? []).filter(
      ({ id, type }) => !FROM_OUTSIDE.has(type) && !ABORTED.test(type) && !found(id),
    );
  }

  /** The first event that has not been replayed and comes from outside: a stop, a timeout, a redrive. */
  firstFromOutside(): RecordedEvent | undefined {
    return this.#fromOutside.find(({ id }) => !this.#found.has(id));
  }

  /** Events that have not been replayed, aborts left out: which states were still at work depends on the moment. */
  left(): readonly RecordedEvent[] {
    return this.#recorded.filter(({ id, type }) => !this.#found.has(id) && !ABORTED.test(type));
  }

  /** The latest event on the way back from this one that has been replayed. */
  lastFoundBefore({ previousEventId }: RecordedEvent): number {
    let id = previousEventId;
    while (id > 0 && !this.#found.has(id)) id = this.#recorded[id - 1]?.previousEventId ?? 0;
    return id;
  }

  /** Finds the events of a transition; nothing is kept of it before `keep`. */
  align(events: readonly HistoryEvent[]): Alignment {
    const pairs: Pair[] = [];
    const alignment = { pairs, mismatch: undefined };
    const ids = new Map<number, number>();
    const all = new Map(events.map(event => [event.id, event]));
    const replayedAt = (id: number) => all.get(id) ?? this.#replayed[id - 1];
    const idOf = (id: number) => ids.get(id) ?? this.#ids.get(id);
    for (const replayed of events) {
      const before = idOf(replayed.previousEventId);
      const found =
        before === undefined ? undefined : this.#find(replayed, before, { alignment, replayedAt, idOf });
      // A call that failed before it began stands where it was scheduled.
      const isStart = before !== undefined && STARTED.test(replayed.type);
      const recorded = found ?? (isStart ? this.#recorded[before - 1] : undefined);
      pairs.push({ replayed, recorded });
      if (recorded) ids.set(replayed.id, recorded.id);
      if (recorded || before === undefined || OPTIONAL.test(replayed.type)) continue;
      const [instead] = this.after(before, alignment);
      if (instead) return { pairs, mismatch: { replayed, recorded: instead } };
    }
    return alignment;
  }

  /** Takes these events as replayed. */
  keep({ pairs }: Alignment): void {
    for (const { replayed, recorded } of pairs) {
      this.#replayed.push(replayed);
      if (!recorded) continue;
      this.#ids.set(replayed.id, recorded.id);
      this.#found.add(recorded.id);
    }
  }

  #find(
    replayed: HistoryEvent,
    before: number,
    { alignment, replayedAt, idOf }: Finding,
  ): RecordedEvent | undefined {
    const isFree = ({ id }: RecordedEvent) =>
      !this.#found.has(id) && !alignment.pairs.some(({ recorded }) => recorded?.id === id);
    const isIt = (event: RecordedEvent) => isFree(event) && isSame(replayed, event);
    const direct = (this.#followers.get(before) ?? []).find(isIt);
    if (direct || !OF_CHILDREN.test(replayed.type)) return direct;
    // Another branch or iteration may have been the last to end.
    const opening = openingOf(replayed, replayedAt);
    const recordedAt = (id: number) => this.#recorded[id - 1];
    const recordedOpening = opening === undefined ? undefined : idOf(opening);
    return this.#recorded.find(event => isIt(event) && openingOf(event, recordedAt) === recordedOpening);
  }
}

interface Finding {
  readonly alignment: Alignment;
  readonly replayedAt: (id: number) => HistoryEvent | undefined;
  readonly idOf: (id: number) => number | undefined;
}

const FROM_OUTSIDE: ReadonlySet<string> = new Set([
  'ExecutionTimedOut',
  'ExecutionAborted',
  'ExecutionRedriven',
]);
const ABORTED = /^(?:\w+StateAborted|MapIterationAborted)$/;
const STARTED = /^(?:Task|LambdaFunction)Started$/;
/** Events that hang on the moment: another iteration may have begun, another branch be stopped. */
const OPTIONAL = /^(?:MapIterationStarted|\w+StateAborted|MapIterationAborted)$/;
/** Events that follow the last one within a Parallel or Map, whichever that was. */
const OF_CHILDREN = /^(?:(?:Parallel|Map)State(?:Succeeded|Failed|Exited)|MapIteration\w+)$/;

/** What the service says of a call that failed before it began is one kind of failure here. */
const SAME_TYPES: ReadonlyMap<string, RegExp> = new Map([
  ['TaskFailed', /^Task(?:SubmitFailed|StartFailed|TimedOut)$/],
  ['LambdaFunctionFailed', /^LambdaFunction(?:ScheduleFailed|StartFailed|TimedOut)$/],
]);

function isSame({ type, name, index }: HistoryEvent, recorded: RecordedEvent): boolean {
  const isOfType = recorded.type === type || SAME_TYPES.get(type)?.test(recorded.type) === true;
  const { name: recordedName, index: recordedIndex } = recorded.details;
  return (
    isOfType &&
    (name === undefined || recordedName === undefined || recordedName === name) &&
    (index === undefined || recordedIndex === undefined || recordedIndex === index)
  );
}

/** The event that began the Parallel or Map around an event: found on the way back, past those that have ended. */
function openingOf<Event extends Link>(
  { previousEventId }: Event,
  at: (id: number) => Event | undefined,
): number | undefined {
  let ended = 0;
  for (let event = at(previousEventId); event; event = at(event.previousEventId)) {
    if (/^(?:Parallel|Map)StateExited$/.test(event.type)) ended += 1;
    else if (/^(?:Parallel|Map)StateStarted$/.test(event.type)) {
      if (ended === 0) return event.id;
      ended -= 1;
    }
  }
  return undefined;
}

interface Link {
  readonly id: number;
  readonly previousEventId: number;
  readonly type: string;
}
