import { isJsonObject, type Json } from '../../../json/json';
import type { PatternPosition, ValueTest } from './position';

const CASE = 'equals-ignore-case';

/** Strings that begin with the operand: `{"prefix": "a"}` or `{"prefix": {"equals-ignore-case": "a"}}`. */
export function prefixTest(operand: Json, position: PatternPosition): ValueTest | undefined {
  return edgeTest('prefix', operand, position);
}

/** Strings that end with the operand: `{"suffix": "a"}` or `{"suffix": {"equals-ignore-case": "a"}}`. */
export function suffixTest(operand: Json, position: PatternPosition): ValueTest | undefined {
  return edgeTest('suffix', operand, position);
}

/** Strings that equal the operand except for upper and lower case: `{"equals-ignore-case": "a"}`. */
export function ignoreCaseTest(operand: Json, position: PatternPosition): ValueTest | undefined {
  if (typeof operand !== 'string') return position.problem(`${CASE} match pattern must be a string`);
  return equalsFolded(operand);
}

/** A test for strings that equal `expected` except for upper and lower case. */
export function equalsFolded(expected: string): ValueTest {
  const folded = fold(expected);
  return value => typeof value === 'string' && fold(value) === folded;
}

/** A test for strings that begin (`prefix`) or end (`suffix`) with `edge`. */
export function hasEdge(side: 'prefix' | 'suffix', edge: string): ValueTest {
  if (side === 'prefix') return value => typeof value === 'string' && value.startsWith(edge);
  return value => typeof value === 'string' && value.endsWith(edge);
}

function edgeTest(
  side: 'prefix' | 'suffix',
  operand: Json,
  position: PatternPosition,
): ValueTest | undefined {
  if (typeof operand === 'string') return hasEdge(side, operand);
  if (!isJsonObject(operand)) return position.problem(`${side} match pattern must be a string`);

  const [first, ...others] = Object.entries(operand);
  if (first === undefined) return position.problem(`${side} expression name not found`);
  if (others.length > 0) return position.problem('Only one key allowed in match expression');
  const [name, edge] = first;
  if (name !== CASE) return position.problem(`Unsupported ${side} pattern: ${name}`);
  if (typeof edge !== 'string')
    return position.inside(name).problem(`${CASE} match pattern must be a string`);

  const test = hasEdge(side, fold(edge));
  return value => typeof value === 'string' && test(fold(value));
}

/**
 * Lower case character by character. `toLowerCase` on a whole string looks at neighbours (the final sigma) and may
 * grow it; EventBridge does neither.
 */
function fold(text: string): string {
  let folded = '';
  for (const character of text) {
    const lower = character.toLowerCase();
    folded += lower.length === character.length ? lower : character;
  }
  return folded;
}
