import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { EventEnvelope } from '@onceflow/local';
import { firstErrorIn } from '../../packages/local/json/syntax';

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
 * Reads the events of a file, line by line; empty lines are passed over. A line that is not an event does not stop it.
 *
 * @throws the system's error where the file cannot be read
 */
export async function readEvents(file: string, defaults: EventDefaults): Promise<EventLine[]> {
  const bytes = await readFile(file);
  const lines: EventLine[] = [];
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const newline = bytes.indexOf('\n', start);
    const end = newline === -1 ? bytes.length : newline;
    const line = readBytes(bytes.subarray(start, end), number, defaults);
    if (line) lines.push(line);
    start = end + 1;
  }
  return lines;
}

// Replaced bytes would make one key of two, so a line that is not UTF-8 is not an event.
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function readBytes(bytes: Uint8Array, line: number, defaults: EventDefaults): EventLine | undefined {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return { kind: 'invalid', line, message: 'not valid UTF-8' };
  }
  return text.trim() === '' ? undefined : readLine(text, line, defaults);
}

function readLine(text: string, line: number, defaults: EventDefaults): EventLine {
  const invalid = (message: string): EventLine => ({ kind: 'invalid', line, message });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid(`not valid JSON: the first error is at ${firstErrorIn(text)}`);
  }
  if (!isObject(value)) return invalid(`an event must be a JSON object, and this is ${nameOf(value)}`);
  for (const name of ['source', 'detail-type'] as const) {
    if (typeof value[name] !== 'string' || value[name] === '')
      return invalid(`\`${name}\` must be a non-empty text`);
  }
  if (!isObject(value['detail'])) return invalid('`detail` must be a JSON object');
  if (isDeeperThan(LEVELS_MAX, value)) return invalid(`nested deeper than ${LEVELS_MAX} levels`);
  for (const name of ['id', 'time', 'account', 'region'] as const) {
    if (name in value && typeof value[name] !== 'string')
      return invalid(`\`${name}\` must be a text, or be left out`);
  }
  return { kind: 'event', line, event: completed(value as unknown as EventEnvelope, defaults) };
}

function completed(event: EventEnvelope, { account, region }: EventDefaults): EventEnvelope {
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  return { ...{ version: '0', id: randomUUID(), account, region, time, resources: [] }, ...event };
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** Deeper than any event, and far from where recursion ends. */
const LEVELS_MAX = 1000;

function isDeeperThan(levels: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
