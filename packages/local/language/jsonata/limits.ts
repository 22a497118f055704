/** Milliseconds one expression may take on the service. */
export const EVALUATION_MS_MAX = 1000;

/** Nested evaluations one expression may reach on the service. */
export const EVALUATION_DEPTH_MAX = 100;

/** What the service says of an expression that takes longer than `EVALUATION_MS_MAX`. */
export const TIMEOUT_PROBLEM = 'Expression evaluation timeout: Check for infinite loop';

/** What the service says of an expression that makes too much. */
export const MEMORY_PROBLEM = 'Expression evaluation memory limit exceeded: Check for excessive memory usage';

/** What the service says of an expression that is deeper than `EVALUATION_DEPTH_MAX`. */
export const STACK_PROBLEM =
  'Stack overflow error: Check for non-terminating recursive function.  Consider ' +
  'rewriting as tail-recursive. ' +
  `Depth=${EVALUATION_DEPTH_MAX + 1} max=${EVALUATION_DEPTH_MAX}`;

/** Characters of the longest text that is known to fit into the memory the service gives an expression. */
export const TEXT_CHARACTERS_MAX = 2 ** 22;

/** Items of the longest list that fits on the service: `[1..873782]` does, one more does not. */
export const LIST_ITEMS_MAX = 873_782;

/**
 * Characters of all texts that one evaluation makes. The service bounds what is there at one time, which cannot be seen
 * here; a text that is put together from a thousand pieces has to fit.
 */
const TEXTS_CHARACTERS_MAX = 2 ** 28;

/** What one evaluation has made so far. */
export class Usage {
  #characters = 0;

  /** @throws Error with MEMORY_PROBLEM for a text that is too long, or one too many */
  addText(text: string | undefined): void {
    if (text === undefined) return;
    requireMemory(text.length, TEXT_CHARACTERS_MAX);
    this.add(text.length);
  }

  /** @throws Error with MEMORY_PROBLEM for one character too many in all */
  add(characters: number): void {
    this.#characters += characters;
    requireMemory(this.#characters, TEXTS_CHARACTERS_MAX);
  }
}

/** @throws Error with MEMORY_PROBLEM where there would be more than there is memory for */
export function requireMemory(count: number, max: number): void {
  if (count > max) throw new Error(MEMORY_PROBLEM);
}

/** What the package hands to the callbacks it calls around each evaluated node. */
interface Frame {
  readonly isParallelCall: boolean;
  lookup(name: string): unknown;
}

/** The depth of one evaluation; lives as long as it. */
export class Depth {
  #depth = 0;
  readonly #entered = new WeakMap<object, Set<object>>();

  enter(node: object, frame: Frame): void {
    // As the service counts: items of a constructor are evaluated side by side, and only the first one
    // counts.
    if (frame.isParallelCall || UNCOUNTED.has(node)) return;
    this.#depth += 1;
    if (this.#depth > EVALUATION_DEPTH_MAX) throw new Error(STACK_PROBLEM);
    const nodes = this.#entered.get(frame) ?? new Set();
    this.#entered.set(frame, nodes.add(node));
  }

  /** Counts down only what was counted up: the parallel mark of a frame changes between the two calls. */
  leave(node: object, frame: Frame): void {
    if (this.#entered.get(frame)?.delete(node)) this.#depth -= 1;
  }
}

/** Nodes that are ours and not the author's, so that rewriting an expression does not make it deeper. */
export const UNCOUNTED = new WeakSet<object>();

interface Hooked {
  assign(name: string, value: unknown): void;
}

/** Makes an expression count its depth in the `Depth` that each evaluation binds under `name`. */
export function boundDepth(expression: Hooked, name: string): void {
  const depthIn = (frame: Frame) => (frame.lookup(name) as { depth: Depth }).depth;
  // The package looks these symbols up like variables; its types know names only.
  const entry = Symbol.for('jsonata.__evaluate_entry') as unknown as string;
  const exit = Symbol.for('jsonata.__evaluate_exit') as unknown as string;
  expression.assign(entry, (node: object, _input: unknown, frame: Frame) =>
    depthIn(frame).enter(node, frame),
  );
  expression.assign(exit, (node: object, _input: unknown, frame: Frame) => depthIn(frame).leave(node, frame));
}
