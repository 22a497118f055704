import { HASH_WORDS } from '../model/hash';

/** Of each state: its hash, from which state it was reached first, and by which step. */
const RECORD_WORDS = HASH_WORDS + 2;
/** States of one segment. */
const SEGMENT = 1 << 16;
/** Entries of the first index; it doubles, so that it is never more than about two thirds full. */
const CAPACITY_FIRST = 1 << 16;
const FULL = 0.65;

/** The hash of a number that does not belong to a state yet. */
const NOTHING = new Uint32Array(HASH_WORDS);

/** What a search has seen, in memory that threads can share. */
export interface SeenMemory {
  /** Slots by hash, each with the number of a state and one, or 0. */
  readonly index: Int32Array;
  readonly segments: readonly Uint32Array[];
  /** How many states there are. */
  readonly size: Int32Array;
}

/** Memory for what a search has seen, of nothing yet. */
function newMemory(): SeenMemory {
  return { index: sharedIndex(CAPACITY_FIRST), segments: [], size: sharedIndex(1) };
}

/**
 * Numbers for states by their hashes of 128 bits: two states are taken for one with a probability of about n² / 2^129
 * for n states, below 10^-22 for a hundred million.
 *
 * Several threads may add to the same memory at once; only one may reserve room in it, while all others rest.
 */
export class SeenStates {
  memory: SeenMemory;
  /** A number reserved for a state that another thread added first; the next new state gets it. */
  #spare: number | undefined;
  /** Whether there is more in memory than the index knows of. */
  #isIndexed = true;

  constructor(memory: SeenMemory = newMemory()) {
    this.memory = memory;
  }

  get size(): number {
    return Atomics.load(this.memory.size, 0);
  }

  /** Bytes in use. */
  get bytes(): number {
    const { index, segments } = this.memory;
    return index.byteLength + segments.length * SEGMENT * RECORD_WORDS * 4;
  }

  /** Makes room for so many more states. Other threads must take the new memory before they continue. */
  reserve(states: number): void {
    const { size } = this.memory;
    const most = this.size + states;
    const segments = [...this.memory.segments];
    while (segments.length * SEGMENT < most) segments.push(sharedSegment());
    let capacity = this.memory.index.length;
    while (most > capacity * FULL) capacity *= 2;
    this.memory = { index: this.memory.index, segments, size };
    if (capacity > this.memory.index.length || !this.#isIndexed)
      this.memory = { index: this.#indexed(capacity), segments, size };
  }

  /** All that it has seen, in pieces to be kept elsewhere, with other numbers for the steps. */
  *pieces(stepOf: (step: number) => number): Generator<Uint32Array> {
    const { size } = this;
    for (const [index, segment] of this.memory.segments.entries()) {
      const states = Math.min(SEGMENT, size - index * SEGMENT);
      if (states <= 0) return;
      const piece = segment.slice(0, states * RECORD_WORDS);
      for (let at = HASH_WORDS + 1; at < piece.length; at += RECORD_WORDS) piece[at] = stepOf(piece[at] ?? 0);
      yield piece;
    }
  }

  /** Goes on from the next piece of what another one has seen. Nothing may be added before there is room reserved. */
  restore(piece: Uint32Array): void {
    const segment = sharedSegment();
    segment.set(piece);
    const { index, segments, size } = this.memory;
    Atomics.add(size, 0, piece.length / RECORD_WORDS);
    this.memory = { index, segments: [...segments, segment], size };
    this.#isIndexed = false;
  }

  /**
   * Adds a state that was reached from another one by a step. Gives its number if it is new; if it is known, the
   * complement of its number, which is below 0.
   */
  add(hash: Uint32Array, parent: number, step: number): number {
    const { index } = this.memory;
    const mask = index.length - 1;
    for (let slot = (hash[0] ?? 0) & mask; ; slot = (slot + 1) & mask) {
      let entry = Atomics.load(index, slot);
      if (entry === 0) {
        const number = this.#spare ?? Atomics.add(this.memory.size, 0, 1);
        this.#spare = undefined;
        this.#write(number, hash, parent, step);
        entry = Atomics.compareExchange(index, slot, 0, number + 1);
        if (entry === 0) return number;
        this.#spare = number;
        this.#write(number, NOTHING, 0, 0);
      }
      if (this.#is(entry - 1, hash)) return ~(entry - 1);
    }
  }

  /** The steps from the first state to this one, by their numbers. */
  pathTo(state: number): number[] {
    const path: number[] = [];
    for (let at = state; at > 0; at = this.#word(at, HASH_WORDS)) path.push(this.#word(at, HASH_WORDS + 1));
    return path.reverse();
  }

  #word(state: number, word: number): number {
    return this.memory.segments[Math.floor(state / SEGMENT)]?.[(state % SEGMENT) * RECORD_WORDS + word] ?? 0;
  }

  #write(state: number, hash: Uint32Array, parent: number, step: number): void {
    const segment = this.memory.segments[Math.floor(state / SEGMENT)];
    if (!segment) throw new Error('more states than there was room reserved for');
    const at = (state % SEGMENT) * RECORD_WORDS;
    segment.set(hash, at);
    segment[at + HASH_WORDS] = parent;
    segment[at + HASH_WORDS + 1] = step;
  }

  #is(state: number, hash: Uint32Array): boolean {
    const segment = this.memory.segments[Math.floor(state / SEGMENT)];
    const at = (state % SEGMENT) * RECORD_WORDS;
    return (
      segment?.[at] === hash[0] &&
      segment?.[at + 1] === hash[1] &&
      segment?.[at + 2] === hash[2] &&
      segment?.[at + 3] === hash[3]
    );
  }

  #indexed(capacity: number): Int32Array {
    this.#isIndexed = true;
    const index = sharedIndex(capacity);
    const { size } = this;
    for (let state = 0; state < size; state += 1) {
      if (this.#is(state, NOTHING)) continue;
      let slot = this.#word(state, 0) & (capacity - 1);
      while (index[slot] !== 0) slot = (slot + 1) & (capacity - 1);
      index[slot] = state + 1;
    }
    return index;
  }
}

function sharedIndex(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * 4));
}

function sharedSegment(): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(SEGMENT * RECORD_WORDS * 4));
}
