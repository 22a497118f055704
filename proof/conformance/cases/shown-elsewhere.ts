import type { LambdaSpec } from './recorded-case';

// A recorder replaces what changes from run to run, and not always in all places. If one place of a recording lacks a
// value, another place may have it.

/** Whole texts of a recording, in its order. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/**
 * A text of the case with the short ids that the recording has in the same place: an id of eight digits behind a name
 * is made up where the recorder had taken it out.
 */
export function withRecordedIds(text: string, expected: unknown): string {
  const recorded = textsIn(expected).join('\n');
  return text.replace(SHORT_ID, (all, name: string) => {
    if (recorded.includes(all)) return all;
    const [other] = [...recorded.matchAll(SHORT_ID)].filter(found => found[1] === name);
    return other?.[0] ?? all;
  });
}

const SHORT_ID = /\b([a-z][a-z-]*-)[0-9a-f]{8}\b/g;

/** A function with the stack trace that the recording quotes, where its own payload was not recorded. */
export function withRecordedTrace(lambda: LambdaSpec, expected: unknown): LambdaSpec {
  if (!lambda.errorPayload || !JSON.stringify(lambda.errorPayload).includes('<any>')) return lambda;
  for (const text of textsIn(expected)) {
    const [, trace] = /"stackTrace":\s*(\[.*\])\}/.exec(text) ?? [];
    if (trace === undefined) continue;
    return { ...lambda, errorPayload: { ...lambda.errorPayload, stackTrace: JSON.parse(trace) } };
  }
  return lambda;
}

/** The JSON text of a value; as the recording has it where it quotes one that says the same. */
export function recordedTextOf(value: unknown, recorded: unknown): string {
  const text = JSON.stringify(value);
  return textsIn(recorded).find(quoted => quoted.startsWith('{') && compact(quoted) === text) ?? text;
}

function compact(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}
