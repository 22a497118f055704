/** Transitions of one segment, two words each. */
const SEGMENT = 1 << 16;
/** Bytes that a transition takes. */
export const TRANSITION_BYTES = 8;

/** Transitions from state to state, by their numbers: they show whether a path leads back to where it began. */
export class TransitionGraph {
  readonly #segments: Uint32Array<ArrayBuffer>[] = [];
  #size = 0;

  /** A transition from a state to another one, or back to the same. */
  add(from: number, to: number): void {
    const at = (this.#size % SEGMENT) * 2;
    if (at === 0) this.#segments.push(new Uint32Array(SEGMENT * 2));
    const segment = this.#segments.at(-1);
    if (!segment) return;
    segment[at] = from;
    segment[at + 1] = to;
    this.#size += 1;
  }

  /** All transitions, in pieces: the number of a state, then that of the next one. */
  get pieces(): readonly Uint32Array[] {
    const last = this.#segments.at(-1)?.subarray(0, (this.#size - (this.#segments.length - 1) * SEGMENT) * 2);
    return last ? [...this.#segments.slice(0, -1), last] : [];
  }
}

/**
 * States that lead from one to the next and from the last to the first; undefined if every path has an end. `states` is
 * how many there are.
 */
export function cycleIn(pieces: readonly Uint32Array[], states: number): readonly number[] | undefined {
  const isLeft = withoutEnds(pieces, states);
  const start = isLeft.indexOf(1);
  if (start < 0) return undefined;
  // From each state that is left a transition leads to another one that is.
  const next = new Map<number, number>();
  forEach(pieces, (from, to) => {
    if (isLeft[from] && isLeft[to]) next.set(from, to);
  });
  const path: number[] = [];
  let state = start;
  for (; !path.includes(state); state = next.get(state) ?? start) path.push(state);
  return path.slice(path.indexOf(state));
}

function forEach(pieces: readonly Uint32Array[], visit: (from: number, to: number) => void): void {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += 2) visit(piece[at] ?? 0, piece[at + 1] ?? 0);
}

/** Takes the states away from which nothing leads on, again and again; marks those that are left. */
function withoutEnds(pieces: readonly Uint32Array[], states: number): Uint8Array {
  // The transitions out of each state, and where in `before` those begin that lead to it.
  const out = new Uint32Array(states);
  const firsts = new Uint32Array(states + 1);
  forEach(pieces, (from, to) => {
    out[from] = (out[from] ?? 0) + 1;
    firsts[to + 1] = (firsts[to + 1] ?? 0) + 1;
  });
  for (let state = 0; state < states; state += 1)
    firsts[state + 1] = (firsts[state + 1] ?? 0) + (firsts[state] ?? 0);
  const next = firsts.slice();
  const before = new Uint32Array(firsts[states] ?? 0);
  forEach(pieces, (from, to) => {
    before[next[to] ?? 0] = from;
    next[to] = (next[to] ?? 0) + 1;
  });
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
