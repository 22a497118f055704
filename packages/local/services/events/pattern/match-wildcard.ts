import type { Json } from '../../../json/json';
import type { PatternPosition, ValueTest } from './position';

/**
 * Strings of the shape of the operand, where `*` stands for any run of characters, also none.
 *
 * `\*` is an asterisk and `\\` a backslash; any other escape and `**` are problems, as on AWS. AWS also rejects a
 * pattern whose wildcards make its automaton too large; that limit has no published form and is not checked here.
 */
export function wildcardTest(operand: Json, position: PatternPosition): ValueTest | undefined {
  if (typeof operand !== 'string') return position.problem('wildcard match pattern must be a string');
  const pieces = literalPieces(operand, position);
  if (pieces === undefined) return undefined;
  return value => typeof value === 'string' && matchesPieces(pieces, value);
}

/** The literal runs between the wildcards; n wildcards give n + 1 runs, of which any may be empty. */
function literalPieces(shape: string, position: PatternPosition): readonly string[] | undefined {
  const pieces: string[] = [];
  let piece = '';
  for (let index = 0; index < shape.length; index += 1) {
    const character = shape[index];
    const next = shape[index + 1];
    if (character === '*') {
      if (next === '*')
        return position.problem(`Consecutive wildcard characters at pos ${offset(shape, index)}`);
      pieces.push(piece);
      piece = '';
    } else if (character === '\\') {
      if (next !== '*' && next !== '\\')
        return position.problem(`Invalid escape character at pos ${offset(shape, index)}`);
      piece += next;
      index += 1;
    } else {
      piece += character;
    }
  }
  return [...pieces, piece];
}

/** AWS counts bytes, from the quotation mark before the pattern. */
function offset(shape: string, index: number): number {
  return 1 + Buffer.byteLength(shape.slice(0, index));
}

/** Takes each inner run at its first position: enough for `*`, and linear where a regular expression could explode. */
function matchesPieces(pieces: readonly string[], value: string): boolean {
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first)) return false;

  let from = first.length;
  for (const piece of rest) {
    const found = value.indexOf(piece, from);
    if (found === -1) return false;
    from = found + piece.length;
  }
  return value.length - last.length >= from && value.endsWith(last);
}
