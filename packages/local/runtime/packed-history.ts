import type { HistoryEvent, HistoryEventType } from '../engine/history';

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
  for (const event of history) {
    pack(event, packed, event.timestamp !== at, event.timestamp - startedAt);
    at = event.timestamp;
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
  let head = 0;
  let count = 0;
  for (const name in event) {
    if (name === HEAD[head]) {
      head += 1;
      continue;
    }
    NAMES[count] = name;
    count += 1;
    packed.push(event[name as keyof HistoryEvent]);
  }
  packed[formAt] = formOf(event.type, isLater, back, count);
}

/** What every event begins with. */
const HEAD = ['id', 'previousEventId', 'type', 'timestamp'];

/** The names of the event that is being packed, as many as it has; nothing else runs in between. */
const NAMES: string[] = [];

/**
 * The forms that there are, by their types and by where `placeOf` puts them: a few in each place, as names of details
 * come from the engine, never from a definition.
 */
const FORMS = new Map<HistoryEventType, Form[][]>();

function placeOf(isLater: boolean, back: number): number {
  return isLater ? back + BACK_MAX + 1 : back;
}

/** The form of an event with the first `count` of NAMES. */
function formOf(type: HistoryEventType, isLater: boolean, back: number, count: number): Form {
  let places = FORMS.get(type);
  if (!places) {
    places = Array.from({ length: placeOf(true, BACK_MAX) + 1 }, () => []);
    FORMS.set(type, places);
  }
  const forms = places[placeOf(isLater, back)] as Form[];
  for (const form of forms) if (hasNames(form, count)) return form;
  const form = { type, names: NAMES.slice(0, count), isLater, back };
  forms.push(form);
  return form;
}

function hasNames({ names }: Form, count: number): boolean {
  if (names.length !== count) return false;
  for (let index = 0; index < count; index += 1) if (names[index] !== NAMES[index]) return false;
  return true;
}
