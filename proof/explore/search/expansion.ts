import { type Violation, violationIn } from '../invariants/invariants';
import type { ModelState } from '../model/model-state';
import { PackedStates } from '../model/packed-states';
import { initialState, StateSpace } from '../model/state-space';
import type { Subject } from '../model/subject';
import type { Channel } from '../transition/steps';
import type { TransitionGraph } from './cycles';
import { Frontier } from './frontier';
import { Moves } from './moves';
import type { SeenStates } from './seen';
import { successorsOf } from './successors';

/** How far to explore. */
export interface Budget {
  readonly executions: number;
  readonly faults: number;
  /** The ways by which deliveries come. */
  readonly channels: readonly Channel[];
}

/** A violation: in which state, and by which step from there; undefined for one of the state itself. */
export interface Found {
  readonly state: number;
  readonly step: string | undefined;
  readonly violation: Violation;
}

/** New states that one turn finds at most: for so many there has to be room. */
export const TURN_STATES = 1 << 14;
/** More steps than any state has. */
const STEPS_MAX = 1 << 8;

/** Goes from state to state, level by level, and adds those that are new to what was seen. */
export class Expansion {
  readonly space: StateSpace;
  readonly packed: PackedStates;
  readonly moves: Moves;
  /** The names of steps, by the numbers that they are seen with. */
  readonly names: string[] = [];
  transitions = 0;
  readonly #numbers = new Map<string, number>();
  readonly #budget: Budget;
  readonly #seen: SeenStates;
  readonly #graph: TransitionGraph | undefined;
  #next = new Frontier();
  #level = this.#next;
  #chunk: ReturnType<Frontier['takeChunk']>;
  #at = 0;

  /** `graph`: where all transitions are noted; undefined where nobody asks for them. */
  constructor(subject: Subject, budget: Budget, seen: SeenStates, graph?: TransitionGraph) {
    this.space = new StateSpace(subject, budget.faults);
    this.packed = new PackedStates(this.space);
    this.moves = new Moves(this.space);
    this.#budget = budget;
    this.#seen = seen;
    this.#graph = graph;
  }

  /** The first state of all, to begin with. */
  begin(): ModelState {
    const { executions, faults } = this.#budget;
    const first = initialState(this.space, executions, faults);
    this.packed.pack(first);
    this.#add(this.#seen.add(this.packed.hash(), 0, 0));
    return first;
  }

  /** How many states the next level has. */
  get nextLevel(): number {
    return this.#next.size;
  }

  /** Begins the next level. */
  goDeeper(): void {
    this.#level = this.#next;
    this.#next = new Frontier();
  }

  /** Bytes that wait to be explored. */
  get bytes(): number {
    return this.#level.bytes + this.#next.bytes;
  }

  /**
   * Explores the level further, until {@link TURN_STATES} new states are found, or the level is done. Gives the
   * first violation, at which it ends at once; whether there is more of the level.
   */
  turn(): { readonly found: Found | undefined; readonly isDone: boolean } {
    const most = this.#next.size + TURN_STATES - STEPS_MAX;
    while (this.#next.size < most) {
      if (!this.#chunk || this.#at >= this.#chunk.length) {
        this.#chunk = this.#level.takeChunk();
        this.#at = 0;
        if (!this.#chunk) return { found: undefined, isDone: true };
      }
      const { words } = this.#chunk;
      const state = words[this.#at] ?? 0;
      const model = this.packed.unpacked(words, this.#at + 1);
      this.#at += 1 + PackedStates.lengthAt(words, this.#at + 1);
      const found = this.#explored(state, model);
      if (found) return { found, isDone: true };
    }
    return { found: undefined, isDone: false };
  }

  #explored(state: number, model: ModelState): Found | undefined {
    const { steps, stuck } = successorsOf(this.space, model, this.#budget.channels);
    if (stuck) return { state, step: undefined, violation: stuck };
    for (const step of steps) {
      this.transitions += 1;
      const violation = violationIn(this.space, model, step);
      if (violation) return { state, step: step.name, violation };
      this.moves.note(model, step.after);
      this.packed.pack(step.after);
      const to = this.#seen.add(this.packed.hash(), state, this.#numberOf(step.name));
      this.#graph?.add(state, to < 0 ? ~to : to);
      this.#add(to);
    }
    return undefined;
  }

  #add(number: number): void {
    if (number >= 0) this.#next.add(number, this.packed.words, this.packed.length);
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}
