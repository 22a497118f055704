import { EVALUATION_MS_MAX, Usage } from '../limits';
import type { Scope } from '../scope';

// An evaluator of our own for the JSONata that definitions are made of. It must give exactly the interpreter's result
// or none: the interpreter decides if this code does not cover the expression, or if anything goes wrong.

/** A compiled node: its value for an input and the variables in sight. */
export type Code = (input: unknown, frame: Frame) => unknown;

/** Thrown where the interpreter has to decide. Not an error: it is caught, and its stack is never read. */
export const GIVE_UP = { kind: 'giveUp' } as const;

/** Thrown where an expression has used up its time, which the interpreter need not find out again. */
export const OUT_OF_TIME = { kind: 'outOfTime' } as const;

/**
 * Whose time an evaluation takes. In a `shared` thread others wait meanwhile: what takes more than some ten
 * milliseconds, or may take any time, is given up on. In one of its `own` it has the time that an expression may take.
 */
export type Time = 'shared' | 'own';

/** Work in a shared thread before giving up. Work and not time, so that the same is given up on in every run. */
const SHARED_WORK_MAX = 2_000_000;

/** Work between two looks at the clock: items and characters that were gone through, some tenths of a millisecond. */
const WORK_MAX = 50_000;

/** Work that evaluating one node is worth. */
const NODE_WORK = 20;

/**
 * Nested evaluations before giving up. The interpreter's own limit is 100, and it counts leaves, which are not counted
 * here.
 */
const DEPTH_MAX = 90;

/** Evaluated nodes before giving up: an expression that needs more is the interpreter's, which watches the clock. */
const STEPS_MAX = 50_000;

/** What one evaluation has used up. */
export class Run {
  readonly scope: Scope;
  readonly time: Time;
  /** Whether some variable of the scope has the name of a built-in function, which it hides. */
  readonly hidesFunctions: boolean;
  readonly usage = new Usage();
  /** What built-in functions are called on. Made when it is needed. */
  focus: object | undefined;
  depth = 0;
  steps = 0;
  #work = 0;
  #startedAt: number | undefined;

  constructor(scope: Scope, time: Time, hidesFunctions: boolean) {
    this.scope = scope;
    this.time = time;
    this.hidesFunctions = hidesFunctions;
  }

  /** Goes one level down. The level is left by `depth -= 1`; after giving up it is not left at all. */
  enter(): void {
    this.depth += 1;
    this.steps += 1;
    if (this.depth > DEPTH_MAX || this.steps > STEPS_MAX) throw GIVE_UP;
    this.spend(NODE_WORK);
  }

  /** Counts so many nodes beside each other, one level down. */
  visit(nodes: number): void {
    this.steps += nodes;
    if (this.depth >= DEPTH_MAX || this.steps > STEPS_MAX) throw GIVE_UP;
    this.spend(nodes * NODE_WORK);
  }

  /** Counts work; in a thread of its own, looks at the clock now and then. */
  spend(work: number): void {
    this.#work += work;
    if (this.#work >= WORK_MAX) this.#pause();
  }

  #pause(): void {
    if (this.time === 'shared') {
      if (this.#work > SHARED_WORK_MAX) throw GIVE_UP;
      return;
    }
    this.#work = 0;
    const now = performance.now();
    this.#startedAt ??= now;
    if (now - this.#startedAt > EVALUATION_MS_MAX) throw OUT_OF_TIME;
  }
}

/** What a variable is that nothing has been bound to yet. */
const UNBOUND = Symbol('unbound');

/** Of blocks and calls without variables: nothing is ever bound there. */
const NO_VALUES: unknown[] = [];

/** Variables of one block or call, by their slots, and those around it. */
export class Frame {
  readonly run: Run;
  readonly #outer: Frame | undefined;
  readonly #values: unknown[];

  constructor(run: Run, slots: number, outer?: Frame) {
    this.run = run;
    this.#outer = outer;
    // A list that grows takes room for more than there will be.
    this.#values = slots === 0 ? NO_VALUES : new Array(slots).fill(UNBOUND);
  }

  bind(slot: number, value: unknown): void {
    this.#values[slot] = value;
  }

  /** The value in a slot, so many frames further out; what `otherwise` gives where nothing has been bound to it. */
  lookup({ hops, slot }: Slot, otherwise: (frame: Frame) => unknown): unknown {
    let frame: Frame = this;
    for (let hop = hops; hop > 0 && frame.#outer; hop -= 1) frame = frame.#outer;
    const value = frame.#values[slot];
    return value === UNBOUND ? otherwise(this) : value;
  }
}

/** The place of a variable, seen from its use. */
export interface Slot {
  /** How many blocks and functions further out. */
  readonly hops: number;
  readonly slot: number;
}

/** A list that came about by selecting: one item stands for itself, none for nothing. As in the interpreter. */
export type Sequence = unknown[] & { sequence: true };

/** A sequence of these items. */
export function sequenceOf(...items: unknown[]): Sequence {
  return asSequence(items);
}

/** The list itself, marked as a sequence. */
export function asSequence(items: unknown[]): Sequence {
  const sequence = items as Sequence;
  sequence.sequence = true;
  return sequence;
}

/** True for a selection, false for a list of the data. */
export function isSequence(value: unknown): value is Sequence {
  return Array.isArray(value) && (value as Partial<Sequence>).sequence === true;
}

/** What a node's value is worth outside of it. */
export function unwrapped(value: unknown): unknown {
  if (!isSequence(value) || value.length > 1) return value;
  return value[0];
}

/** The value, unless it is data that the interpreter would take for a function by its members. */
export function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (resemblesFunction(value)) throw GIVE_UP;
  return value;
}

/** Whether the interpreter might take a value for a function. Read and not looked for by `in`, which takes longer. */
export function resemblesFunction(value: object): boolean {
  const { _jsonata_function: isFunction, _jsonata_lambda: isLambda } = value as Record<string, unknown>;
  return isFunction !== undefined || isLambda !== undefined;
}
