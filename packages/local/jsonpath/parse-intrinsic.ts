import type { Json } from '../json/json';
import { readPath } from './parse-path';
import { NotReadable, Reader } from './reader';
import type { Path } from './syntax';

// Intrinsic functions: https://states-language.net/spec.html#intrinsic-functions

/** A call of an intrinsic function. */
export interface Intrinsic {
  readonly name: IntrinsicName;
  readonly arguments: readonly Argument[];
  /** As it is written. */
  readonly text: string;
}

/** What a function is called with. */
export type Argument =
  /** `escaped` is a text with its backslashes, which only the template of `States.Format` needs. */
  | { readonly kind: 'literal'; readonly value: Json; readonly escaped?: string }
  | { readonly kind: 'path'; readonly text: string; readonly path: Path }
  | { readonly kind: 'call'; readonly intrinsic: Intrinsic };

/** Arguments that each function takes: at least, and at most. */
const ARGUMENTS = {
  'States.Array': [0, Number.POSITIVE_INFINITY],
  'States.ArrayContains': [2, 2],
  'States.ArrayGetItem': [2, 2],
  'States.ArrayLength': [1, 1],
  'States.ArrayPartition': [2, 2],
  'States.ArrayRange': [3, 3],
  'States.ArrayUnique': [1, 1],
  'States.Base64Decode': [1, 1],
  'States.Base64Encode': [1, 1],
  'States.Format': [1, Number.POSITIVE_INFINITY],
  'States.Hash': [2, 2],
  'States.JsonMerge': [3, 3],
  'States.JsonToString': [1, 1],
  'States.MathAdd': [2, 2],
  'States.MathRandom': [2, 3],
  'States.StringSplit': [2, 2],
  'States.StringToJson': [1, 1],
  'States.UUID': [0, 0],
} as const;

/** The names of the intrinsic functions. */
export type IntrinsicName = keyof typeof ARGUMENTS;

/** A call, or why the text is none. */
export type ParsedIntrinsic =
  | { readonly kind: 'intrinsic'; readonly intrinsic: Intrinsic }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Reads a call of an intrinsic function, with the calls in its arguments. */
export function parseIntrinsic(text: string): ParsedIntrinsic {
  const reader = new Reader(text);
  try {
    const intrinsic = readCall(reader, 1);
    if (reader.isAtEnd) return { kind: 'intrinsic', intrinsic };
    return { kind: 'invalid', reason: reader.unexpected('expected the end').message };
  } catch (error) {
    if (error instanceof NotReadable) return { kind: 'invalid', reason: error.message };
    throw error;
  }
}

/** Calls within one another (service quota). */
const NESTING_MAX = 10;
const NAME = /States\.\w+/y;

function readCall(reader: Reader, nesting: number): Intrinsic {
  if (nesting > NESTING_MAX) throw new NotReadable(`at most ${NESTING_MAX} functions within one another`);
  const from = reader.at;
  const found = reader.match(NAME);
  if (!isIntrinsicName(found)) throw new NotReadable(`there is no function '${found}'`);
  reader.skipSpace();
  reader.expect('(');
  const values = readArguments(reader, nesting);
  reader.expect(')');
  const [least, most] = ARGUMENTS[found];
  if (values.length < least || values.length > most) {
    throw new NotReadable(`${found} does not take ${values.length} arguments`);
  }
  return { name: found, arguments: values, text: reader.text.slice(from, reader.at) };
}

function isIntrinsicName(name: string): name is IntrinsicName {
  return Object.hasOwn(ARGUMENTS, name);
}

function readArguments(reader: Reader, nesting: number): readonly Argument[] {
  const values: Argument[] = [];
  reader.skipSpace();
  if (reader.next === ')') return values;
  do {
    reader.skipSpace();
    values.push(readArgument(reader, nesting));
    reader.skipSpace();
  } while (reader.takes(','));
  return values;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /(?:true|false|null)\b/y;
/** Quoted text: what may follow a backslash is itself, or nothing the service accepts. */
const TEXT = /'(?:[^'\\]|\\['{}\\])*'/y;

function readArgument(reader: Reader, nesting: number): Argument {
  if (reader.next === '$') {
    const from = reader.at;
    const path = readPath(reader);
    return { kind: 'path', text: reader.text.slice(from, reader.at), path };
  }
  if (reader.next === 'S') return { kind: 'call', intrinsic: readCall(reader, nesting + 1) };
  const text = reader.match(TEXT);
  if (text !== '') {
    const escaped = text.slice(1, -1);
    return { kind: 'literal', value: escaped.replaceAll(/\\(.)/g, '$1'), escaped };
  }
  const json = reader.match(NUMBER) || reader.match(WORD);
  if (json === '') throw reader.unexpected('expected an argument');
  return { kind: 'literal', value: JSON.parse(json) };
}
