import { isJsonObject, type Json } from '../../json/json';

/** Characters of JSON that one evaluation may make; far more than any state may hand on. */
export const CHARACTERS_MAX = 4 * 1024 * 1024;

/**
 * Whether the JSON text of a value has more than CHARACTERS_MAX characters, about. Parts that are there many times
 * count each time, and no text is made: a few paths can lead to more than there is memory for.
 */
export function isTooLong(value: Json): boolean {
  let left = CHARACTERS_MAX;
  const take = (part: Json): void => {
    if (left < 0) return;
    left -= typeof part === 'string' ? part.length + 2 : 2;
    if (Array.isArray(part)) {
      for (const item of part) take(item);
    } else if (isJsonObject(part)) {
      for (const [name, member] of Object.entries(part)) {
        left -= name.length + 3;
        take(member);
      }
    }
  };
  take(value);
  return left < 0;
}
