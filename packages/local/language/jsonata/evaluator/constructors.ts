import type { Node } from '../ast';
import { LIST_ITEMS_MAX } from '../limits';
import { type Code, GIVE_UP } from './run';

/** A list of these items. What an item selects is spread out, an array that is written there is not. */
export function listCode(items: readonly { readonly code: Code; readonly isArray: boolean }[]): Code {
  return (input, frame) => {
    const values: unknown[] = [];
    for (const { code, isArray } of items) {
      const value = code(input, frame);
      if (value === undefined) continue;
      if (Array.isArray(value) && !isArray) for (const item of value) values.push(item);
      else values.push(value);
      if (values.length > LIST_ITEMS_MAX) throw GIVE_UP;
    }
    frame.run.spend(values.length);
    return values;
  };
}

/**
 * An object whose keys are evaluated too. Only in front of one context: the interpreter groups the items of a list by
 * what the keys are for each.
 */
export function groupCode(members: readonly (readonly [key: Code, value: Code])[]): Code {
  return (input, frame) => {
    if (Array.isArray(input)) throw GIVE_UP;
    const entries: [string, Code][] = [];
    for (const [key, value] of members) {
      const name = key(input, frame);
      if (name === undefined) continue;
      const isTaken = entries.some(([known]) => known === name);
      if (typeof name !== 'string' || isTaken || name.startsWith('_jsonata_')) throw GIVE_UP;
      entries.push([name, value]);
    }
    const values = entries.map(([name, code]) => [name, code(input, frame)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  };
}

/** Keys that are written out, no two alike, and none that means something else when it is assigned to. */
export function plainKeysOf(keys: readonly Node[]): readonly string[] | undefined {
  const names = keys.map(({ value }) => String(value));
  const arePlain = keys.every(({ type, predicate }) => type === 'string' && predicate === undefined);
  const areUsable = names.every(name => name !== '__proto__' && !name.startsWith('_jsonata_'));
  return arePlain && areUsable && new Set(names).size === names.length ? names : undefined;
}

/** An object with these members, those left out that have no value. */
export function recordCode(members: readonly (readonly [name: string, value: Code])[]): Code {
  return (input, frame) => {
    if (Array.isArray(input)) throw GIVE_UP;
    const object: Record<string, unknown> = {};
    for (const [name, code] of members) {
      const value = code(input, frame);
      if (value !== undefined) object[name] = value;
    }
    return object;
  };
}
