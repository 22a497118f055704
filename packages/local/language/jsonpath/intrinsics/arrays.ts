import { isJsonObject, type Json } from '../../../json/json';
import { isSame } from '../filter';
import { INVALID, type IntrinsicFunction, resultOf } from './result';

/** Items that `States.ArrayRange` makes at most (service quota). */
const RANGE_ITEMS_MAX = 1000;

/** The functions of arrays. Fractions of numbers are cut off, as on the service. */
export const ARRAY_FUNCTIONS = {
  'States.Array': values => resultOf(values),

  'States.ArrayContains': ([items = null, value = null]) =>
    Array.isArray(items) ? resultOf(items.some(item => isSame(item, value))) : INVALID,

  'States.ArrayGetItem': ([items = null, index]) => {
    if (!Array.isArray(items) || typeof index !== 'number') return INVALID;
    // As observed: an empty array has null at every index.
    if (items.length === 0) return resultOf(null);
    const at = Math.trunc(index);
    return at >= 0 && at < items.length ? resultOf(items[at] ?? null) : INVALID;
  },

  'States.ArrayLength': ([items = null]) => (Array.isArray(items) ? resultOf(items.length) : INVALID),

  'States.ArrayPartition': ([items = null, size]) => {
    if (!Array.isArray(items) || typeof size !== 'number' || size < 1) return INVALID;
    const width = Math.trunc(size);
    const count = Math.ceil(items.length / width);
    return resultOf(
      Array.from({ length: count }, (_, index) => items.slice(index * width, (index + 1) * width)),
    );
  },

  'States.ArrayRange': ([start, end, step]) => {
    if (typeof start !== 'number' || typeof end !== 'number' || typeof step !== 'number') return INVALID;
    const [from, to, by] = [Math.trunc(start), Math.trunc(end), Math.trunc(step)];
    if (by === 0) return INVALID;
    const count = Math.max(0, Math.floor((to - from) / by) + 1);
    if (count > RANGE_ITEMS_MAX) return INVALID;
    return resultOf(Array.from({ length: count }, (_, index) => from + index * by));
  },

  'States.ArrayUnique': ([items = null]) => {
    if (!Array.isArray(items)) return INVALID;
    const first = new Map<string, Json>();
    for (const item of items) {
      const key = canonicalText(item);
      if (!first.has(key)) first.set(key, item);
    }
    return resultOf([...first.values()]);
  },
} satisfies { readonly [name: string]: IntrinsicFunction };

/** The same text for values that are the same, whatever the order of members. */
function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`,
  );
  return `{${members.sort().join(',')}}`;
}
