import { JSON_DEPTH_MAX } from '../../json/depth';
import type { Json } from '../../json/json';
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
  whole = result;
  left = UNMEASURED_MAX;
  return plain(result, 0);
}

/**
 * Values and characters of the largest result. One object in many places counts in each of them: written out, a few
 * objects can be more than any memory holds.
 */
const RESULT_MAX = 2 ** 25;

/** A result that is not larger is read without a measurement first. */
const UNMEASURED_MAX = 2 ** 16;

/** The result that is being read, and how much of it may still be read. Nothing else runs in between. */
let whole: unknown;
let left = UNMEASURED_MAX;

function plain(result: unknown, depth: number): Json | undefined {
  left -= typeof result === 'string' ? result.length : 1;
  if (left < 0) measure();
  if (result === null || typeof result === 'string' || typeof result === 'boolean') return result;
  if (typeof result === 'number') return Number.isFinite(result) ? result : String(result);
  requireMemory(depth, JSON_DEPTH_MAX);
  if (Array.isArray(result)) return plainArray(result, depth + 1);
  if (typeof result !== 'object' || isFunctionObject(result)) return undefined;
  return plainObject(result, depth + 1);
}

/** Measures the whole result, so that one which is too large is rejected before the rest of it is read. */
function measure(): void {
  requireMemory(sizeOf(whole, 0, new Map()), RESULT_MAX);
  left = Number.POSITIVE_INFINITY;
}

/** Values and characters of a result as it is written out. One object in many places is measured once. */
function sizeOf(value: unknown, depth: number, measured: Map<object, number>): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || isFunctionObject(value)) return 1;
  const known = measured.get(value);
  if (known !== undefined) return known;
  requireMemory(depth, JSON_DEPTH_MAX);
  let size = 1;
  for (const member of Object.values(value)) {
    if (member !== undefined) size += sizeOf(member, depth + 1, measured);
  }
  measured.set(value, size);
  return size;
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
  const values: { [name: string]: Json } = {};
  for (const name of Object.keys(object)) {
    const member = (object as Record<string, unknown>)[name];
    if (member === undefined) continue;
    const value = plain(member, depth);
    if (value === undefined) return undefined;
    // An assignable variable would have another name.
    if (name === '__proto__') Object.defineProperty(values, name, { ...OWN, value });
    else values[name] = value;
  }
  return values;
}

const OWN = { enumerable: true, configurable: true, writable: true } as const;
