import type { HistoryEvent, HistoryEventType } from '../engine/history';

/** The details that an event has, in their order: the same for all events that have the same ones. */
interface Shape {
  readonly type: HistoryEventType;
  readonly names: readonly string[];
}

/**
 * A history in one list, which takes less than half of the memory that an object for each event takes, and a fraction
 * of the garbage collector's work. The events are made anew each time they are read.
 */
export class PackedHistory {
  readonly #startedAt: number;
  /** For each event its shape, the event before it, the milliseconds since the first one, and its details. */
  readonly #packed: readonly unknown[];

  /** `history` begins with event 1 and leaves none out, as every history does. */
  constructor(history: readonly HistoryEvent[]) {
    this.#startedAt = history[0]?.timestamp ?? 0;
    const packed: unknown[] = [];
    for (const event of history) this.#pack(event, packed);
    // A list that has grown has room for more, which nothing will need.
    this.#packed = packed.slice();
  }

  /** All events, in their order. */
  unpacked(): HistoryEvent[] {
    const events: HistoryEvent[] = [];
    for (let at = 0; at < this.#packed.length; ) {
      const { type, names } = this.#packed[at] as Shape;
      const [previousEventId, passed] = this.#packed.slice(at + 1, at + HEAD) as [number, number];
      const head = { id: events.length + 1, previousEventId, type, timestamp: this.#startedAt + passed };
      const details = names.map((name, index) => [name, this.#packed[at + HEAD + index]] as const);
      events.push({ ...head, ...Object.fromEntries(details) });
      at += HEAD + names.length;
    }
    return events;
  }

  #pack(event: HistoryEvent, packed: unknown[]): void {
    const at = packed.length;
    packed.push(undefined, event.previousEventId, event.timestamp - this.#startedAt);
    const { names } = LAST.get(event.type) ?? NONE;
    let isKnown = true;
    for (const name in event) {
      if (OF_ALL.has(name)) continue;
      isKnown &&= names[packed.length - at - HEAD] === name;
      packed.push(event[name as keyof HistoryEvent]);
    }
    isKnown &&= packed.length - at - HEAD === names.length;
    packed[at] = isKnown && names !== NONE.names ? LAST.get(event.type) : shapeOf(event);
  }
}

/** What an event takes without its details. */
const HEAD = 3;

/** What every event has. */
const OF_ALL: ReadonlySet<string> = new Set(['id', 'previousEventId', 'type', 'timestamp']);

const NONE: Pick<Shape, 'names'> = { names: [] };

/** The shapes that there are, and the last one of each type: mostly the next one of it has the same. */
const SHAPES = new Map<string, Shape>();
const LAST = new Map<HistoryEventType, Shape>();

/** There are some hundred at most: names of details come from the engine, never from a definition. */
function shapeOf(event: HistoryEvent): Shape {
  const names = Object.keys(event).filter(name => !OF_ALL.has(name));
  const key = [event.type, ...names].join(' ');
  const shape = SHAPES.get(key) ?? { type: event.type, names };
  SHAPES.set(key, shape);
  LAST.set(event.type, shape);
  return shape;
}
