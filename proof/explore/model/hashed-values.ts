import { movedEntry } from './entries';
import { HASH_WORDS, Hashes, hashOfWords } from './hash';
import { Interned } from './interned';
import type { View } from './symmetry';

/** Writes the hash of a value, as a view has it, into `hash`; false if the view cannot say what the value is. */
type WriteHash<Value> = (value: Value, hash: Uint32Array, view: View | undefined) => boolean;

/** Numbers for values, with the hashes of the values as they are, and as views have them. */
export class HashedValues<Value extends object> implements Hashed<View> {
  readonly #values = new Interned<Value>();
  /** By the view; of the values as they are at 0. */
  readonly #hashes: Hashes[] = [];
  readonly #write: WriteHash<Value>;

  /** `write` is asked once for each value and view. */
  constructor(write: WriteHash<Value>) {
    this.#write = write;
  }

  numberOf(value: Value): number {
    return this.#values.numberOf(value);
  }

  get(number: number): Value {
    return this.#values.get(number);
  }

  hashInto(words: Uint32Array, at: number, number: number, view?: View): boolean {
    const index = view?.index ?? 0;
    this.#hashes[index] ??= new Hashes();
    const hashes = this.#hashes[index];
    if (!hashes.has(number)) hashes.make(number, hash => this.#write(this.get(number), hash, view));
    return hashes.into(words, at, number);
  }
}

/** What hashes values by their numbers: as they are, or as a view or a renaming has them. */
interface Hashed<As> {
  /** Writes the hash of a number's value to a place in `words`; false if it is not known what the value is then. */
  hashInto(words: Uint32Array, at: number, number: number, as?: As): boolean;
}

/** Words that any element of a list is hashed by. */
const ELEMENT_WORDS_MAX = 16;

/**
 * Writes hashes of lists, which do not depend on the order of their elements. `write` adds the words in which an
 * element differs from others, as a view has it; it returns false if the view cannot say them.
 */
export function listHash<Element>(
  write: (element: Element, words: Words, view: View | undefined) => boolean,
): WriteHash<readonly Element[]> {
  const words = new Words(ELEMENT_WORDS_MAX);
  const hash = new Uint32Array(HASH_WORDS);
  return (list, sum, view) => {
    for (const element of list) {
      words.length = 0;
      if (!write(element, words, view)) return false;
      hashOfWords(words.all, words.length, hash);
      for (let word = 0; word < HASH_WORDS; word += 1) sum[word] = (sum[word] ?? 0) + (hash[word] ?? 0);
    }
    return true;
  };
}

/** Words, written one after another. */
export class Words {
  readonly all: Uint32Array;
  /** How many are written. */
  length = 0;

  constructor(most: number) {
    this.all = new Uint32Array(most);
  }

  add(...words: readonly number[]): void {
    for (const word of words) {
      this.all[this.length] = word;
      this.length += 1;
    }
  }

  /** Adds the two words of a time, in milliseconds. */
  addTime(time: number): void {
    this.add(...lowAndHigh(time));
  }

  /** Adds the words of a hash; false if they are not known. Without anything that has hashes, adds nothing. */
  addHash<As>(of: Hashed<As> | undefined, number = 0, as?: As): boolean {
    if (!of) return as === undefined;
    const isKnown = of.hashInto(this.all, this.length, number, as);
    this.length += HASH_WORDS;
    return isKnown;
  }
}

const WORD = 2 ** 32;

/** A whole number as two words. */
export function lowAndHigh(number: number): [low: number, high: number] {
  return [number >>> 0, Math.floor(number / WORD)];
}

/** The whole number of two words. */
export function ofLowAndHigh(low = 0, high = 0): number {
  return low + high * WORD;
}

/** The place of an execution, or of an entry: its number, or the place in a view. */
export function indexIn(view: View | undefined, entry: number): number {
  return view ? movedEntry(view.places, entry) : entry;
}
