import { joined } from './calculate';
import { areEqual, isHost, requireLength, TemplateError, textOf, type Value } from './value';

type Method<Of> = (of: Of, args: readonly Value[]) => Value;
type Methods<Of> = ReadonlyMap<string, Method<Of>>;

/**
 * Calls one of the methods that templates use of Java's strings, lists and maps.
 *
 * @throws TemplateError for one that is not built
 */
export function callMethod(of: Value, name: string, args: readonly Value[]): Value {
  if (isHost(of)) {
    const answer = of.call?.(name, args);
    if (answer !== undefined) return answer;
    throw new TemplateError(`there is no method ${name}`);
  }
  const method = methodsOf(of).get(name) ?? ANY.get(name);
  if (method) return method(of as never, args);
  throw new TemplateError(`the method ${name} of ${kindOf(of)} is not built`);
}

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
  ['equals', (of, [other = null]) => areEqual(of, other)],
  ['toString', of => textOf(of)],
]);

const STRING: Methods<string> = new Map<string, Method<string>>([
  ['length', of => of.length],
  ['isEmpty', of => of === ''],
  ['trim', of => of.replace(/^[\0- ]+|[\0- ]+$/g, '')],
  ['toLowerCase', of => of.toLowerCase()],
  ['toUpperCase', of => of.toUpperCase()],
  ['contains', (of, args) => of.includes(text(args, 0))],
  ['startsWith', (of, args) => of.startsWith(text(args, 0))],
  ['endsWith', (of, args) => of.endsWith(text(args, 0))],
  ['indexOf', (of, args) => of.indexOf(text(args, 0), optionalIndex(args, 1))],
  ['lastIndexOf', (of, args) => of.lastIndexOf(text(args, 0))],
  ['concat', (of, args) => joined(of, text(args, 0))],
  ['charAt', (of, args) => of.charAt(index(args, 0, of.length - 1))],
  ['substring', substring],
  ['equalsIgnoreCase', (of, args) => of.toLowerCase() === text(args, 0).toLowerCase()],
  [
    'replace',
    (of, args) =>
      of.replaceAll(
        text(args, 0),
        bounded(of, () => text(args, 1)),
      ),
  ],
  ['replaceAll', (of, args) => replaced(of, args, 'g')],
  ['replaceFirst', (of, args) => replaced(of, args, '')],
  ['matches', (of, args) => expression(`^(?:${text(args, 0)})$`, '').test(of)],
  ['split', split],
]);

const LIST: Methods<Value[]> = new Map<string, Method<Value[]>>([
  ['size', of => of.length],
  ['isEmpty', of => of.length === 0],
  ['get', (of, args) => of[index(args, 0, of.length - 1)] ?? null],
  ['contains', (of, [item = null]) => of.some(other => areEqual(other, item))],
  ['indexOf', (of, [item = null]) => of.findIndex(other => areEqual(other, item))],
  ['add', (of, [item = null]) => of.push(item) > 0],
  ['addAll', (of, [items = null]) => of.push(...(Array.isArray(items) ? items : [])) >= 0],
  ['set', (of, args) => of.splice(index(args, 0, of.length - 1), 1, args[1] ?? null)[0] ?? null],
  ['remove', (of, args) => of.splice(index(args, 0, of.length - 1), 1)[0] ?? null],
]);

const MAP: Methods<Map<string, Value>> = new Map<string, Method<Map<string, Value>>>([
  ['size', of => of.size],
  ['isEmpty', of => of.size === 0],
  ['get', (of, [name = null]) => of.get(textOf(name)) ?? null],
  ['getOrDefault', (of, [name = null, otherwise = null]) => of.get(textOf(name)) ?? otherwise],
  ['containsKey', (of, [name = null]) => of.has(textOf(name))],
  ['containsValue', (of, [item = null]) => [...of.values()].some(other => areEqual(other, item))],
  ['keySet', of => [...of.keys()]],
  ['values', of => [...of.values()]],
  ['entrySet', of => [...of].map(([key, value]) => entry(key, value))],
  ['put', (of, [name = null, item = null]) => put(of, textOf(name), item)],
  ['putAll', (of, [items = null]) => putAll(of, items)],
  ['remove', (of, [name = null]) => removed(of, textOf(name))],
]);

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

function putAll(of: Map<string, Value>, items: Value): null {
  if (items instanceof Map) for (const [name, item] of items) of.set(name, item);
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
function split(of: string, args: readonly Value[]): Value[] {
  const parts = of.split(expression(text(args, 0), ''));
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts;
}

/** In the replacement `$1` is a group, and a backslash takes what follows as it is. */
function replaced(of: string, args: readonly Value[], flags: string): string {
  const replacement = text(args, 1);
  const replacementFor = (...match: unknown[]) => {
    const filled = (_whole: unknown, plain: unknown, group: unknown) =>
      String(plain ?? match[Number(group)] ?? '');
    return replacement.replace(/\\([\s\S])|\$(\d)/g, bounded('', filled));
  };
  return of.replace(expression(text(args, 0), flags), bounded(of, replacementFor));
}

/** The same replacements, while what they make of a text is not too long: at its bound V8 would end the process. */
function bounded(of: string, replacementFor: (...match: unknown[]) => string) {
  let characters = of.length;
  return (...match: unknown[]): string => {
    const replacement = replacementFor(...match);
    characters += replacement.length;
    requireLength(characters);
    return replacement;
  };
}

/** Java's regular expressions, as far as JavaScript has the same. @throws TemplateError for others */
function expression(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    throw new TemplateError(`the regular expression ${pattern} is none that is known here`);
  }
}

function text(args: readonly Value[], at: number): string {
  const arg = args[at];
  if (arg === undefined || arg === null) throw new TemplateError(`argument ${at + 1} of a method is missing`);
  return textOf(arg);
}

function optionalIndex(args: readonly Value[], at: number): number {
  return args.length > at ? index(args, at, Number.MAX_SAFE_INTEGER) : 0;
}

function index(args: readonly Value[], at: number, last: number): number {
  const given = args[at];
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= last) return given;
  throw new TemplateError(`an index is out of bounds: ${textOf(given ?? null)}`);
}
