import { JavaRandom } from '../../../json/java-random';
import { isJsonObject, type Json } from '../../../json/json';
import { parseJson } from '../../../json/syntax';
import type { Randomness } from '../evaluation';
import { INVALID, type IntrinsicFunction, type Result, resultOf } from './result';

const INTEGER_MIN = -2_147_483_648;
const INTEGER_MAX = 2_147_483_647;

/** The functions of JSON and of numbers. */
export const JSON_AND_MATH_FUNCTIONS = {
  'States.JsonMerge': ([first = null, second = null, isDeep]) =>
    // The service has no deep merge, and takes whatever is not `true` for a shallow one.
    isJsonObject(first) && isJsonObject(second) && isDeep !== true
      ? resultOf(Object.fromEntries([...Object.entries(first), ...Object.entries(second)]))
      : INVALID,

  'States.JsonToString': ([value = null]) => resultOf(JSON.stringify(value)),

  'States.MathAdd': ([left, right]) => {
    if (typeof left !== 'number' || typeof right !== 'number') return INVALID;
    const [first, second] = [Math.round(left), Math.round(right)];
    return [first, second, first + second].every(isInteger) ? resultOf(first + second + 0) : INVALID;
  },

  'States.MathRandom': ([start, end, seed], randomness) => {
    if (typeof start !== 'number' || typeof end !== 'number') return INVALID;
    if (seed !== undefined && typeof seed !== 'number') return INVALID;
    const [from, to] = [Math.trunc(start), Math.trunc(end)];
    return isInteger(from) && isInteger(to) && from < to
      ? resultOf(from + draw(to - from, seed, randomness))
      : INVALID;
  },

  'States.StringToJson': ([text]) => (typeof text === 'string' ? fromText(text) : INVALID),
} satisfies { readonly [name: string]: IntrinsicFunction };

function isInteger(value: number): boolean {
  return value >= INTEGER_MIN && value <= INTEGER_MAX;
}

/** Uniform in [0, count). */
function draw(count: number, seed: number | undefined, randomness: Randomness): number {
  if (seed === undefined || count > INTEGER_MAX) return Math.floor(randomness.random() * count);
  return new JavaRandom(seed).nextInt(count);
}

function fromText(text: string): Result {
  // As recorded: white space alone is null.
  if (text.trim() === '') return resultOf(null);
  const parsed = parseJson(text);
  if (parsed.kind === 'invalid') return INVALID;
  const value: Json = parsed.value;
  return resultOf(value === 0 ? 0 : value);
}
