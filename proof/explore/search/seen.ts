/** Entries of the first table; it doubles whenever it is more than half full. */
const CAPACITY_FIRST = 1 << 16;
/** 32-bit words of a state's hash. */
const LANES = 4;

/**
 * Numbers for texts, in the order in which they came first. 128 bits of each text are kept: two texts are taken for
 * one with a probability of about n² / 2^129 for n texts, below 10^-24 for ten million.
 */
export class SeenTexts {
  #slots = new Uint32Array(CAPACITY_FIRST * LANES);
  #numbers = new Uint32Array(CAPACITY_FIRST);
  #capacity = CAPACITY_FIRST;
  #size = 0;
  readonly #hash = new Uint32Array(LANES);

  get size(): number {
    return this.#size;
  }

  /** The number of a text; the size before where it is new. */
  numberOf(text: string): number {
    hashInto(this.#hash, text);
    const slot = slotOf(this.#slots, this.#capacity, this.#hash);
    if (!isEmpty(this.#slots, slot * LANES)) return this.#numbers[slot] ?? 0;
    const number = this.#size;
    this.#slots.set(this.#hash, slot * LANES);
    this.#numbers[slot] = number;
    this.#size += 1;
    if (this.#size * 2 > this.#capacity) this.#grow();
    return number;
  }

  #grow(): void {
    const capacity = this.#capacity * 2;
    const [slots, numbers] = [new Uint32Array(capacity * LANES), new Uint32Array(capacity)];
    for (const [slot, number] of this.#numbers.entries()) {
      const hash = this.#slots.subarray(slot * LANES, (slot + 1) * LANES);
      if (isEmpty(hash, 0)) continue;
      const other = slotOf(slots, capacity, hash);
      slots.set(hash, other * LANES);
      numbers[other] = number;
    }
    [this.#slots, this.#numbers, this.#capacity] = [slots, numbers, capacity];
  }
}

/** Where a hash is, or is to be put. */
function slotOf(slots: Uint32Array, capacity: number, hash: Uint32Array): number {
  let slot = (hash[0] ?? 0) & (capacity - 1);
  while (!isEmpty(slots, slot * LANES) && !isAt(slots, slot * LANES, hash))
    slot = (slot + 1) & (capacity - 1);
  return slot;
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
