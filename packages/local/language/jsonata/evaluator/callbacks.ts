import { LIST_ITEMS_MAX } from '../limits';
import { requireReplaceable } from '../texts';
import { Builtin, call, Handed } from './callables';
import { NATIVES, type Native } from './natives';
import { Pattern } from './pattern';
import { type Frame, GIVE_UP, type Run, sequenceOf } from './run';

type BuiltinRun = (args: readonly unknown[], frame: Frame) => unknown;

const RUNS: Readonly<Record<string, BuiltinRun>> = {
  map,
  filter,
  reduce,
  each,
  sift,
  sort,
  contains,
  replace,
  split,
};

/** Built-in functions that the interpreter runs as promises, since they may call back; with its own signatures. */
const BUILTINS: ReadonlyMap<string, Builtin> = new Map(Object.entries(RUNS).map(builtin));

function builtin([name, run]: [string, BuiltinRun]): [string, Builtin] {
  const native = NATIVES.get(name);
  if (!native) throw new Error(`the interpreter has no $${name}`);
  return [name, new Builtin(name, native, run)];
}

/** All built-in functions by name. */
export const FUNCTIONS: ReadonlyMap<string, Native> = new Map<string, Native>([...NATIVES, ...BUILTINS]);

function map([items, fn]: readonly unknown[], frame: Frame): unknown {
  if (items === undefined) return undefined;
  const mapped = sequenceOf();
  const list = listIn(items);
  for (let index = 0; index < list.length; index += 1) {
    const value = callBack(fn, list[index], index, items, frame);
    if (value !== undefined) mapped.push(value);
  }
  return mapped;
}

function filter([items, fn]: readonly unknown[], frame: Frame): unknown {
  if (items === undefined) return undefined;
  const selected = sequenceOf();
  const list = listIn(items);
  for (let index = 0; index < list.length; index += 1) {
    if (isTrue(callBack(fn, list[index], index, items, frame), frame)) selected.push(list[index]);
  }
  return selected;
}

function reduce([items, fn, initial]: readonly unknown[], frame: Frame): unknown {
  if (items === undefined) return undefined;
  if (!(fn instanceof Handed) || fn.arity < 2) throw GIVE_UP;
  const list = listIn(items);
  const isFirst = initial === undefined && list.length > 0;
  let value = isFirst ? list[0] : initial;
  for (let index = isFirst ? 1 : 0; index < list.length; index += 1) {
    const all = [value, list[index], index, items];
    value = call(fn, all.slice(0, Math.max(2, Math.min(fn.arity, all.length))), null, frame);
  }
  return value;
}

function each([object, fn]: readonly unknown[], frame: Frame): unknown {
  const values = sequenceOf();
  for (const [key, member] of membersIn(object)) {
    const value = callBack(fn, member, key, object, frame);
    if (value !== undefined) values.push(value);
  }
  return values;
}

function sift([object, fn]: readonly unknown[], frame: Frame): unknown {
  const selected = membersIn(object).filter(([key, member]) =>
    isTrue(callBack(fn, member, key, object, frame), frame),
  );
  return selected.length === 0 ? undefined : Object.fromEntries(selected);
}

/** Only without a comparator, which may answer anything. */
function sort([items, comparator]: readonly unknown[]): unknown {
  if (items === undefined) return undefined;
  if (comparator !== undefined) throw GIVE_UP;
  const list = listIn(items);
  if (list.length <= 1) return items;
  const isSortable = (type: string) => list.every(item => typeof item === type);
  if (!isSortable('string') && !(isSortable('number') && list.every(Number.isFinite))) throw GIVE_UP;
  const sortable = list as readonly string[];
  return [...sortable].sort((a, b) => (a > b ? 1 : a < b ? -1 : 0));
}

function contains([text, token]: readonly unknown[], { run }: Frame): unknown {
  if (text === undefined || token === undefined) return undefined;
  if (typeof text !== 'string') throw GIVE_UP;
  if (typeof token === 'string') return text.includes(token);
  if (!(token instanceof Pattern)) throw GIVE_UP;
  spendOn(token, text, run);
  return token.isIn(text);
}

/** Replaces a text, or the matches of a pattern, with a text. */
function replace([text, pattern, replacement, limit]: readonly unknown[], { run }: Frame): unknown {
  if (text === undefined) return undefined;
  if (pattern instanceof Pattern && typeof text === 'string' && typeof replacement === 'string') {
    if (limit !== undefined) throw GIVE_UP;
    spendOn(pattern, text, run);
    return pattern.replacedIn(text, replacement, work => run.spend(work));
  }
  const areTexts = [text, pattern, replacement].every(part => typeof part === 'string');
  if (!areTexts || pattern === '' || limit !== undefined) throw GIVE_UP;
  requireReplaceable(String(text), String(pattern), String(replacement));
  if (!String(text).includes(String(pattern))) return text;
  return String(text).split(String(pattern)).join(String(replacement));
}

/** The work of one step of a search, which takes some nanoseconds. */
const STEP_WORK = 0.25;

/** Counts a search as work in a shared thread, which gives up on long ones. */
function spendOn(pattern: Pattern, text: string, run: Run): void {
  if (run.time === 'shared') run.spend(pattern.waysIn(text.length) * STEP_WORK);
}

/** Only at a text, and without a limit. */
function split([text, separator, limit]: readonly unknown[]): unknown {
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || typeof separator !== 'string' || limit !== undefined) throw GIVE_UP;
  const parts = text.split(separator);
  if (parts.length > LIST_ITEMS_MAX) throw GIVE_UP;
  return parts;
}

/** Hands over as many arguments as the function has parameters, the first one always. */
function callBack(fn: unknown, item: unknown, place: unknown, all: unknown, frame: Frame): unknown {
  if (!(fn instanceof Handed)) throw GIVE_UP;
  const { arity } = fn;
  const args = arity < 2 ? [item] : arity === 2 ? [item, place] : [item, place, all];
  return call(fn, args, null, frame);
}

function isTrue(value: unknown, frame: Frame): boolean {
  const boolean = NATIVES.get('boolean');
  if (typeof value === 'boolean') return value;
  if (!boolean) throw GIVE_UP;
  return boolean.implementation.call({ frame }, value) === true;
}

function listIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw GIVE_UP;
  return value;
}

function membersIn(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw GIVE_UP;
  return Object.entries(value);
}
