import { type HistoryFileEvent, readHistory } from '../history/index';
import { isJsonObject, type JsonObject } from '../json/json';

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
 * Reads what `aws stepfunctions get-execution-history` prints, in either order, one page or a list of pages: all of it,
 * from the start of the execution on, and with its data. Never throws for the content of the text.
 */
export function readRecording(text: string): ReadRecording {
  const read = readHistory(text);
  if (read.kind === 'unreadable') return read;
  const events = read.events.map(recordedEvent);
  const reason =
    problemWith(events) ?? (isCutOff(read.hasNextPage, events) ? pagesMissing(events) : undefined);
  if (reason !== undefined) return { kind: 'unreadable', reason };
  const last = events.at(-1);
  return { kind: 'recording', recording: { events, end: last && ENDS.has(last.type) ? last : undefined } };
}

/** Whether events are missing behind the last one: nothing follows a success, and a redrive may follow another end. */
function isCutOff(hasNextPage: boolean, events: readonly RecordedEvent[]): boolean {
  return hasNextPage && events.at(-1)?.type !== 'ExecutionSucceeded';
}

function recordedEvent(event: HistoryFileEvent): RecordedEvent {
  const { id, previousEventId = 0, type, timestamp } = event;
  const details = Object.values(event).find(isJsonObject) ?? {};
  return { id, previousEventId, type, timestamp, details };
}

/** The types of events that end an execution. */
const ENDS: ReadonlySet<string> = new Set([
  'ExecutionSucceeded',
  'ExecutionFailed',
  'ExecutionTimedOut',
  'ExecutionAborted',
]);

function pagesMissing(events: readonly RecordedEvent[]): string {
  const last = events.at(-1)?.id ?? 0;
  return `it has a NextToken: the events after event ${last} are missing; export all pages into one file`;
}

function problemWith(events: readonly RecordedEvent[]): string | undefined {
  const [first] = events;
  if (!first) return undefined;
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
