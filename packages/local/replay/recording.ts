import { isJsonObject, type Json, type JsonObject } from '../json/json';

/** One event of a recorded history. */
export interface RecordedEvent {
  readonly id: number;
  readonly previousEventId: number;
  readonly type: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** The member that is named by the type, such as `taskScheduledEventDetails`; empty where there is none. */
  readonly details: JsonObject;
}

/** The history of one execution, from its start on, oldest event first. */
export interface Recording {
  readonly events: readonly RecordedEvent[];
  /** What ended the execution; undefined while it runs, and where the recording stops before its end. */
  readonly end: RecordedEvent | undefined;
}

/** A recording, or why the text holds none that can be replayed: what was found, and what to do. */
export type ReadRecording =
  | { readonly kind: 'recording'; readonly recording: Recording }
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Reads what `aws stepfunctions get-execution-history` prints, in either order, one page or a list of pages. Never
 * throws for what is in the text.
 */
export function readRecording(text: string): ReadRecording {
  if (text.trim() === '') return unreadable('it is empty');
  const parsed = parsedJson(text);
  if (parsed.kind === 'invalid') return unreadable(parsed.reason);
  const found = eventsIn(parsed.value);
  if (typeof found === 'string') return unreadable(found);
  const events: RecordedEvent[] = [];
  for (const value of found) {
    const event = eventOf(value);
    if (!event) return unreadable(`it has an event that is none: ${JSON.stringify(value).slice(0, 120)}`);
    events.push(event);
  }
  events.sort((left, right) => left.id - right.id);
  const reason = problemWith(events);
  if (reason !== undefined) return unreadable(reason);
  const last = events.at(-1);
  return { kind: 'recording', recording: { events, end: last && ENDS.has(last.type) ? last : undefined } };
}

/** The types of events that end an execution. */
const ENDS: ReadonlySet<string> = new Set([
  'ExecutionSucceeded',
  'ExecutionFailed',
  'ExecutionTimedOut',
  'ExecutionAborted',
]);

function unreadable(reason: string): ReadRecording {
  return { kind: 'unreadable', reason };
}

type Parsed = { readonly kind: 'json'; readonly value: Json } | { readonly kind: 'invalid'; reason: string };

function parsedJson(text: string): Parsed {
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch (error) {
    const { message } = error as Error;
    const reason = isCut(text, message)
      ? 'its JSON stops in the middle: the file was cut; export the history again'
      : `it is no JSON document: ${message}`;
    return { kind: 'invalid', reason };
  }
}

/** Whether all of a text is the beginning of a JSON document: nothing is wrong with it but its end. */
function isCut(text: string, problem: string): boolean {
  const at = /at position (\d+)/.exec(problem)?.[1];
  const isAtEnd = at === undefined ? problem.startsWith('Unexpected end of') : Number(at) === text.length;
  return isAtEnd && /^\s*[[{]/.test(text);
}

/** The events of an answer, or of several pages. A sentence where it is another answer. */
function eventsIn(value: Json): readonly Json[] | string {
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(page => isJsonObject(page) && Array.isArray(page['events'])))
      return value.flatMap(page => eventsIn(page));
    if (value.every(event => isJsonObject(event) && 'type' in event && 'id' in event)) return value;
  }
  if (isJsonObject(value) && Array.isArray(value['events'])) return value['events'];
  const names = isJsonObject(value) ? Object.keys(value).slice(0, 4).join(', ') : '';
  const has = names === '' ? '' : `; it has ${names}`;
  return `it is no history: it has no \`events\`${has}; pass what aws stepfunctions get-execution-history prints`;
}

function eventOf(value: Json): RecordedEvent | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, previousEventId = 0, type, timestamp } = value;
  const at = timeOf(timestamp);
  if (typeof id !== 'number' || typeof type !== 'string' || at === undefined) return undefined;
  if (typeof previousEventId !== 'number') return undefined;
  const name = Object.keys(value).find(key => key.endsWith('EventDetails'));
  const details = name === undefined ? undefined : value[name];
  return { id, previousEventId, type, timestamp: at, details: isJsonObject(details) ? details : {} };
}

/** As the AWS CLI writes it: an ISO time, or epoch seconds; epoch milliseconds are seen by their size. */
function timeOf(timestamp: Json | undefined): number | undefined {
  if (typeof timestamp === 'number') return Math.round(timestamp > 1e11 ? timestamp : timestamp * 1000);
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

function problemWith(events: readonly RecordedEvent[]): string | undefined {
  const [first] = events;
  if (!first) return 'it has no events; an Express execution has none, and a Standard one for 90 days';
  if (first.id !== 1) {
    return `it begins at event ${first.id}: the events before it are missing; export all pages into one file`;
  }
  for (const [index, { id, previousEventId }] of events.entries()) {
    if (previousEventId < 0 || previousEventId >= id)
      return `event ${id} follows event ${previousEventId}, which is not before it`;
    if (id === index + 1) continue;
    const before = events[index - 1]?.id ?? 0;
    if (id === before) return `it has event ${id} twice`;
    return `events ${before + 1} to ${id - 1} are missing; export all pages into one file`;
  }
  if (first.type !== 'ExecutionStarted') return `its first event is ${first.type}, not ExecutionStarted`;
  if (first.details['input'] === undefined) {
    return 'it has no data: it was exported with --no-include-execution-data; export it again without that';
  }
  return undefined;
}
