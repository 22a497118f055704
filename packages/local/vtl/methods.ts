import { joined } from './calculate';
import { TemplateError } from './template-error';
import type { Usage } from './usage';
import { areEqual, isHost, textOf, type Value } from './value';

type Method<Of> = (of: Of, args: readonly Value[], usage: Usage) => Value;
type Methods<Of> = ReadonlyMap<string, Method<Of>>;

/**
 * Calls one of the methods that templates use of Java's strings, lists and maps.
 *
 * @throws TemplateError for one that is not built, and beyond the bounds
 */
export function callMethod(of: Value, name: string, args: readonly Value[], usage: Usage): Value {
  if (isHost(of)) {
    const answer = of.call?.(name, args);
    if (answer !== undefined) return answer;
    throw new TemplateError(`there is no method ${name}`);
  }
  const method = methodsOf(of).get(name) ?? ANY.get(name);
  if (typeof of === 'string' && !IMMEDIATE.has(name)) usage.read(of.length);
  if (method) return method(of as never, args, usage);
  throw new TemplateError(`the method ${name} of ${kindOf(of)} is not built`);
}

/** Methods of texts that take no time of their own, however long the text is. */
const IMMEDIATE = new Set(['length', 'isEmpty', 'charAt', 'toString']);

function methodsOf(of: Value): Methods<never> {
  if (typeof of === 'string') return STRING;
  if (Array.isArray(of)) return LIST;
  return of instanceof Map ? MAP : ANY;
}

function kindOf(of: Value): string {
  if (Array.isArray(of)) return 'a list';
  return of instanceof Map ? 'a map' : `a ${typeof of}`;
}

const ANY: Methods<Value> = new Map<string, Method<Value>>([
  ['equals', (of, [other = null], usage) => areEqual(of, other, usage)],
  ['toString', (of, _, usage) => textOf(of, usage)],
]);

const STRING: Methods<string> = new Map<string, Method<string>>([
  ['length', of => of.length],
  ['isEmpty', of => of === ''],
  ['trim', of => of.replace(/^[\0- ]+|[\0- ]+$/g, '')],
  ['toLowerCase', (of, _, usage) => made(of.toLowerCase(), usage)],
  ['toUpperCase', (of, _, usage) => made(of.toUpperCase(), usage)],
  ['contains', (of, args, usage) => of.includes(text(args, 0, usage))],
  ['startsWith', (of, args, usage) => of.startsWith(text(args, 0, usage))],
  ['endsWith', (of, args, usage) => of.endsWith(text(args, 0, usage))],
  ['indexOf', (of, args, usage) => of.indexOf(text(args, 0, usage), optionalIndex(args, 1))],
  ['lastIndexOf', (of, args, usage) => of.lastIndexOf(text(args, 0, usage))],
  ['concat', (of, args, usage) => joined(of, text(args, 0, usage), usage)],
  ['charAt', (of, args) => of.charAt(index(args, 0, of.length - 1))],
  ['substring', substring],
  ['equalsIgnoreCase', (of, args, usage) => of.toLowerCase() === text(args, 0, usage).toLowerCase()],
  [
    'replace',
    (of, args, usage) =>
      of.replaceAll(
        text(args, 0, usage),
        bounded(of, () => text(args, 1, usage), usage),
      ),
  ],
  ['replaceAll', (of, args, usage) => replaced(of, args, 'g', usage)],
  ['replaceFirst', (of, args, usage) => replaced(of, args, '', usage)],
  ['matches', (of, args, usage) => matches(of, text(args, 0, usage), usage)],
  ['split', split],
]);

const LIST: Methods<Value[]> = new Map<string, Method<Value[]>>([
  ['size', of => of.length],
  ['isEmpty', of => of.length === 0],
  ['get', (of, args) => of[index(args, 0, of.length - 1)] ?? null],
  ['contains', (of, [item = null], usage) => of.some(other => areEqual(other, item, usage))],
  ['indexOf', (of, [item = null], usage) => of.findIndex(other => areEqual(other, item, usage))],
  ['add', (of, [item = null]) => of.push(item) > 0],
  ['addAll', addAll],
  ['set', (of, args) => of.splice(index(args, 0, of.length - 1), 1, args[1] ?? null)[0] ?? null],
  ['remove', (of, args) => of.splice(index(args, 0, of.length - 1), 1)[0] ?? null],
]);

const MAP: Methods<Map<string, Value>> = new Map<string, Method<Map<string, Value>>>([
  ['size', of => of.size],
  ['isEmpty', of => of.size === 0],
  ['get', (of, [name = null], usage) => of.get(textOf(name, usage)) ?? null],
  ['getOrDefault', (of, [name = null, otherwise = null], usage) => of.get(textOf(name, usage)) ?? otherwise],
  ['containsKey', (of, [name = null], usage) => of.has(textOf(name, usage))],
  [
    'containsValue',
    (of, [item = null], usage) => listed(of.values(), of, usage).some(other => areEqual(other, item, usage)),
  ],
  ['keySet', (of, _, usage) => listed(of.keys(), of, usage)],
  ['values', (of, _, usage) => listed(of.values(), of, usage)],
  ['entrySet', (of, _, usage) => listed(of, of, usage).map(([key, value]) => entry(key, value))],
  ['put', (of, [name = null, item = null], usage) => put(of, textOf(name, usage), item)],
  ['putAll', (of, [items = null], usage) => putAll(of, items, usage)],
  ['remove', (of, [name = null], usage) => removed(of, textOf(name, usage))],
]);

/** What a map has, as a list that is counted before it is made. */
function listed<Item>(items: Iterable<Item>, { size }: Map<string, Value>, usage: Usage): Item[] {
  usage.step(size);
  return [...items];
}

/** One after the other: as arguments of one call they would have to fit on the stack. */
function addAll(of: Value[], [items = null]: readonly Value[], usage: Usage): boolean {
  const added = Array.isArray(items) ? [...items] : [];
  usage.step(added.length);
  for (const item of added) of.push(item);
  return true;
}

function entry(key: string, value: Value): Value {
  const get = (name: string) => (name === 'key' ? key : name === 'value' ? value : null);
  const call = (name: string) => (name === 'getKey' ? key : name === 'getValue' ? value : undefined);
  return { isHost: true, get, call };
}

function put(of: Map<string, Value>, name: string, item: Value): Value {
  const before = of.get(name) ?? null;
  of.set(name, item);
  return before;
}

function putAll(of: Map<string, Value>, items: Value, usage: Usage): null {
  if (items instanceof Map) for (const [name, item] of listed(items, items, usage)) of.set(name, item);
  return null;
}

function removed(of: Map<string, Value>, name: string): Value {
  const before = of.get(name) ?? null;
  of.delete(name);
  return before;
}

function substring(of: string, args: readonly Value[]): string {
  const from = index(args, 0, of.length);
  return args.length < 2 ? of.slice(from) : of.slice(from, Math.max(from, index(args, 1, of.length)));
}

/** As Java has it: without the empty texts at the end. */
function split(of: string, args: readonly Value[], usage: Usage): Value[] {
  const parts = of.split(expression(text(args, 0, usage), '', usage));
  usage.step(parts.length);
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts;
}

/** In the replacement `$1` is a group, and a backslash takes what follows as it is. */
function replaced(of: string, args: readonly Value[], flags: string, usage: Usage): string {
  const replacement = text(args, 1, usage);
  const replacementFor = (...match: unknown[]) => {
    const filled = (_whole: unknown, plain: unknown, group: unknown) =>
      String(plain ?? match[Number(group)] ?? '');
    return replacement.replace(/\\([\s\S])|\$(\d)/g, bounded('', filled, usage));
  };
  return of.replace(expression(text(args, 0, usage), flags, usage), bounded(of, replacementFor, usage));
}

/** The same replacements, while what they make of a text is not too long: at its bound V8 would end the process. */
function bounded(of: string, replacementFor: (...match: unknown[]) => string, usage: Usage) {
  let characters = of.length;
  usage.make(characters);
  return (...match: unknown[]): string => {
    const replacement = replacementFor(...match);
    characters += replacement.length;
    usage.make(characters, replacement.length);
    return replacement;
  };
}

/** An expression of characters alone, which is looked for without ever going back. */
const PLAIN = /^(?:[^\\^$.*+?()[\]{}|]|\\[^\p{L}\p{N}])*$/u;

function matches(of: string, pattern: string, usage: Usage): boolean {
  return compiled(pattern, usage, source => new RegExp(`^(?:${source})$`)).test(of);
}

/** Java's regular expressions, as far as JavaScript has the same. @throws TemplateError for others */
function expression(pattern: string, flags: string, usage: Usage): RegExp {
  return compiled(pattern, usage, source => new RegExp(source, flags));
}

function compiled(pattern: string, usage: Usage, compile: (source: string) => RegExp): RegExp {
  if (!PLAIN.test(pattern)) usage.search();
  try {
    return compile(pattern);
  } catch {
    throw new TemplateError(`the regular expression ${pattern} is none that is known here`);
  }
}

/** A text that has been made of one that is not too long. */
function made(result: string, usage: Usage): string {
  usage.make(result.length);
  return result;
}

function text(args: readonly Value[], at: number, usage: Usage): string {
  const arg = args[at];
  if (arg === undefined || arg === null) throw new TemplateError(`argument ${at + 1} of a method is missing`);
  return textOf(arg, usage);
}

function optionalIndex(args: readonly Value[], at: number): number {
  return args.length > at ? index(args, at, Number.MAX_SAFE_INTEGER) : 0;
}

function index(args: readonly Value[], at: number, last: number): number {
  const given = args[at];
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= last) return given;
  throw new TemplateError(
    `an index is out of bounds: ${typeof given === 'number' ? given : kindOf(given ?? null)}`,
  );
}
