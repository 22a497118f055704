import type { HistoryEvent } from '../../views';

/** A history that was read from a text, or what is wrong with it. */
export type ParsedHistory =
  | { readonly kind: 'history'; readonly events: readonly HistoryEvent[]; readonly isCut: boolean }
  | { readonly kind: 'problem'; readonly message: string };

/**
 * Reads what `aws stepfunctions get-execution-history` prints: `{"events": [...]}`, or the list alone, with timestamps
 * as texts or as epoch seconds. One with `--reverse-order` is put in order. `isCut` where events are missing.
 */
export function parseHistory(text: string): ParsedHistory {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return problem(
      'this is no JSON; save it with `aws stepfunctions get-execution-history --execution-arn ARN`',
    );
  }
  const list = Array.isArray(parsed) ? parsed : (parsed as { readonly events?: unknown } | null)?.events;
  if (!Array.isArray(list))
    return problem('this JSON has no list of `events`, as get-execution-history prints it');
  if (list.length === 0) return problem('this history has no events');
  const events: HistoryEvent[] = [];
  for (const [index, item] of list.entries()) {
    const event = eventIn(item);
    if (event === undefined) return problem(`event ${index + 1} of the list has no id, type or timestamp`);
    events.push(event);
  }
  events.sort((one, other) => one.id - other.id);
  const isCut = events.some((event, index) => event.id !== index + 1);
  return { kind: 'history', events, isCut };
}

function eventIn(item: unknown): HistoryEvent | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { id, type, timestamp, ...details } = item as Readonly<Record<string, unknown>>;
  const at = epochMsOf(timestamp);
  if (typeof id !== 'number' || typeof type !== 'string' || at === undefined) return undefined;
  return { ...details, id, type, timestamp: at };
}

/** The AWS CLI writes `2026-11-20T09:00:00.123000+00:00`, or epoch seconds, by its version and settings. */
function epochMsOf(timestamp: unknown): number | undefined {
  if (typeof timestamp === 'number' && Number.isFinite(timestamp)) return Math.round(timestamp * 1000);
  if (typeof timestamp !== 'string') return undefined;
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? undefined : at;
}

function problem(message: string): ParsedHistory {
  return { kind: 'problem', message };
}
