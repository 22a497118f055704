import { tooDeepAt } from '../json/depth';
import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { firstErrorIn } from '../json/syntax';
import { loggedEvent } from './logged-event';

/** One event as `get-execution-history` prints it. */
export interface HistoryFileEvent {
  readonly id: number;
  /** Absent where the file leaves it out. */
  readonly previousEventId?: number;
  readonly type: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** Named by the type, such as `taskScheduledEventDetails`; the service gives one at most. */
  readonly [details: `${string}EventDetails`]: JsonObject | undefined;
}

/**
 * The events of a history, in the order of their ids, or why the text holds none: a sentence about the file.
 * `hasNextPage` is true if each page has the token of a further one, so that the last page is missing.
 */
export type HistoryFile =
  | {
      readonly kind: 'history';
      readonly events: readonly HistoryFileEvent[];
      readonly hasNextPage: boolean;
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Reads the output of `aws stepfunctions get-execution-history`: one page, a list of pages, or the list of events
 * alone, in either order. Times are ISO texts, epoch seconds or epoch milliseconds. Reads the output of
 * `aws logs filter-log-events` as well, for one execution. Events may be missing or repeated. Never throws.
 */
export function readHistory(text: string): HistoryFile {
  if (text.trim() === '') return unreadable('it is empty');
  const deep = tooDeepAt(text);
  if (deep !== undefined) return unreadable(`it is nested more than 1,000 levels deep at character ${deep}`);
  const parsed = parsedJson(text);
  if (parsed.kind === 'invalid') return unreadable(parsed.reason);
  const listed = eventsIn(parsed.value);
  if (typeof listed === 'string') return unreadable(listed);
  if (listed.length === 0)
    return unreadable(
      'it has no events; a Standard execution has them for 90 days, an Express one in its log alone: ' +
        'pass what aws logs filter-log-events prints',
    );
  const found = isLog(listed) ? eventsLogged(listed) : listed;
  if (typeof found === 'string') return unreadable(found);
  const events: HistoryFileEvent[] = [];
  for (const [index, value] of found.entries()) {
    const event = eventOf(value);
    if (!event) {
      const wanted = 'an event has a numeric id, a type and a timestamp';
      return unreadable(`events[${index}] is not a history event: ${wanted}`);
    }
    const member = deepMemberOf(event);
    if (member !== undefined)
      return unreadable(`${member} of event ${event.id} is nested more than 1,000 levels deep`);
    events.push(event);
  }
  events.sort((left, right) => left.id - right.id);
  return { kind: 'history', events, hasNextPage: hasNextPage(parsed.value) };
}

function unreadable(reason: string): HistoryFile {
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
      : `it is not a JSON document: the first error is at ${firstErrorIn(text)}`;
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
    if (value.every(event => isJsonObject(event) && ('type' in event || 'id' in event))) return value;
  }
  if (isJsonObject(value) && Array.isArray(value['events'])) return value['events'];
  if (isJsonObject(value) && 'events' in value)
    return 'it is not a history: its `events` is not a list; pass what aws stepfunctions get-execution-history prints';
  const names = isJsonObject(value) ? Object.keys(value).slice(0, 4).join(', ') : '';
  const has = names === '' ? '' : `; it has ${names}`;
  return `it is not a history: it has no \`events\`${has}; pass what aws stepfunctions get-execution-history prints`;
}

/** The AWS CLI writes `NextToken` after `--max-items`, and `nextToken` with `--no-paginate`. */
function hasNextPage(value: Json): boolean {
  if (Array.isArray(value)) return value.every(hasNextPage);
  const tokens = isJsonObject(value) ? [value['NextToken'], value['nextToken']] : [];
  return tokens.some(token => typeof token === 'string');
}

function isLog(listed: readonly Json[]): boolean {
  return listed.every(value => isJsonObject(value) && typeof value['message'] === 'string');
}

/** The events of one execution in the events of a log group. A sentence where they are something else. */
function eventsLogged(listed: readonly Json[]): readonly Json[] | string {
  const logged = listed.map(value => loggedEvent(isJsonObject(value) ? String(value['message']) : ''));
  const strange = logged.indexOf(undefined);
  if (strange >= 0) {
    const shown = JSON.stringify(listed[strange]).slice(0, 120);
    return `events[${strange}] was not logged by Step Functions: ${shown}`;
  }
  const executions = [...new Set(logged.map(one => one?.executionArn))];
  if (executions.length > 1)
    return (
      `it has events of ${executions.length} executions; pass those of one, with ` +
      `--filter-pattern '{ $.execution_arn = "${executions[0]}" }'`
    );
  return logged.flatMap(one => one?.event ?? []);
}

function eventOf(value: Json): HistoryFileEvent | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, previousEventId, type, timestamp } = value;
  const at = timeOf(timestamp);
  if (typeof id !== 'number' || typeof type !== 'string' || at === undefined) return undefined;
  const details = Object.entries(value).filter(
    ([name, member]) => name.endsWith('EventDetails') && isJsonObject(member),
  );
  const event = { ...Object.fromEntries(details), id, type, timestamp: at };
  if (previousEventId === undefined) return event;
  return typeof previousEventId === 'number' ? { ...event, previousEventId } : undefined;
}

/** As the AWS CLI writes it: an ISO time, or epoch seconds; epoch milliseconds are seen by their size. */
function timeOf(timestamp: Json | undefined): number | undefined {
  if (typeof timestamp === 'string') return timeIfAny(Date.parse(timestamp));
  if (typeof timestamp !== 'number') return undefined;
  return timeIfAny(Math.round(timestamp > 1e11 ? timestamp : timestamp * 1000));
}

/** The same where a `Date` can be made of it. */
function timeIfAny(ms: number): number | undefined {
  return Number.isNaN(new Date(ms).getTime()) ? undefined : ms;
}

/** The first member of an event's details whose JSON text must not be parsed. */
function deepMemberOf(event: HistoryFileEvent): string | undefined {
  for (const details of Object.values(event)) {
    if (!isJsonObject(details)) continue;
    for (const [name, member] of Object.entries(details)) {
      const texts = isJsonObject(member) ? Object.values(member) : [member];
      if (texts.some(text => typeof text === 'string' && tooDeepAt(text) !== undefined)) return name;
    }
  }
  return undefined;
}
