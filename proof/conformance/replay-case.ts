import { replayHistory } from '@onceflow/local';
import type { RecordedCase, RecordedEvent } from './cases/recorded-case';
import { type References, resolveReferences, resolveText } from './cases/references';
import { recordedTextOf } from './cases/shown-elsewhere';
import { additionsSince } from './compare/recorded';
import { ENVIRONMENT, referencesOf, START_MS } from './environment/names';
import { failedBecause, type Outcome, skippedFor } from './outcome';
import { lackingIn } from './rejection';

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
  if (recorded.ignore.some(pointer => isOfPass(pointer, history)))
    return skippedFor('values that were not kept');
  const references = referencesOf(recorded);
  const text =
    definitionText === undefined
      ? JSON.stringify(resolveReferences(definition, references))
      : resolveText(definitionText, references);
  const events = history.map(event => eventOf(event, text, history));
  const report = replayHistory({
    definition: text,
    history: filledIn(recorded, JSON.stringify({ events }), references).replace(TIME, time),
    openNames: [...references.values()],
  });
  if (report.kind === 'same') return { kind: 'passed' };
  if (report.kind === 'notReplayed') {
    const lacking = lackingIn(report.reason);
    return lacking === undefined ? failedBecause(report.reason) : skippedFor(lacking);
  }
  const { eventId, state, aspect, path, recorded: expectedText, replayed } = report.divergence;
  const isNewer =
    expectedText === 'nothing' && additionsSince(recorded.recorded)(path.split('.').at(-1) ?? '');
  if (isNewer) return skippedFor(`${path.split('.').at(-1)}, which came after the recording`);
  const message = `event ${eventId}, state "${state}": ${aspect} ${path}`;
  return { kind: 'failed', difference: { path: '/', message, expected: expectedText, actual: replayed } };
}

/** As the service returns an event: recordings have its texts parsed, and have lost its time. */
function eventOf(
  { id, previousEventId, type, ...more }: RecordedEvent,
  definition: string,
  history: readonly RecordedEvent[],
): unknown {
  const { timestamp: _, ...members } = more as { readonly [name: string]: unknown };
  const details = Object.entries(members).map(([name, value]) => [name, withTexts(value, history)]);
  const timestamp = type === 'ExecutionTimedOut' ? START_MS + timeoutIn(definition) : START_MS;
  return { id, previousEventId, type, timestamp, ...Object.fromEntries(details) };
}

function timeoutIn(definition: string): number {
  const { TimeoutSeconds } = JSON.parse(definition) as { readonly TimeoutSeconds?: number };
  return (TimeoutSeconds ?? 0) * 1000;
}

/** Whether a value that is not compared is what a Pass has made, by chance: the recorder wrote it over with a word. */
function isOfPass(pointer: string, history: readonly RecordedEvent[]): boolean {
  const [, index] = /^\/history\/(\d+)\/stateExitedEventDetails\/output\//.exec(pointer) ?? [];
  return index !== undefined && history[Number(index)]?.type === 'PassStateExited';
}

/** The history with what its placeholders stand for, as far as that is known. */
function filledIn({ placeholders }: RecordedCase, history: string, references: References): string {
  const { partition, region } = ENVIRONMENT;
  const known = Object.entries(placeholders).flatMap(([name, { equals }]) => {
    const text = equals === undefined ? undefined : resolveText(equals, references);
    return text === undefined || text.includes('${') || !name.startsWith('<') ? [] : [[name, text] as const];
  });
  const texts = new Map([...known, ['<partition>', partition], ['<region>', region]]);
  return [...texts].reduce((filled, [name, text]) => filled.replaceAll(name, text), history);
}

/** A word that the recorder wrote over a time, also within a text in a text. */
const TIME = /(\\*")(?:datetime|date|<[\w-]+-time>)\1/g;

function time(_word: string, quote: string): string {
  return `${quote}${new Date(START_MS).toISOString()}${quote}`;
}

const TEXTS = new Set(['input', 'output', 'parameters', 'cause', 'error']);

function withTexts(details: unknown, history: readonly RecordedEvent[]): unknown {
  if (typeof details !== 'object' || details === null) return details;
  const members = Object.entries(details).map(([name, value]) => {
    const isText = TEXTS.has(name) && typeof value === 'object';
    return [
      name,
      isText ? recordedTextOf(value, history) : name === 'assignedVariables' ? textsIn(value) : value,
    ];
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
