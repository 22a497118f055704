/** Entries to begin with; it doubles when full. */
const CAPACITY_FIRST = 1 << 16;

/** From where each state was reached first, and by which step; states are numbered in the order of their visits. */
export class Parents {
  #parents = new Uint32Array(CAPACITY_FIRST);
  #steps = new Uint16Array(CAPACITY_FIRST);
  #size = 1;
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** Notes how the next state was reached. */
  add(parent: number, step: string): void {
    if (this.#size === this.#parents.length) this.#grow();
    this.#parents[this.#size] = parent;
    this.#steps[this.#size] = this.#numberOf(step);
    this.#size += 1;
  }

  /** The steps from the first state to this one. */
  pathTo(number: number): string[] {
    const path: string[] = [];
    for (let at = number; at > 0; at = this.#parents[at] ?? 0)
      path.push(this.#names[this.#steps[at] ?? 0] ?? '');
    return path.reverse();
  }

  #grow(): void {
    const capacity = this.#parents.length * 2;
    const [parents, steps] = [new Uint32Array(capacity), new Uint16Array(capacity)];
    parents.set(this.#parents);
    steps.set(this.#steps);
    this.#parents = parents;
    this.#steps = steps;
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }
}
