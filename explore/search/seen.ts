/** Entries of the first table; it doubles whenever it is more than half full. */
const CAPACITY_FIRST = 1 << 16;
/** 32-bit words of a state's hash. */
const LANES = 4;

/**
 * A set of texts that keeps 128 bits of each: two texts are taken for one with a probability of about n² / 2^129 for n
 * texts, below 10^-24 for ten million.
 */
export class SeenTexts {
  #slots = new Uint32Array(CAPACITY_FIRST * LANES);
  #capacity = CAPACITY_FIRST;
  #size = 0;
  readonly #hash = new Uint32Array(LANES);

  get size(): number {
    return this.#size;
  }

  /** Adds a text; false where it was there already. */
  add(text: string): boolean {
    hashInto(this.#hash, text);
    const isNew = place(this.#slots, this.#capacity, this.#hash);
    if (!isNew) return false;
    this.#size += 1;
    if (this.#size * 2 > this.#capacity) this.#grow();
    return true;
  }

  #grow(): void {
    const capacity = this.#capacity * 2;
    const slots = new Uint32Array(capacity * LANES);
    for (let at = 0; at < this.#slots.length; at += LANES) {
      const hash = this.#slots.subarray(at, at + LANES);
      if (!isEmpty(hash, 0)) place(slots, capacity, hash);
    }
    this.#slots = slots;
    this.#capacity = capacity;
  }
}

/** Puts a hash where it belongs, and says whether it was not there. */
function place(slots: Uint32Array, capacity: number, hash: Uint32Array): boolean {
  let slot = (hash[0] ?? 0) & (capacity - 1);
  for (;;) {
    const at = slot * LANES;
    if (isEmpty(slots, at)) {
      slots.set(hash, at);
      return true;
    }
    if (isAt(slots, at, hash)) return false;
    slot = (slot + 1) & (capacity - 1);
  }
}

function isEmpty(slots: Uint32Array, at: number): boolean {
  return !slots[at] && !slots[at + 1] && !slots[at + 2] && !slots[at + 3];
}

function isAt(slots: Uint32Array, at: number, hash: Uint32Array): boolean {
  for (let lane = 0; lane < LANES; lane += 1) if (slots[at + lane] !== hash[lane]) return false;
  return true;
}

// Four multiply-and-xor lanes over the UTF-16 units, each with constants of its own, mixed with each other at the end.
function hashInto(hash: Uint32Array, text: string): void {
  let [a, b, c, d] = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995) ^ (b >>> 15);
    c = Math.imul(c + unit, 0xcc9e2d51) ^ (c >>> 13);
    d = Math.imul(d ^ (unit + i), 0x1b873593) ^ (d >>> 11);
  }
  hash[0] = mixed(a ^ (d >>> 7));
  hash[1] = mixed(b + Math.imul(a, 0x2545f491));
  hash[2] = mixed(c ^ Math.imul(b, 0x9e3779b1));
  hash[3] = mixed(d + Math.imul(c, 0x85ebca77));
}

function mixed(value: number): number {
  let mixing = value ^ (value >>> 16);
  mixing = Math.imul(mixing, 0x85ebca6b);
  mixing = Math.imul(mixing ^ (mixing >>> 13), 0xc2b2ae35);
  return (mixing ^ (mixing >>> 16)) >>> 0 || 1;
}
