import type { Json } from '../../json/json';
import { report } from '../reading';
import type { Reading, Resolve } from '../types';

/**
 * One intrinsic function: its argument as the template writes it, the position of that argument, and the
 * resolver for the values nested in it. Handed in rather than imported, because the resolver's table is made of
 * these functions.
 */
export type Intrinsic = (argument: Json, reading: Reading, resolve: Resolve) => Json | undefined;

/** True for arrays; `Array.isArray` alone does not narrow the read-only ones. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A scalar as CloudFormation puts it into text; `undefined` for everything else. */
export function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A resolved scalar as text; anything else is noted as a problem, unless resolving it already failed. */
export function resolveText(value: Json, reading: Reading, resolve: Resolve): string | undefined {
  const noted = reading.problems.length;
  const resolved = resolve(value, reading);
  const text = scalarText(resolved);
  if (text !== undefined || reading.problems.length > noted) return text;
  return report(reading, 'must be text, a number or a boolean');
}

/** A resolved list; anything else is noted as a problem, unless resolving it already failed. */
export function resolveList(value: Json, reading: Reading, resolve: Resolve): readonly Json[] | undefined {
  const noted = reading.problems.length;
  const resolved = resolve(value, reading);
  if (isList(resolved)) return resolved;
  return reading.problems.length > noted ? undefined : report(reading, 'must be a list');
}
