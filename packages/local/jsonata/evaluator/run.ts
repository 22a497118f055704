import { EVALUATION_MS_MAX, Usage } from '../limits';
import type { Scope } from '../scope';

// An evaluator of our own for the JSONata that definitions are made of. It has to give exactly the interpreter's
// result or none: whatever it does not cover, and whatever goes wrong, it gives up on, and the interpreter is asked.

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
  /** Built-in functions, which variables may hide. */
  readonly functions: ReadonlyMap<string, unknown>;
  readonly usage = new Usage();
  depth = 0;
  steps = 0;
  readonly time: Time;
  #work = 0;
  #startedAt: number | undefined;

  constructor(scope: Scope, functions: ReadonlyMap<string, unknown>, time: Time) {
    this.scope = scope;
    this.functions = functions;
    this.time = time;
  }

  /** Goes one level down. The level is left by `depth -= 1`; after giving up it is not left at all. */
  enter(): void {
    this.depth += 1;
    this.steps += 1;
    if (this.depth > DEPTH_MAX || this.steps > STEPS_MAX) throw GIVE_UP;
    this.spend(NODE_WORK);
  }

  /** Counts work; in a thread of its own, looks at the clock now and then. */
  spend(work: number): void {
    this.#work += work;
    if (this.#work < WORK_MAX) return;
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

/** Variables of one block or call, and those around it. */
export class Frame {
  readonly run: Run;
  readonly #outer: Frame | undefined;
  readonly #values = new Map<string, unknown>();

  constructor(run: Run, outer?: Frame) {
    this.run = run;
    this.#outer = outer;
  }

  bind(name: string, value: unknown): void {
    this.#values.set(name, value);
  }

  /** The value of a variable: the expression's own, else the scope's, else a built-in function. */
  lookup(name: string): unknown {
    for (let frame: Frame | undefined = this; frame; frame = frame.#outer) {
      const value = frame.#values.get(name);
      if (value !== undefined || frame.#values.has(name)) return value;
    }
    const { scope, functions } = this.run;
    if (name === 'states') return scope.states;
    return Object.hasOwn(scope.variables, name) ? plain(scope.variables[name]) : functions.get(name);
  }
}

/** A list that came about by selecting: one item stands for itself, none for nothing. As in the interpreter. */
export type Sequence = unknown[] & { sequence: true };

/** A sequence of these items. */
export function sequenceOf(...items: unknown[]): Sequence {
  return Object.assign(items, { sequence: true as const });
}

/** True for what was selected, false for a list of the data. */
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
  if ('_jsonata_function' in value || '_jsonata_lambda' in value) throw GIVE_UP;
  return value;
}
