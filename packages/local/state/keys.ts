/** Digits of a number in a key, so that keys sort as numbers do. */
const NUMBER_DIGITS = 12;

/** The key part of a number: `000000000007`. */
export function numberKey(number: number): string {
  return String(number).padStart(NUMBER_DIGITS, '0');
}

/** `execution` and 7: `execution!000000000007`. */
export function keyOfNumber(name: string, number: number): string {
  return `${name}!${numberKey(number)}`;
}

/** The last number in a key, or 0 if the key contains no number. No key is given the number 0. */
export function numberIn(key: string): number {
  return Number(key.slice(key.lastIndexOf('!') + 1)) || 0;
}

/** All keys that begin with a name. `"` is what follows `!`. */
export function under(name: string): { readonly gt: string; readonly lt: string } {
  return { gt: `${name}!`, lt: `${name}"` };
}
