import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { EventEnvelope } from '../local/index';

/** A line of the file: an event, or what is wrong with it. Line numbers count from 1. */
export type EventLine =
  | { readonly kind: 'event'; readonly line: number; readonly event: EventEnvelope }
  | { readonly kind: 'invalid'; readonly line: number; readonly message: string };

/** Where events without account and region come from. */
export interface EventDefaults {
  readonly account: string;
  readonly region: string;
}

/**
 * Reads the events of a file, line by line; empty lines are passed over. A line that is no event does not stop it.
 *
 * @throws the system's error where the file cannot be read
 */
export async function readEvents(file: string, defaults: EventDefaults): Promise<EventLine[]> {
  const lines: EventLine[] = [];
  const input = createReadStream(file, 'utf8');
  let number = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    // A byte order mark is no white space to JSON.
    const content = number === 1 ? text.replace(/^\ufeff/, '') : text;
    if (content.trim() !== '') lines.push(readLine(content, number, defaults));
  }
  return lines;
}

function readLine(text: string, line: number, defaults: EventDefaults): EventLine {
  const invalid = (message: string): EventLine => ({ kind: 'invalid', line, message });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return invalid(`no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(value))
    return invalid(`an event is a JSON object, this is ${Array.isArray(value) ? 'a list' : typeof value}`);
  for (const name of ['source', 'detail-type'] as const) {
    if (typeof value[name] !== 'string' || value[name] === '')
      return invalid(`\`${name}\` must be a non-empty text`);
  }
  if (!isObject(value['detail'])) return invalid('`detail` must be a JSON object');
  for (const name of ['id', 'time', 'account', 'region'] as const) {
    if (name in value && typeof value[name] !== 'string')
      return invalid(`\`${name}\` must be a text where it is given`);
  }
  return { kind: 'event', line, event: completed(value as unknown as EventEnvelope, defaults) };
}

function completed(event: EventEnvelope, { account, region }: EventDefaults): EventEnvelope {
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  return { ...{ version: '0', id: randomUUID(), account, region, time, resources: [] }, ...event };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
