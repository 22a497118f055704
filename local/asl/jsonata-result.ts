import type { Json } from './json';

/**
 * The result of an evaluation as plain JSON, or undefined when a function is (in) it.
 *
 * The package marks its sequences with extra properties, builds objects without prototype and lets numbers be
 * infinite; the service answers those as the texts "Infinity", "-Infinity" and "NaN".
 */
export function plainJson(result: unknown): Json | undefined {
  if (result === null || typeof result === 'string' || typeof result === 'boolean') return result;
  if (typeof result === 'number') return Number.isFinite(result) ? result : String(result);
  if (Array.isArray(result)) return plainArray(result);
  if (typeof result !== 'object' || isFunctionObject(result)) return undefined;
  return plainObject(result);
}

/** True for the package's own functions and lambdas, false for user data that merely looks like one. */
function isFunctionObject(value: object): boolean {
  const candidate = value as { implementation?: unknown; apply?: unknown };
  return typeof candidate.implementation === 'function' || typeof candidate.apply === 'function';
}

function plainArray(items: readonly unknown[]): Json | undefined {
  const values: Json[] = [];
  for (const item of items) {
    if (item === undefined) continue;
    const value = plainJson(item);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function plainObject(object: object): Json | undefined {
  const entries: [string, Json][] = [];
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue;
    const value = plainJson(member);
    if (value === undefined) return undefined;
    entries.push([name, value]);
  }
  // Unlike assignment, fromEntries keeps a member called `__proto__`.
  return Object.fromEntries(entries);
}
