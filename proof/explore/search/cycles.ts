/** Entries to begin with; it doubles when full. */
const CAPACITY_FIRST = 1 << 16;

/** All transitions from state to state, by their numbers: what shows whether a path leads back to where it began. */
export class TransitionGraph {
  #from = new Uint32Array(CAPACITY_FIRST);
  #to = new Uint32Array(CAPACITY_FIRST);
  #size = 0;

  /** A transition from a state to another one, or back to the same. */
  add(from: number, to: number): void {
    if (this.#size === this.#from.length) {
      this.#from = doubled(this.#from);
      this.#to = doubled(this.#to);
    }
    this.#from[this.#size] = from;
    this.#to[this.#size] = to;
    this.#size += 1;
  }

  /**
   * States that lead from one to the next and from the last to the first; undefined where every path has an end.
   * `states` is how many there are.
   */
  cycle(states: number): readonly number[] | undefined {
    const isLeft = this.#withoutEnds(states);
    const start = isLeft.indexOf(1);
    if (start < 0) return undefined;
    // From each state that is left a transition leads to another one that is.
    const next = new Map<number, number>();
    for (let at = 0; at < this.#size; at += 1) {
      const [from, to] = [this.#from[at] ?? 0, this.#to[at] ?? 0];
      if (isLeft[from] && isLeft[to]) next.set(from, to);
    }
    const path: number[] = [];
    let state = start;
    for (; !path.includes(state); state = next.get(state) ?? start) path.push(state);
    return path.slice(path.indexOf(state));
  }

  /** Takes the states away from which nothing leads on, again and again; marks those that are left. */
  #withoutEnds(states: number): Uint8Array {
    const out = new Uint32Array(states);
    const firsts = new Uint32Array(states + 1);
    for (let at = 0; at < this.#size; at += 1) {
      out[this.#from[at] ?? 0] = (out[this.#from[at] ?? 0] ?? 0) + 1;
      firsts[(this.#to[at] ?? 0) + 1] = (firsts[(this.#to[at] ?? 0) + 1] ?? 0) + 1;
    }
    for (let state = 0; state < states; state += 1)
      firsts[state + 1] = (firsts[state + 1] ?? 0) + (firsts[state] ?? 0);
    const before = this.#sortedBy(firsts);
    const isLeft = new Uint8Array(states).fill(1);
    const ends: number[] = [];
    for (let state = 0; state < states; state += 1) if (!out[state]) ends.push(state);
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
      isLeft[end] = 0;
      for (let at = firsts[end] ?? 0; at < (firsts[end + 1] ?? 0); at += 1) {
        const from = before[at] ?? 0;
        out[from] = (out[from] ?? 0) - 1;
        if (out[from] === 0) ends.push(from);
      }
    }
    return isLeft;
  }

  /** The states before each one, those before the first one first; `firsts` says where each one's begin. */
  #sortedBy(firsts: Uint32Array): Uint32Array {
    const next = firsts.slice();
    const before = new Uint32Array(this.#size);
    for (let at = 0; at < this.#size; at += 1) {
      const to = this.#to[at] ?? 0;
      before[next[to] ?? 0] = this.#from[at] ?? 0;
      next[to] = (next[to] ?? 0) + 1;
    }
    return before;
  }
}

function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const twice = new Uint32Array(array.length * 2);
  twice.set(array);
  return twice;
}
