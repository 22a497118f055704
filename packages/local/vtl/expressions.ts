import type { Reader } from '../language/index';
import type { Expression, Pieces, Reference, Step } from './syntax';

/** Why a text is not a template, in words with the line. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
}

/** Reads a required part. @throws SyntaxProblem if it is absent */
export function take(reader: Reader, pattern: RegExp, what: string): RegExpExecArray {
  return reader.take(pattern) ?? fail(reader, `${what} is missing`);
}

/** @throws SyntaxProblem with the line */
export function fail({ text, at }: Reader, message: string): never {
  const line = text.slice(0, at).split('\n').length;
  throw new SyntaxProblem(`${message} in line ${line}`);
}

/** How the text between double quotes is read. */
export type ReadText = (text: string) => Pieces;

const SPACE = /\s*/y;
/** From the loosest to the tightest: each level's operators, in signs and in letters. */
const LEVELS: readonly RegExp[] = [
  /\|\||or\b/y,
  /&&|and\b/y,
  /==|!=|(?:eq|ne)\b/y,
  /<=|>=|<|>|(?:lt|le|gt|ge)\b/y,
  /[+-]/y,
  /[*/%]/y,
];
/** What the operators in letters stand for. */
const SIGNS: Readonly<Record<string, string>> = {
  or: '||',
  and: '&&',
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
};
const NOT = /!|not\b/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A range has two dots after a whole number, which are not its fraction. */
const WHOLE_BEFORE_RANGE = /-?\d+(?=\s*\.\.)/y;
const BOOLEAN = /(?:true|false)\b/y;
const SINGLE_QUOTED = /'((?:[^']|'')*)'/y;
const DOUBLE_QUOTED = /"((?:[^"]|"")*)"/y;
const REFERENCE = /\$!?(\{)?([A-Za-z_][\w-]*)/y;
const MEMBER = /\.([A-Za-z_][\w-]*)(\s*\()?/y;
const NAME = /[A-Za-z_][\w-]*/y;

/** An expression, up to what cannot belong to it. @throws SyntaxProblem */
export function readExpression(reader: Reader, readText: ReadText, level = 0): Expression {
  const operators = LEVELS[level];
  if (operators === undefined) return readUnary(reader, readText);
  let left = readExpression(reader, readText, level + 1);
  for (;;) {
    reader.take(SPACE);
    const sign = reader.take(operators)?.[0];
    if (sign === undefined) return left;
    const right = readExpression(reader, readText, level + 1);
    left = { type: 'operation', operator: SIGNS[sign] ?? sign, left, right };
  }
}

function readUnary(reader: Reader, readText: ReadText): Expression {
  reader.take(SPACE);
  if (reader.take(NOT)) return { type: 'not', of: readUnary(reader, readText) };
  if (reader.take(/\(/y)) {
    const inner = readExpression(reader, readText);
    take(reader, /\s*\)/y, ')');
    return inner;
  }
  return readPrimary(reader, readText);
}

function readPrimary(reader: Reader, readText: ReadText): Expression {
  const number = reader.take(WHOLE_BEFORE_RANGE) ?? reader.take(NUMBER);
  if (number) return { type: 'constant', value: Number(number[0]) };
  const boolean = reader.take(BOOLEAN);
  if (boolean) return { type: 'constant', value: boolean[0] === 'true' };
  const single = reader.take(SINGLE_QUOTED)?.[1];
  if (single !== undefined) return { type: 'constant', value: single.replaceAll("''", "'") };
  const double = reader.take(DOUBLE_QUOTED)?.[1];
  if (double !== undefined) return { type: 'text', pieces: readText(double.replaceAll('""', '"')) };
  if (reader.take(/\[/y)) return readList(reader, readText);
  if (reader.take(/\{/y)) return readMap(reader, readText);
  return readReference(reader, readText) ?? fail(reader, 'a value is missing');
}

function readList(reader: Reader, readText: ReadText): Expression {
  if (reader.take(/\s*\]/y)) return { type: 'list', items: [] };
  const first = readExpression(reader, readText);
  if (reader.take(/\s*\.\./y)) {
    const to = readExpression(reader, readText);
    take(reader, /\s*\]/y, ']');
    return { type: 'range', from: first, to };
  }
  const items = [first];
  while (reader.take(/\s*,/y)) items.push(readExpression(reader, readText));
  take(reader, /\s*\]/y, ']');
  return { type: 'list', items };
}

function readMap(reader: Reader, readText: ReadText): Expression {
  const members: (readonly [Expression, Expression])[] = [];
  if (reader.take(/\s*\}/y)) return { type: 'map', members };
  do {
    reader.take(SPACE);
    const name = reader.take(NAME)?.[0];
    const key: Expression =
      name === undefined ? readPrimary(reader, readText) : { type: 'constant', value: name };
    take(reader, /\s*:/y, ':');
    members.push([key, readExpression(reader, readText)]);
  } while (reader.take(/\s*,/y));
  take(reader, /\s*\}/y, '}');
  return { type: 'map', members };
}

/** A reference, if there is one; in a text as far as it can be one. @throws SyntaxProblem within its arguments */
export function readReference(reader: Reader, readText: ReadText): Reference | undefined {
  const begun = reader.take(REFERENCE);
  if (!begun) return undefined;
  const [, brace, name = ''] = begun;
  const steps: Step[] = [];
  for (let step = readStep(reader, readText); step; step = readStep(reader, readText)) steps.push(step);
  if (brace !== undefined) take(reader, /\}/y, '}');
  return { type: 'reference', name, steps };
}

function readStep(reader: Reader, readText: ReadText): Step | undefined {
  const [, name, parenthesis] = reader.take(MEMBER) ?? [];
  if (name !== undefined) {
    if (parenthesis === undefined) return { type: 'member', name };
    return { type: 'method', name, args: readArguments(reader, readText) };
  }
  const before = reader.at;
  if (!reader.take(/\[/y)) return undefined;
  const at = readExpression(reader, readText);
  if (reader.take(/\s*\]/y)) return { type: 'item', at };
  // A bracket of the text around it.
  reader.at = before;
  return undefined;
}

function readArguments(reader: Reader, readText: ReadText): readonly Expression[] {
  if (reader.take(/\s*\)/y)) return [];
  const args = [readExpression(reader, readText)];
  while (reader.take(/\s*,/y)) args.push(readExpression(reader, readText));
  take(reader, /\s*\)/y, ')');
  return args;
}
