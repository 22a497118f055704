/** 32-bit words of a hash. */
export const HASH_WORDS = 4;

const [C1, C2, C3, C4] = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93];

/** MurmurHash3, x86, 128 bits: the hash of the first `length` words, written into `hash` from `at` on. */
export function hashOfWords(words: Uint32Array, length: number, hash: Uint32Array, at = 0): void {
  let [a, b, c, d] = [0, 0, 0, 0];
  // Words beyond the end count as 0; by the length at the end they differ from words that are 0.
  for (let i = 0; i < length; i += HASH_WORDS) {
    a = rotated(a ^ scrambled(words[i] ?? 0, C1, 15, C2), 19);
    a = (Math.imul((a + b) | 0, 5) + 0x561ccd1b) | 0;
    b = rotated(b ^ scrambled(i + 1 < length ? (words[i + 1] ?? 0) : 0, C2, 16, C3), 17);
    b = (Math.imul((b + c) | 0, 5) + 0x0bcaa747) | 0;
    c = rotated(c ^ scrambled(i + 2 < length ? (words[i + 2] ?? 0) : 0, C3, 17, C4), 15);
    c = (Math.imul((c + d) | 0, 5) + 0x96cd1c35) | 0;
    d = rotated(d ^ scrambled(i + 3 < length ? (words[i + 3] ?? 0) : 0, C4, 18, C1), 13);
    d = (Math.imul((d + a) | 0, 5) + 0x32ac3b17) | 0;
  }
  const bytes = length * 4;
  [a, b, c, d] = [a ^ bytes, b ^ bytes, c ^ bytes, d ^ bytes];
  a = (a + b + c + d) | 0;
  [b, c, d] = [mixed((b + a) | 0), mixed((c + a) | 0), mixed((d + a) | 0)];
  a = mixed(a);
  a = (a + b + c + d) | 0;
  hash[at] = a;
  hash[at + 1] = b + a;
  hash[at + 2] = c + a;
  hash[at + 3] = d + a;
}

function scrambled(word: number, first: number, bits: number, second: number): number {
  const product = Math.imul(word, first);
  return Math.imul((product << bits) | (product >>> (32 - bits)), second);
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function mixed(word: number): number {
  let mixing = word ^ (word >>> 16);
  mixing = Math.imul(mixing, 0x85ebca6b);
  mixing = Math.imul(mixing ^ (mixing >>> 13), 0xc2b2ae35);
  return mixing ^ (mixing >>> 16);
}

/** Hashes by numbers, each worked out once; and of which numbers there is none. */
export class Hashes {
  #words = new Uint32Array(HASH_WORDS << 6);
  /** By number: 0 not worked out, 1 there is one, 2 there is none. */
  #known = new Uint8Array(1 << 6);

  /** Whether it is worked out what hash a number has, or that it has none. */
  has(number: number): boolean {
    return !!this.#known[number];
  }

  /** Writes a number's hash, which is worked out, to a place in `words`; false if there is none. */
  into(words: Uint32Array, at: number, number: number): boolean {
    const from = number * HASH_WORDS;
    for (let word = 0; word < HASH_WORDS; word += 1) words[at + word] = this.#words[from + word] ?? 0;
    return this.#known[number] === 1;
  }

  /** Works a number's hash out: `make` writes it, or says that there is none. */
  make(number: number, make: (hash: Uint32Array) => boolean): void {
    if (number >= this.#known.length) {
      const capacity = 2 ** Math.ceil(Math.log2(number + 1));
      const [words, known] = [new Uint32Array(capacity * HASH_WORDS), new Uint8Array(capacity)];
      words.set(this.#words);
      known.set(this.#known);
      [this.#words, this.#known] = [words, known];
    }
    const hash = new Uint32Array(HASH_WORDS);
    this.#known[number] = make(hash) ? 1 : 2;
    this.#words.set(hash, number * HASH_WORDS);
  }
}

let units = new Uint32Array(1 << 12);

/** The hash of a text, of its UTF-16 units. */
export function hashOfText(text: string, hash: Uint32Array, at = 0): void {
  const length = (text.length + 1) >>> 1;
  if (length >= units.length) units = new Uint32Array(length * 2);
  // A unit beyond the end is not a number, of which the bit operations make 0.
  for (let i = 0; i < length; i += 1) units[i] = text.charCodeAt(2 * i) | (text.charCodeAt(2 * i + 1) << 16);
  units[length] = text.length;
  hashOfWords(units, length + 1, hash, at);
}
