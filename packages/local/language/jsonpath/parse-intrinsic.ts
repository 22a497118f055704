import type { Json } from '../../json/json';
import { readPath } from './parse-path';
import { NotReadable, Reader } from './reader';
import type { Path } from './syntax';

// Intrinsic functions: https://states-language.net/spec.html#intrinsic-functions

/** A call of an intrinsic function. How many arguments it takes shows when it is called, as on the service. */
export interface Intrinsic {
  readonly name: IntrinsicName;
  readonly arguments: readonly Argument[];
  /** As it is written. */
  readonly text: string;
}

export type Argument =
  /** `escaped` is a text with its backslashes, which only the template of `States.Format` needs. */
  | { readonly kind: 'literal'; readonly value: Json; readonly escaped?: string }
  | { readonly kind: 'path'; readonly text: string; readonly path: Path }
  | { readonly kind: 'call'; readonly intrinsic: Intrinsic };

const NAMES = [
  'States.Array',
  'States.ArrayContains',
  'States.ArrayGetItem',
  'States.ArrayLength',
  'States.ArrayPartition',
  'States.ArrayRange',
  'States.ArrayUnique',
  'States.Base64Decode',
  'States.Base64Encode',
  'States.Format',
  'States.Hash',
  'States.JsonMerge',
  'States.JsonToString',
  'States.MathAdd',
  'States.MathRandom',
  'States.StringSplit',
  'States.StringToJson',
  'States.UUID',
] as const;

/** The names of the intrinsic functions. */
export type IntrinsicName = (typeof NAMES)[number];

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
  const name = NAMES.find(known => known === found);
  if (name === undefined) throw new NotReadable(`there is no function '${found}'`);
  reader.skipSpace();
  reader.expect('(');
  const values = readArguments(reader, nesting);
  reader.expect(')');
  return { name, arguments: values, text: reader.text.slice(from, reader.at) };
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
