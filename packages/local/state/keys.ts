/** Digits of a number in a key, so that keys sort as numbers do. */
const NUMBER_DIGITS = 12;

/** `execution` and 7: `execution!000000000007`. */
export function keyOfNumber(name: string, number: number): string {
  return `${name}!${String(number).padStart(NUMBER_DIGITS, '0')}`;
}

/** The last number in a key; 0, which is none that is given, where there is no number. */
export function numberIn(key: string): number {
  return Number(key.slice(key.lastIndexOf('!') + 1)) || 0;
}

/** All keys that begin with a name. `"` is what follows `!`. */
export function under(name: string): { readonly gt: string; readonly lt: string } {
  return { gt: `${name}!`, lt: `${name}"` };
}
