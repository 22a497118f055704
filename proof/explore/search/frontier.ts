/** Words of one chunk. */
const CHUNK_WORDS = 1 << 18;

/** A piece of what waits to be explored: packed states, each after its number; `length` words count. */
export interface Chunk {
  readonly words: Uint32Array;
  readonly length: number;
}

/** Packed states that wait to be explored, each after its number, in the order in which they were found. */
export class Frontier {
  readonly #chunks: { words: Uint32Array; length: number }[] = [];
  size = 0;

  /** Adds a state: its number, and the first `length` words. */
  add(number: number, words: Uint32Array, length: number): void {
    let chunk = this.#chunks.at(-1);
    if (!chunk || chunk.length + length + 1 > CHUNK_WORDS) {
      chunk = { words: new Uint32Array(CHUNK_WORDS), length: 0 };
      this.#chunks.push(chunk);
    }
    chunk.words[chunk.length] = number;
    for (let i = 0; i < length; i += 1) chunk.words[chunk.length + 1 + i] = words[i] ?? 0;
    chunk.length += length + 1;
    this.size += 1;
  }

  /** Chunks of states, to be read from the first on; each is let go once the next is asked for. */
  takeChunk(): Chunk | undefined {
    return this.#chunks.shift();
  }

  /** The chunks that were not taken. */
  get chunks(): readonly Chunk[] {
    return this.#chunks;
  }

  get bytes(): number {
    return this.#chunks.length * CHUNK_WORDS * 4;
  }
}
