import type { HistoryEvent } from '../engine/index';
import { isJsonObject, type Json, type JsonObject, jsonOr } from '../json/json';
import type { RecordedEvent } from './recording';

// The compared parts of an event. Not the wording of causes, which no contract covers, and not the role and the region,
// which the deployment gives.

/** The members of an event that are JSON as text. */
const TEXTS = ['input', 'output', 'parameters'] as const;
const PLAIN = [
  'resourceType',
  'resource',
  'timeoutInSeconds',
  'heartbeatInSeconds',
  'taskCredentials',
  'length',
  'error',
] as const;

/** The compared parts of an event, its texts as the values that they are. */
export function comparableDetails(details: { readonly [name: string]: unknown }): JsonObject {
  const facts: { [name: string]: Json } = {};
  for (const name of PLAIN) {
    const value = details[name];
    if (value !== undefined && value !== null) facts[name] = value as Json;
  }
  for (const name of TEXTS) {
    const text = details[name];
    if (typeof text === 'string' && !isTruncated(details, name)) facts[name] = jsonOr(text, text);
  }
  const assigned = details['assignedVariables'];
  if (isJsonObject(assigned) && !isTruncated(details, 'assignedVariables')) {
    const values = Object.entries(assigned).map(([name, text]) => [name, jsonOr(String(text), String(text))]);
    facts['assignedVariables'] = Object.fromEntries(values);
  }
  return facts;
}

/** Both sides of the comparison of an event. Neither has text that the recording has cut off. */
export function comparedDetails(replayed: HistoryEvent, { type, details }: RecordedEvent) {
  // What starts an execution is given to the replay.
  if (type === 'ExecutionStarted') return { recorded: {}, replayed: {} };
  const without = { ...replayed } as { [name: string]: unknown };
  for (const name of [...TEXTS, 'assignedVariables']) if (isTruncated(details, name)) delete without[name];
  return { recorded: comparableDetails(details), replayed: comparableDetails(without) };
}

/** Whether the recording has only the beginning of a member. */
export function isTruncated(details: { readonly [name: string]: unknown }, name: string): boolean {
  const about = details[`${name}Details`];
  return isJsonObject(about) && about['truncated'] === true;
}
