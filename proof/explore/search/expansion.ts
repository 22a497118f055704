import {
  type Found,
  type ReachedStates,
  search,
  type TransitionSystem,
  type Waiting,
} from '../../../packages/local/explore/kernel/index';
import type { Violation } from '../invariants/invariants';
import type { ExecutionStates } from '../model/execution-states';
import { HASH_WORDS } from '../model/hash';
import type { ModelState } from '../model/model-state';
import { PackedStates } from '../model/packed-states';
import { initialState, StateSpace } from '../model/state-space';
import type { Subject } from '../model/subject';
import type { Step } from '../transition/step';
import type { Channel } from '../transition/steps';
import { TransitionGraph } from './cycles';
import { type Chunk, Frontier } from './frontier';
import { isHeapNearlyFull } from './heap';
import { type MovedStates, movedStates, takeStates } from './moved-states';
import type { SeenStates } from './seen';
import { systemOf } from './successors';
import { NAMES_MAX, type Summary } from './summary';

/** How far to explore. */
export interface Budget {
  readonly executions: number;
  readonly faults: number;
  /** How deliveries start. */
  readonly channels: readonly Channel[];
  /** Take states for one that differ only by which delivery is which (default: tell them apart). */
  readonly symmetry?: boolean;
}

/** What one turn came to. */
export interface Turn {
  /** The first violation, at which it has ended at once. */
  readonly found: Found<Violation> | undefined;
  /** Whether the level is done. */
  readonly isDone: boolean;
  /** New states, and transitions, of this turn. */
  readonly states: number;
  readonly transitions: number;
  /** States of this level and the next one that wait to be explored. */
  readonly waiting: number;
  /** Bytes in which they do. */
  readonly bytes: number;
  /** Whether the thread has hardly any memory left for what the engine works with. */
  readonly isFull: boolean;
}

/** The most new states that one turn finds: the memory must have room for them. */
export const TURN_STATES = 1 << 14;
/** More steps than any state has. */
const STEPS_MAX = 1 << 8;

/** Goes from state to state, level by level, and adds those that are new to what was seen. */
export class Expansion implements ReachedStates<ModelState, Step> {
  readonly space: StateSpace;
  readonly packed: PackedStates;
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #budget: Budget;
  readonly #system: TransitionSystem<ModelState, Step, Violation>;
  readonly #seen: SeenStates;
  readonly #graph = new TransitionGraph();
  readonly #index: number;
  #next = new Frontier();
  #level = this.#next;
  #chunk: Chunk | undefined;
  #at = 0;
  #transitions = 0;
  #explored = 0;
  #turnEnd = 0;

  /** `index`: which one it is of those that share what was seen. */
  constructor(subject: Subject, budget: Budget, seen: SeenStates, index = 0) {
    this.space = new StateSpace(subject, budget.faults);
    this.packed = new PackedStates(this.space);
    this.#budget = budget;
    this.#system = systemOf(this.space, budget.channels);
    this.#seen = seen;
    this.#index = index;
  }

  /** The first state of all. */
  first(): ModelState {
    const { executions, faults } = this.#budget;
    return initialState(this.space, executions, faults);
  }

  /** Begins with the first state of all. */
  begin(): void {
    this.packed.pack(this.first());
    this.#wait(this.#seen.add(this.hash(), 0, 0));
  }

  /** Goes on in place of another one, which had these names for steps. */
  restoreNames(names: readonly string[]): void {
    for (const name of names) this.#numberOf(name);
  }

  /** What the packed state is known by: its hash, or, if deliveries may be renamed, that of all that it stands for. */
  hash(): Uint32Array {
    return this.#budget.symmetry ? this.packed.orbitHash() : this.packed.hash();
  }

  /** How many states the next level has. */
  get nextLevel(): number {
    return this.#next.size;
  }

  /** Begins the next level. */
  goDeeper(): void {
    this.#level = this.#next;
    this.#next = new Frontier();
    this.#explored = 0;
  }

  /** Takes states of the next level away, the first ones, about `count` of them, for another expansion to take. */
  exportStates(count: number): MovedStates {
    const given = new Frontier();
    const kept = new Frontier();
    for (let chunk = this.#next.takeChunk(); chunk; chunk = this.#next.takeChunk()) {
      const { words, length } = chunk;
      for (let at = 0; at < length; ) {
        const size = PackedStates.lengthAt(words, at + 1);
        const to = given.size < count ? given : kept;
        to.add(words[at] ?? 0, words.subarray(at + 1, at + 1 + size), size);
        at += 1 + size;
      }
    }
    this.#next = kept;
    return movedStates(this.packed, given.chunks);
  }

  /** A piece of what waits in the level that is explored, or in the next one, to be saved; undefined after the last. */
  exportChunk(which: 'level' | 'next', piece: number): MovedStates | undefined {
    const chunks = which === 'next' ? this.#next.chunks : [...this.#restOfChunk(), ...this.#level.chunks];
    const chunk = chunks[piece];
    return chunk && movedStates(this.packed, [chunk]);
  }

  #restOfChunk(): Chunk[] {
    if (!this.#chunk) return [];
    const { words, length } = this.#chunk;
    return [{ words: words.subarray(this.#at), length: length - this.#at }];
  }

  /** Adds states to the next level that another expansion has given. */
  importStates(states: MovedStates): void {
    takeStates(this.packed, states, this.#next);
  }

  /** Explores the level further, until about so many new states are found and no more, or the level is done. */
  turn(most = TURN_STATES): Turn {
    const [before, transitions] = [this.#next.size, this.#transitions];
    this.#turnEnd = before + most - STEPS_MAX;
    const found = search(this.#system, this);
    if (found?.step !== undefined) this.#transitions += 1;
    return {
      found,
      isDone: found !== undefined || this.#next.size < this.#turnEnd,
      states: this.#next.size - before,
      transitions: this.#transitions - transitions,
      waiting: this.#level.size - this.#explored + this.#next.size,
      bytes: this.#level.bytes + this.#next.bytes,
      isFull: isHeapNearlyFull(),
    };
  }

  /** The next state of the level; undefined if the level is done, or the turn has found enough. */
  takeNext(): Waiting<ModelState> | undefined {
    if (this.#next.size >= this.#turnEnd) return undefined;
    if (!this.#chunk || this.#at >= this.#chunk.length) {
      this.#chunk = this.#level.takeChunk();
      this.#at = 0;
      if (!this.#chunk) return undefined;
    }
    const { words } = this.#chunk;
    const number = words[this.#at] ?? 0;
    const state = this.packed.unpacked(words, this.#at + 1);
    this.#at += 1 + PackedStates.lengthAt(words, this.#at + 1);
    this.#explored += 1;
    return { number, state };
  }

  add({ number }: Waiting<ModelState>, { name, after }: Step): void {
    this.#transitions += 1;
    this.packed.pack(after);
    const to = this.#seen.add(this.hash(), number, this.#numberOf(name));
    this.#graph.add(number, to < 0 ? ~to : to);
    this.#wait(to);
  }

  /** What it knows in the end. */
  summary(): Summary {
    const { workflow, dispatcher, recovery, redelivery, frontDoor } = this.space;
    const isDispatched = dispatcher && this.#budget.channels.includes('dispatcher');
    return {
      transitions: this.#graph.pieces,
      executionStates: this.#executionHashes(workflow),
      neverEntered: [
        ...workflow.neverEntered,
        ...(isDispatched ? dispatcher.neverEntered : []),
        ...(recovery?.neverEntered ?? []),
        ...(redelivery?.neverEntered ?? []),
        ...(frontDoor?.neverEntered ?? []),
      ],
      enteredInProbe: this.space.enteredInProbe,
      names: this.#names,
    };
  }

  #executionHashes(states: ExecutionStates): Uint32Array {
    if (!this.#budget.symmetry) return states.hashes();
    const hashes = new Uint32Array(states.size * HASH_WORDS);
    for (let number = 0; number < states.size; number += 1)
      this.packed.symmetry.executionInto(hashes.subarray(number * HASH_WORDS), states, number);
    return hashes;
  }

  #wait(number: number): void {
    if (number >= 0) this.#next.add(number, this.packed.words, this.packed.length);
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#index * NAMES_MAX + this.#names.length;
    this.#numbers.set(name, number);
    this.#names.push(name);
    return number;
  }
}
