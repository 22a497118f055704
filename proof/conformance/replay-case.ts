import { replayHistory } from '@onceflow/local';
import type { RecordedCase, RecordedEvent } from './cases/recorded-case';
import { resolveReferences, resolveText } from './cases/references';
import { referencesOf, START_MS } from './environment/names';
import { failedBecause, type Outcome, skippedFor } from './outcome';
import { lackingIn } from './refusal';

/** Replays the history of a case against the case's own definition: it must go the recorded way. */
export function replayCase(recorded: RecordedCase): Outcome {
  if (recorded.kind !== 'execution') return skippedFor('no history');
  const isDeleted = Object.values(recorded.activities).some(({ deletedBeforeStart }) => deletedBeforeStart);
  if (isDeleted) return skippedFor('an activity that was deleted');
  const { expected, definition, definitionText } = recorded;
  const { history } = expected;
  if (!history) return skippedFor('no history');
  if (history.some(({ id }) => typeof id !== 'number')) return skippedFor('ids that were not kept');
  if (recorded.features.includes('Map:DISTRIBUTED')) return skippedFor('Distributed Map');
  const references = referencesOf(recorded);
  const text =
    definitionText === undefined
      ? JSON.stringify(resolveReferences(definition, references))
      : resolveText(definitionText, references);
  const report = replayHistory({
    definition: text,
    history: JSON.stringify({ events: history.map(event => eventOf(event, text)) }).replace(TIME, time),
    openNames: [...references.values()],
  });
  if (report.kind === 'same') return { kind: 'passed' };
  if (report.kind === 'refused') {
    const lacking = lackingIn(report.reason);
    return lacking === undefined ? failedBecause(report.reason) : skippedFor(lacking);
  }
  const { eventId, state, aspect, path, recorded: expectedText, replayed } = report.divergence;
  const message = `event ${eventId}, state "${state}": ${aspect} ${path}`;
  return { kind: 'failed', difference: { path: '/', message, expected: expectedText, actual: replayed } };
}

/** As the service returns an event: recordings have its texts parsed, and have lost its time. */
function eventOf({ id, previousEventId, type, ...more }: RecordedEvent, definition: string): unknown {
  const { timestamp: _, ...members } = more as { readonly [name: string]: unknown };
  const details = Object.entries(members).map(([name, value]) => [name, withTexts(value)]);
  const timestamp = type === 'ExecutionTimedOut' ? START_MS + timeoutIn(definition) : START_MS;
  return { id, previousEventId, type, timestamp, ...Object.fromEntries(details) };
}

function timeoutIn(definition: string): number {
  const { TimeoutSeconds } = JSON.parse(definition) as { readonly TimeoutSeconds?: number };
  return (TimeoutSeconds ?? 0) * 1000;
}

/** A word that the recorder wrote over a time, also within a text in a text. */
const TIME = /(\\*")(?:datetime|date)\1/g;

function time(_word: string, quote: string): string {
  return `${quote}${new Date(START_MS).toISOString()}${quote}`;
}

const TEXTS = new Set(['input', 'output', 'parameters', 'cause', 'error']);

function withTexts(details: unknown): unknown {
  if (typeof details !== 'object' || details === null) return details;
  const members = Object.entries(details).map(([name, value]) => {
    const isText = TEXTS.has(name) && typeof value === 'object';
    return [name, isText ? JSON.stringify(value) : name === 'assignedVariables' ? textsIn(value) : value];
  });
  return Object.fromEntries(members);
}

function textsIn(variables: unknown): unknown {
  if (typeof variables !== 'object' || variables === null) return variables;
  const members = Object.entries(variables).map(([name, value]) => {
    return [name, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  return Object.fromEntries(members);
}
