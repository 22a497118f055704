import { Reader } from '../language/index';
import { fail, readExpression, readReference, SyntaxProblem, take } from './expressions';
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
    return { kind: 'problem', message: `is not a valid VTL template: ${error.message}` };
  }
}

/** Up to what may begin something. */
const PLAIN = /[^$#\\]+/y;
const COMMENT = /##[^\n]*(?:\n|$)|#\*[\s\S]*?\*#/y;
const RAW = /#\[\[([\s\S]*?)\]\]#/y;
const DIRECTIVE = /#(?:\{([a-z]+)\}|([a-z]+))/y;
const NOT_BUILT = new Set(['macro', 'define', 'parse', 'include', 'evaluate', 'stop']);
/** Directives end with their line, if the rest of the line is empty. */
const REST_OF_LINE = /[ \t]*\r?\n/y;

/** What ends the pieces that are being read. */
type End = 'end' | 'else' | 'elseif' | 'text';

function readText(text: string): Pieces {
  const reader = new Reader(text);
  const { pieces, end } = readPieces(reader);
  if (end !== 'text') fail(reader, `#${end} has no #if or #foreach`);
  return pieces;
}

function readPieces(reader: Reader): { readonly pieces: Pieces; readonly end: End } {
  const pieces: Piece[] = [];
  while (!reader.isAtEnd) {
    const plain = reader.take(PLAIN) ?? reader.take(RAW);
    if (plain) {
      pieces.push(plain[1] ?? plain[0]);
      continue;
    }
    if (reader.take(COMMENT)) continue;
    const end = reader.text[reader.at] === '#' ? readDirective(reader, pieces) : undefined;
    if (end === 'read') continue;
    if (end !== undefined) return { pieces, end };
    pieces.push(readReference(reader, readText) ?? readCharacter(reader));
  }
  return { pieces, end: 'text' };
}

/** A sign that begins nothing; a reference behind a backslash is text. */
function readCharacter(reader: Reader): string {
  const escaped = reader.take(/\\(\$!?\{?[A-Za-z_])/y);
  return escaped?.[1] ?? take(reader, /[\s\S]/y, 'a character')[0];
}

/** `read` for a directive that is among the pieces now, and undefined where there is none. */
function readDirective(reader: Reader, pieces: Piece[]): Exclude<End, 'text'> | 'read' | undefined {
  const before = reader.at;
  const match = reader.take(DIRECTIVE);
  const name = match?.[1] ?? match?.[2] ?? '';
  switch (name) {
    case 'else':
    case 'end':
      reader.take(REST_OF_LINE);
      return name;
    case 'elseif':
      return name;
    case 'set':
      pieces.push(readSet(reader));
      return 'read';
    case 'if':
      pieces.push(readIf(reader));
      return 'read';
    case 'foreach':
      pieces.push(readForeach(reader));
      return 'read';
    case 'break':
      reader.take(REST_OF_LINE);
      pieces.push({ type: 'break' });
      return 'read';
    default:
      if (NOT_BUILT.has(name)) fail(reader, `the directive #${name}, which is not built, is`);
      reader.at = before;
      return undefined;
  }
}

function readSet(reader: Reader): Piece {
  take(reader, /\s*\(\s*/y, '(');
  const target = readReference(reader, readText) ?? fail(reader, 'a reference is missing');
  take(reader, /\s*=/y, '=');
  const value = readExpression(reader, readText);
  closeParenthesis(reader);
  return { type: 'set', target, value };
}

function readIf(reader: Reader): Piece {
  const branches: Branch[] = [];
  for (let begins: End = 'elseif'; begins !== 'end'; ) {
    if (begins === 'text') fail(reader, '#end of an #if is missing');
    const condition = begins === 'elseif' ? readCondition(reader) : undefined;
    const { pieces, end } = readPieces(reader);
    branches.push({ ...(condition && { condition }), pieces });
    begins = end;
  }
  return { type: 'if', branches };
}

function readCondition(reader: Reader): Branch['condition'] {
  take(reader, /\s*\(/y, '(');
  const condition = readExpression(reader, readText);
  closeParenthesis(reader);
  return condition;
}

function readForeach(reader: Reader): Piece {
  take(reader, /\s*\(\s*/y, '(');
  const { name } = readReference(reader, readText) ?? fail(reader, 'a reference is missing');
  take(reader, /\s+in\s/y, 'in');
  const over = readExpression(reader, readText);
  closeParenthesis(reader);
  const { pieces, end } = readPieces(reader);
  if (end !== 'end') fail(reader, '#end of a #foreach is missing');
  return { type: 'foreach', name, over, pieces };
}

function closeParenthesis(reader: Reader): void {
  take(reader, /\s*\)/y, ')');
  reader.take(REST_OF_LINE);
}
