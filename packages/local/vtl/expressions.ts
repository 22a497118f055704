import type { Cursor } from './cursor';
import type { Expression, Pieces, Reference, Step } from './syntax';

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
export function readExpression(cursor: Cursor, readText: ReadText, level = 0): Expression {
  const operators = LEVELS[level];
  if (operators === undefined) return readUnary(cursor, readText);
  let left = readExpression(cursor, readText, level + 1);
  for (;;) {
    cursor.take(SPACE);
    const sign = cursor.take(operators)?.[0];
    if (sign === undefined) return left;
    const right = readExpression(cursor, readText, level + 1);
    left = { type: 'operation', operator: SIGNS[sign] ?? sign, left, right };
  }
}

function readUnary(cursor: Cursor, readText: ReadText): Expression {
  cursor.take(SPACE);
  if (cursor.take(NOT)) return { type: 'not', of: readUnary(cursor, readText) };
  if (cursor.take(/\(/y)) {
    const inner = readExpression(cursor, readText);
    cursor.expect(/\s*\)/y, ')');
    return inner;
  }
  return readPrimary(cursor, readText);
}

function readPrimary(cursor: Cursor, readText: ReadText): Expression {
  const number = cursor.take(WHOLE_BEFORE_RANGE) ?? cursor.take(NUMBER);
  if (number) return { type: 'constant', value: Number(number[0]) };
  const boolean = cursor.take(BOOLEAN);
  if (boolean) return { type: 'constant', value: boolean[0] === 'true' };
  const single = cursor.take(SINGLE_QUOTED)?.[1];
  if (single !== undefined) return { type: 'constant', value: single.replaceAll("''", "'") };
  const double = cursor.take(DOUBLE_QUOTED)?.[1];
  if (double !== undefined) return { type: 'text', pieces: readText(double.replaceAll('""', '"')) };
  if (cursor.take(/\[/y)) return readList(cursor, readText);
  if (cursor.take(/\{/y)) return readMap(cursor, readText);
  return readReference(cursor, readText) ?? cursor.fail('a value is missing');
}

function readList(cursor: Cursor, readText: ReadText): Expression {
  if (cursor.take(/\s*\]/y)) return { type: 'list', items: [] };
  const first = readExpression(cursor, readText);
  if (cursor.take(/\s*\.\./y)) {
    const to = readExpression(cursor, readText);
    cursor.expect(/\s*\]/y, ']');
    return { type: 'range', from: first, to };
  }
  const items = [first];
  while (cursor.take(/\s*,/y)) items.push(readExpression(cursor, readText));
  cursor.expect(/\s*\]/y, ']');
  return { type: 'list', items };
}

function readMap(cursor: Cursor, readText: ReadText): Expression {
  const members: (readonly [Expression, Expression])[] = [];
  if (cursor.take(/\s*\}/y)) return { type: 'map', members };
  do {
    cursor.take(SPACE);
    const name = cursor.take(NAME)?.[0];
    const key: Expression =
      name === undefined ? readPrimary(cursor, readText) : { type: 'constant', value: name };
    cursor.expect(/\s*:/y, ':');
    members.push([key, readExpression(cursor, readText)]);
  } while (cursor.take(/\s*,/y));
  cursor.expect(/\s*\}/y, '}');
  return { type: 'map', members };
}

/** A reference, where there is one; in a text as far as it can be one. @throws SyntaxProblem within its arguments */
export function readReference(cursor: Cursor, readText: ReadText): Reference | undefined {
  const begun = cursor.take(REFERENCE);
  if (!begun) return undefined;
  const [, brace, name = ''] = begun;
  const steps: Step[] = [];
  for (let step = readStep(cursor, readText); step; step = readStep(cursor, readText)) steps.push(step);
  if (brace !== undefined) cursor.expect(/\}/y, '}');
  return { type: 'reference', name, steps };
}

function readStep(cursor: Cursor, readText: ReadText): Step | undefined {
  const [, name, parenthesis] = cursor.take(MEMBER) ?? [];
  if (name !== undefined) {
    if (parenthesis === undefined) return { type: 'member', name };
    return { type: 'method', name, args: readArguments(cursor, readText) };
  }
  const before = cursor.at;
  if (!cursor.take(/\[/y)) return undefined;
  const at = readExpression(cursor, readText);
  if (cursor.take(/\s*\]/y)) return { type: 'item', at };
  // A bracket of the text around it.
  cursor.at = before;
  return undefined;
}

function readArguments(cursor: Cursor, readText: ReadText): readonly Expression[] {
  if (cursor.take(/\s*\)/y)) return [];
  const args = [readExpression(cursor, readText)];
  while (cursor.take(/\s*,/y)) args.push(readExpression(cursor, readText));
  cursor.expect(/\s*\)/y, ')');
  return args;
}
