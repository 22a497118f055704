import { Cursor, SyntaxProblem } from './cursor';
import { readExpression, readReference } from './expressions';
import type { Branch, Piece, Pieces, Template } from './syntax';

/** A template, or why it is none that can be evaluated here. */
export type Parsed =
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'problem'; readonly message: string };

/**
 * Parses a mapping template in the Velocity Template Language, as Velocity 1.7 has it. Macros, `#define` and the like
 * are not built.
 */
export function parseTemplate(text: string): Parsed {
  try {
    return { kind: 'template', template: { pieces: readText(text) } };
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'problem', message: 'is nested too deeply' };
    if (!(error instanceof SyntaxProblem)) throw error;
    return { kind: 'problem', message: `is no template in VTL: ${error.message}` };
  }
}

/** Up to what may begin something. */
const PLAIN = /[^$#\\]+/y;
const COMMENT = /##[^\n]*(?:\n|$)|#\*[\s\S]*?\*#/y;
const RAW = /#\[\[([\s\S]*?)\]\]#/y;
const DIRECTIVE = /#(?:\{([a-z]+)\}|([a-z]+))/y;
const NOT_BUILT = new Set(['macro', 'define', 'parse', 'include', 'evaluate', 'stop']);
/** Directives end with their line, where nothing else is in the rest of it. */
const REST_OF_LINE = /[ \t]*\r?\n/y;

/** What ends the pieces that are being read. */
type End = 'end' | 'else' | 'elseif' | 'text';

function readText(text: string): Pieces {
  const cursor = new Cursor(text);
  const { pieces, end } = readPieces(cursor);
  if (end !== 'text') cursor.fail(`#${end} has no #if or #foreach`);
  return pieces;
}

function readPieces(cursor: Cursor): { readonly pieces: Pieces; readonly end: End } {
  const pieces: Piece[] = [];
  while (!cursor.isAtEnd) {
    const plain = cursor.take(PLAIN) ?? cursor.take(RAW);
    if (plain) {
      pieces.push(plain[1] ?? plain[0]);
      continue;
    }
    if (cursor.take(COMMENT)) continue;
    const end = cursor.text[cursor.at] === '#' ? readDirective(cursor, pieces) : undefined;
    if (end === 'read') continue;
    if (end !== undefined) return { pieces, end };
    pieces.push(readReference(cursor, readText) ?? readCharacter(cursor));
  }
  return { pieces, end: 'text' };
}

/** A sign that begins nothing; a reference behind a backslash is text. */
function readCharacter(cursor: Cursor): string {
  const escaped = cursor.take(/\\(\$!?\{?[A-Za-z_])/y);
  return escaped?.[1] ?? cursor.expect(/[\s\S]/y, 'a character')[0];
}

/** `read` for a directive that is among the pieces now, and undefined where there is none. */
function readDirective(cursor: Cursor, pieces: Piece[]): Exclude<End, 'text'> | 'read' | undefined {
  const before = cursor.at;
  const match = cursor.take(DIRECTIVE);
  const name = match?.[1] ?? match?.[2] ?? '';
  switch (name) {
    case 'else':
    case 'end':
      cursor.take(REST_OF_LINE);
      return name;
    case 'elseif':
      return name;
    case 'set':
      pieces.push(readSet(cursor));
      return 'read';
    case 'if':
      pieces.push(readIf(cursor));
      return 'read';
    case 'foreach':
      pieces.push(readForeach(cursor));
      return 'read';
    case 'break':
      cursor.take(REST_OF_LINE);
      pieces.push({ type: 'break' });
      return 'read';
    default:
      if (NOT_BUILT.has(name)) cursor.fail(`the directive #${name}, which is not built, is`);
      cursor.at = before;
      return undefined;
  }
}

function readSet(cursor: Cursor): Piece {
  cursor.expect(/\s*\(\s*/y, '(');
  const target = readReference(cursor, readText) ?? cursor.fail('a reference is missing');
  cursor.expect(/\s*=/y, '=');
  const value = readExpression(cursor, readText);
  closeParenthesis(cursor);
  return { type: 'set', target, value };
}

function readIf(cursor: Cursor): Piece {
  const branches: Branch[] = [];
  for (let begins: End = 'elseif'; begins !== 'end'; ) {
    if (begins === 'text') cursor.fail('#end of an #if is missing');
    const condition = begins === 'elseif' ? readCondition(cursor) : undefined;
    const { pieces, end } = readPieces(cursor);
    branches.push({ ...(condition && { condition }), pieces });
    begins = end;
  }
  return { type: 'if', branches };
}

function readCondition(cursor: Cursor): Branch['condition'] {
  cursor.expect(/\s*\(/y, '(');
  const condition = readExpression(cursor, readText);
  closeParenthesis(cursor);
  return condition;
}

function readForeach(cursor: Cursor): Piece {
  cursor.expect(/\s*\(\s*/y, '(');
  const { name } = readReference(cursor, readText) ?? cursor.fail('a reference is missing');
  cursor.expect(/\s+in\s/y, 'in');
  const over = readExpression(cursor, readText);
  closeParenthesis(cursor);
  const { pieces, end } = readPieces(cursor);
  if (end !== 'end') cursor.fail('#end of a #foreach is missing');
  return { type: 'foreach', name, over, pieces };
}

function closeParenthesis(cursor: Cursor): void {
  cursor.expect(/\s*\)/y, ')');
  cursor.take(REST_OF_LINE);
}
