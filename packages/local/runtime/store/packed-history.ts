import type { HistoryEvent, HistoryEventType } from '../../engine/index';

// A history in one list takes a third of the memory that an object for each event takes, and a fraction of the garbage
// collector's work. It begins with when the execution started, epoch milliseconds. Then, for each event:
//
// 1. Its form. Nearly every event has one that thousands of others have, too.
// 2. The milliseconds since the start, where the form says that time has passed since the event before.
// 3. The event that it follows, where the form does not say how far back that is.
// 4. The values of its details, in the order of their names.

/** A history as it is kept; `unpackedHistory` reads it. */
export type PackedHistory = readonly unknown[];

/** What an event has in common with others: one object for all that agree in all of it. */
interface Form {
  readonly type: HistoryEventType;
  /** Of its details, in their order. */
  readonly names: readonly string[];
  readonly isLater: boolean;
  /** How far back the event is that it follows, up to BACK_MAX; 0 where it is further. */
  readonly back: number;
}

/** Branches and iterations that take turns are further apart; most of them are not. */
const BACK_MAX = 8;

/** `history` begins with event 1 and leaves none out, as every history does. */
export function packedHistory(history: readonly HistoryEvent[]): PackedHistory {
  const startedAt = history[0]?.timestamp ?? 0;
  const packed: unknown[] = [startedAt];
  let at = startedAt;
  for (let index = 0; index < history.length; index += 1) {
    const event = history[index] as HistoryEvent;
    const time = event.timestamp;
    pack(event, packed, time !== at, time - startedAt);
    at = time;
  }
  // A list that has grown has room for more, which nothing will need.
  return packed.slice();
}

/** All events, in their order; made anew each time. */
export function unpackedHistory(packed: PackedHistory): HistoryEvent[] {
  const values = packed.values();
  const next = () => values.next().value;
  const startedAt = next() as number;
  const events: HistoryEvent[] = [];
  let timestamp = startedAt;
  for (let form = next() as Form | undefined; form; form = next() as Form | undefined) {
    const id = events.length + 1;
    if (form.isLater) timestamp = startedAt + (next() as number);
    const previousEventId = form.back === 0 ? (next() as number) : id - form.back;
    const details = form.names.map(name => [name, next()] as const);
    events.push({ id, previousEventId, type: form.type, timestamp, ...Object.fromEntries(details) });
  }
  return events;
}

function pack(event: HistoryEvent, packed: unknown[], isLater: boolean, passed: number): void {
  const distance = event.id - event.previousEventId;
  const back = distance > 0 && distance <= BACK_MAX ? distance : 0;
  const formAt = packed.length;
  packed.push(undefined);
  if (isLater) packed.push(passed);
  if (back === 0) packed.push(event.previousEventId);
  // Most executions go the way of the one before.
  const place = event.id % LAST_MAX;
  const last = LAST[place];
  const names = last?.names ?? NO_NAMES;
  let isLast = last?.type === event.type && last.isLater === isLater && last.back === back;
  let head = 0;
  let count = 0;
  for (const name in event) {
    if (name === HEAD[head]) {
      head += 1;
      continue;
    }
    isLast &&= names[count] === name;
    count += 1;
    packed.push(event[name as keyof HistoryEvent]);
  }
  if (last && isLast && names.length === count) {
    packed[formAt] = last;
    return;
  }
  const form = formOf(event, isLater, back);
  LAST[place] = form;
  packed[formAt] = form;
}

const NO_NAMES: readonly string[] = [];

/** What every event begins with. */
const HEAD = ['id', 'previousEventId', 'type', 'timestamp'];

/** The forms of the events that were packed last, by where they stand in their histories. */
const LAST_MAX = 256;
const LAST: (Form | undefined)[] = new Array(LAST_MAX).fill(undefined);

/** The forms that there are. Names of details come from the engine and never from a definition: a thousand at most. */
const FORMS = new Map<string, Form>();

function formOf(event: HistoryEvent, isLater: boolean, back: number): Form {
  let head = 0;
  const names: string[] = [];
  for (const name in event) {
    if (name === HEAD[head]) head += 1;
    else names.push(name);
  }
  const key = [event.type, isLater, back, ...names].join(' ');
  const known = FORMS.get(key);
  if (known) return known;
  const form: Form = { type: event.type, names, isLater, back };
  FORMS.set(key, form);
  return form;
}
