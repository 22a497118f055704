import type { Node } from '../ast';
import type { Slot } from './run';

/**
 * The variables that an expression binds itself in one block or function, and in those around it: each has a slot,
 * given before anything is evaluated.
 */
export class Names {
  readonly #outer: Names | undefined;
  readonly #slots = new Map<string, number>();

  /** `parameters` have the first slots; the others are bound somewhere in `body`. */
  constructor(parameters: readonly string[], body: unknown, outer?: Names) {
    this.#outer = outer;
    for (const name of [...parameters, ...boundIn(body)]) {
      if (!this.#slots.has(name)) this.#slots.set(name, this.#slots.size);
    }
  }

  /** How many slots there are. */
  get size(): number {
    return this.#slots.size;
  }

  /** The slot of a name that is bound here. */
  slotOf(name: string): number {
    const slot = this.#slots.get(name);
    if (slot === undefined) throw new Error(`nothing binds the variable '${name}' here`);
    return slot;
  }

  /** The scopes of a variable, from the inside out. Whether something is bound to it by then is not known here. */
  placesOf(name: string): Slot[] {
    const places: Slot[] = [];
    let hops = 0;
    for (let names: Names | undefined = this; names; names = names.#outer) {
      const slot = names.#slots.get(name);
      if (slot !== undefined) places.push({ hops, slot });
      hops += 1;
    }
    return places;
  }
}

/** The names bound in a part of a tree, except those that a block or a function within it keeps to itself. */
function boundIn(root: unknown): string[] {
  const names: string[] = [];
  // An explicit stack: a sum of thousands of terms is a tree as deep.
  const pending = [root];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part !== 'object' || part === null || part instanceof RegExp) continue;
    const node = part as Partial<Node>;
    if (node.type === 'bind') names.push(String((node.lhs as Node).value));
    // The call at the end of a function is one of the function itself.
    if (node.type === 'block' || (node.type === 'lambda' && node['thunk'] !== true)) continue;
    pending.push(...Object.values(part));
  }
  return names;
}
