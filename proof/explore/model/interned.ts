import { HASH_WORDS, Hashes, hashOfText } from './hash';

/** Other numbers for deliveries. */
export interface Renaming {
  /** Which one it is of all that are used. */
  readonly index: number;
  /** The other number of a delivery. */
  readonly numberOf: (delivery: number) => number;
  /** A text with the other numbers; undefined if it holds a hash of an unknown text. */
  readonly textOf: (text: string) => string | undefined;
}

/** Values whose hashes there is room for at first; it doubles when full. */
const CAPACITY_FIRST = 1 << 8;

/**
 * Numbers for values: equal values, by the hash of their JSON text, get the same one. The numbers depend on what came
 * first; the hashes do not.
 */
export class Interned<Value extends object> {
  readonly #values: Value[] = [];
  readonly #numbers = new Map<string, number>();
  // Most values come again as the very same object: their text need not be made again.
  readonly #known = new WeakMap<Value, number>();
  /** The hashes of the values as renamings have them, by the renaming. */
  readonly #renamed: Hashes[] = [];
  #hashes = new Uint32Array(CAPACITY_FIRST * HASH_WORDS);

  numberOf(value: Value): number {
    const met = this.#known.get(value);
    if (met !== undefined) return met;
    const number = this.#numberOfText(value);
    this.#known.set(value, number);
    return number;
  }

  #numberOfText(value: Value): number {
    const at = this.#values.length * HASH_WORDS;
    if (at === this.#hashes.length) {
      const hashes = new Uint32Array(at * 2);
      hashes.set(this.#hashes);
      this.#hashes = hashes;
    }
    hashOfText(JSON.stringify(value), this.#hashes, at);
    const hash = hexadecimal(this.#hashes, at);
    const known = this.#numbers.get(hash);
    if (known !== undefined) return known;
    this.#numbers.set(hash, this.#values.length);
    return this.#values.push(value) - 1;
  }

  /** The value of a number that was given out here. */
  get(number: number): Value {
    const value = this.#values[number];
    if (value === undefined) throw new Error(`nothing has the number ${number}`);
    return value;
  }

  /**
   * Writes the hash of a number's value, its four words, to a place in `words`: of the value as it is, or as a renaming
   * has it. Returns false if it is not known what the renaming makes of the value.
   */
  hashInto(words: Uint32Array, at: number, number: number, renaming?: Renaming): boolean {
    if (renaming) return this.#renamedInto(words, at, number, renaming);
    const from = number * HASH_WORDS;
    words[at] = this.#hashes[from] ?? 0;
    words[at + 1] = this.#hashes[from + 1] ?? 0;
    words[at + 2] = this.#hashes[from + 2] ?? 0;
    words[at + 3] = this.#hashes[from + 3] ?? 0;
    return true;
  }

  #renamedInto(words: Uint32Array, at: number, number: number, { index, textOf }: Renaming): boolean {
    this.#renamed[index] ??= new Hashes();
    const hashes = this.#renamed[index];
    if (!hashes.has(number)) {
      const text = textOf(JSON.stringify(this.get(number)));
      hashes.make(number, hash => {
        if (text !== undefined) hashOfText(text, hash);
        return text !== undefined;
      });
    }
    return hashes.into(words, at, number);
  }

  /** The hashes of all values, in the order of their numbers. */
  hashes(): Uint32Array {
    return this.#hashes.slice(0, this.#values.length * HASH_WORDS);
  }

  get size(): number {
    return this.#values.length;
  }
}

/** The four words of a hash as a text. */
export function hexadecimal(words: Uint32Array, at = 0): string {
  return [0, 1, 2, 3].map(word => (words[at + word] ?? 0).toString(16)).join(' ');
}
