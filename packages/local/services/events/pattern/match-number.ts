import type { Json } from '../../../json/json';
import type { PatternPosition, Scalar, ValueTest } from './position';

/** EventBridge compares numbers as integers of millionths, so it takes no more digits and no larger numbers. */
const NUMBER_MAX = 5e9;
const DECIMALS_MAX = 6;
const MILLION = 1e6;

const LOWER_BOUNDS = new Set(['>', '>=']);
const UPPER_BOUNDS = new Set(['<', '<=']);

/**
 * Numbers equal to one value, or within bounds: `["=", 5]`, `["<", 10]`, `[">", 0, "<=", 5]`.
 *
 * A lower bound comes before an upper one, and must be less. Event numbers beyond ±5e9 or with more than six
 * decimals match no range, also not an open one.
 */
export function numericTest(operand: Json, position: PatternPosition): ValueTest | undefined {
  if (!Array.isArray(operand)) return position.problem('Value of numeric must be an array.');
  const terms: readonly Json[] = operand;
  const [operator, operandValue] = terms;
  if (typeof operator !== 'string')
    return position.problem(`Invalid member in numeric match: ${JSON.stringify(operator) ?? ']'}`);
  if (operator !== '=' && !LOWER_BOUNDS.has(operator) && !UPPER_BOUNDS.has(operator))
    return position.problem(`Unrecognized numeric range operator: ${operator}`);
  if (typeof operandValue !== 'number')
    return position.problem(`Value of ${operator === '=' ? 'equals' : operator} must be numeric`);

  const value = comparable(operandValue, position);
  if (value === undefined) return undefined;
  if (LOWER_BOUNDS.has(operator) && terms.length > 2) return rangeTest(operator, value, terms, position);
  if (terms.length > 2) return position.problem('Too many elements in numeric expression');
  return boundTest(operator, value, position);
}

/** True for a number EventBridge can compare: within ±5e9, at most six decimals. */
function isComparable(value: Scalar): value is number {
  if (typeof value !== 'number' || Math.abs(value) > NUMBER_MAX) return false;
  return Math.round(value * MILLION) / MILLION === value;
}

/** A number of a pattern, if EventBridge can compare it; otherwise a problem. */
export function comparable(value: number, position: PatternPosition): number | undefined {
  if (isComparable(value)) return value;
  if (Math.abs(value) > NUMBER_MAX)
    return position.problem(`Value must be between -5.0E9 and 5.0E9, inclusive, got ${value}`);
  return position.problem(`Only values up to ${DECIMALS_MAX} decimals are supported, got ${value}`);
}

function rangeTest(
  operator: string,
  bottom: number,
  terms: readonly Json[],
  position: PatternPosition,
): ValueTest | undefined {
  const [, , upperOperator, upper] = terms;
  if (typeof upperOperator !== 'string')
    return position.problem(`Bad value in numeric range: ${JSON.stringify(upperOperator)}`);
  if (!UPPER_BOUNDS.has(upperOperator))
    return position.problem(`Bad numeric range operator: ${upperOperator}`);
  if (typeof upper !== 'number') return position.problem(`Value of ${upperOperator} must be numeric`);
  if (terms.length > 4) return position.problem('Too many terms in numeric range expression');

  const top = comparable(upper, position);
  if (top === undefined) return undefined;
  if (bottom >= top) return position.problem('Bottom must be less than top');
  const isAbove = comparison(operator, bottom);
  const isBelow = comparison(upperOperator, top);
  return value => isComparable(value) && isAbove(value) && isBelow(value);
}

function boundTest(operator: string, bound: number, position: PatternPosition): ValueTest | undefined {
  // A bound at the end of the comparable numbers is an empty range to EventBridge, even with "or equal".
  const isEmpty =
    (LOWER_BOUNDS.has(operator) && bound === NUMBER_MAX) ||
    (UPPER_BOUNDS.has(operator) && bound === -NUMBER_MAX);
  if (isEmpty) return position.problem('Bottom must be less than top');
  const compare = comparison(operator, bound);
  return value => isComparable(value) && compare(value);
}

function comparison(operator: string, bound: number): (value: number) => boolean {
  if (operator === '>') return value => value > bound;
  if (operator === '>=') return value => value >= bound;
  if (operator === '<') return value => value < bound;
  if (operator === '<=') return value => value <= bound;
  return value => value === bound;
}
