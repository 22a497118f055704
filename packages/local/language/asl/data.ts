import { tooDeepAt } from '../../json/depth';
import type { Json } from '../../json/json';

/**
 * A value together with its JSON text as the wire shows it.
 *
 * The service passes an input on as it was written, white space included, until a state makes a new value. The text
 * keeps that, and each value becomes text once instead of once per event.
 */
export interface Data {
  readonly value: Json;
  readonly text: string;
}

/**
 * Data for a value made by a state: its compact JSON text, members in their own order. `before` itself where the text
 * is the same, as most states hand on what they were given: what is kept of an execution has it once then.
 *
 * What no text can be made of, or none that could be read again, counts as too large: it nests too deep.
 */
export function dataOf(value: Json, before?: Data): Data {
  try {
    const text = JSON.stringify(value);
    if (text === before?.text) return before;
    return tooDeepAt(text) === undefined ? { value, text } : unwritable();
  } catch (error) {
    if (error instanceof RangeError) return unwritable();
    throw error;
  }
}

function unwritable(): Data {
  return { value: null, text: `"${' '.repeat(DATA_BYTES_MAX)}"` };
}

/** Bytes of JSON a state may take in or give out, UTF-8 (service quota: 256 KiB). */
export const DATA_BYTES_MAX = 262_144;

/** True when the text needs more than `DATA_BYTES_MAX` bytes in UTF-8. */
export function isTooLarge(text: string): boolean {
  // A UTF-16 unit takes one to three bytes, so most texts are decided by their length alone.
  if (text.length * 3 <= DATA_BYTES_MAX) return false;
  return text.length > DATA_BYTES_MAX || utf8Bytes(text) > DATA_BYTES_MAX;
}

/** Length of the text in bytes, encoded as UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    // A surrogate pair takes four bytes: two for each of its units.
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isSurrogate ? 2 : 3;
  }
  return bytes;
}
