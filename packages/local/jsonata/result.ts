import { JSON_DEPTH_MAX } from '../json/depth';
import type { Json } from '../json/json';
import { requireMemory } from './limits';

/**
 * The result of an evaluation as plain JSON, or undefined when a function is (in) it.
 *
 * The package marks its sequences with extra properties, builds objects without prototype and lets numbers be
 * infinite; the service answers those as the texts "Infinity", "-Infinity" and "NaN".
 *
 * @throws Error with MEMORY_PROBLEM for a result that is larger or nests deeper than data can be
 */
export function plainJson(result: unknown): Json | undefined {
  left = RESULT_MAX;
  return plain(result, 0);
}

/**
 * Values and characters of the largest result. One object in many places counts in each of them: written out, a few
 * objects can be more than any memory holds.
 */
const RESULT_MAX = 2 ** 25;

/** How much the result that is being read may still have. Reading it takes no turn of anybody else. */
let left = RESULT_MAX;

function plain(result: unknown, depth: number): Json | undefined {
  left -= typeof result === 'string' ? result.length : 1;
  requireMemory(-left, 0);
  if (result === null || typeof result === 'string' || typeof result === 'boolean') return result;
  if (typeof result === 'number') return Number.isFinite(result) ? result : String(result);
  requireMemory(depth, JSON_DEPTH_MAX);
  if (Array.isArray(result)) return plainArray(result, depth + 1);
  if (typeof result !== 'object' || isFunctionObject(result)) return undefined;
  return plainObject(result, depth + 1);
}

/** True for the package's own functions and lambdas, false for user data that merely looks like one. */
function isFunctionObject(value: object): boolean {
  const candidate = value as { implementation?: unknown; apply?: unknown };
  return typeof candidate.implementation === 'function' || typeof candidate.apply === 'function';
}

function plainArray(items: readonly unknown[], depth: number): Json | undefined {
  const values: Json[] = [];
  for (const item of items) {
    if (item === undefined) continue;
    const value = plain(item, depth);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function plainObject(object: object, depth: number): Json | undefined {
  const entries: [string, Json][] = [];
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue;
    const value = plain(member, depth);
    if (value === undefined) return undefined;
    entries.push([name, value]);
  }
  // Unlike assignment, fromEntries keeps a member called `__proto__`.
  return Object.fromEntries(entries);
}
