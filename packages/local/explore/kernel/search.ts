/** One thing that can happen next: its name, unique among the steps of a state, and the state after it. */
export interface Step<State> {
  readonly name: string;
  readonly after: State;
}

/** What can happen next in a state. */
export interface Next<Taken, Problem> {
  readonly steps: readonly Taken[];
  /** The fault of the state; undefined if there is none. */
  readonly problem: Problem | undefined;
}

/** The subject of the exploration: states, the steps from each, and the possible faults of both. */
export interface TransitionSystem<State, Taken extends Step<State>, Problem> {
  next(state: State): Next<Taken, Problem>;
  /** The fault of a step. Absent: only states are checked. */
  problemWith?(state: State, step: Taken): Problem | undefined;
}

/** A state that waits to be explored, by its number. */
export interface Waiting<State> {
  readonly number: number;
  readonly state: State;
}

/** The states that a search has reached: which are known, and which wait to be explored. */
export interface ReachedStates<State, Taken> {
  /** Takes the state that was reached first of those that wait. Undefined ends the search. */
  takeNext(): Waiting<State> | undefined;
  /** Adds the state that a step leads to, unless it is known. */
  add(from: Waiting<State>, step: Taken): void;
}

/** The first problem that a search has met. */
export interface Found<Problem> {
  /** The number of the state, or of the state before the step. */
  readonly state: number;
  /** The name of the step; undefined if the problem is the state's own. */
  readonly step: string | undefined;
  readonly problem: Problem;
}

/** Explores breadth first, so that a shortest path leads to the first problem. Undefined if there is none. */
export function search<State, Taken extends Step<State>, Problem>(
  system: TransitionSystem<State, Taken, Problem>,
  reached: ReachedStates<State, Taken>,
): Found<Problem> | undefined {
  for (let from = reached.takeNext(); from; from = reached.takeNext()) {
    const { steps, problem } = system.next(from.state);
    if (problem !== undefined) return { state: from.number, step: undefined, problem };
    for (const step of steps) {
      const wrong = system.problemWith?.(from.state, step);
      if (wrong !== undefined) return { state: from.number, step: step.name, problem: wrong };
      reached.add(from, step);
    }
  }
  return undefined;
}

/** States that are kept as they are, and distinguished by a text. The path to each is known. */
export class StatesInMemory<State, Taken extends Step<State>> implements ReachedStates<State, Taken> {
  readonly #textOf: (state: State) => string;
  readonly #statesMax: number;
  readonly #known = new Map<string, number>();
  readonly #reached: { readonly from: number; readonly step?: Taken; readonly state: State }[];
  #explored = 0;
  /** Whether there were more states than the search may reach, which ends it. */
  isFull = false;

  /** Begins with the first state, and ends the search after `statesMax`. */
  constructor(first: State, textOf: (state: State) => string, statesMax: number) {
    this.#textOf = textOf;
    this.#statesMax = statesMax;
    this.#known.set(textOf(first), 0);
    this.#reached = [{ from: 0, state: first }];
  }

  /** How many states were explored, or if there were too many, reached. */
  get size(): number {
    return this.isFull ? this.#known.size : this.#explored;
  }

  takeNext(): Waiting<State> | undefined {
    const number = this.#explored;
    const next = this.#reached[number];
    if (!next || this.isFull) return undefined;
    this.#explored += 1;
    return { number, state: next.state };
  }

  /** The number of the state that the step leads to; undefined if there are too many. */
  add({ number: from }: Waiting<State>, step: Taken): number | undefined {
    const text = this.#textOf(step.after);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.isFull ||= this.#known.size >= this.#statesMax;
    if (this.isFull) return undefined;
    this.#known.set(text, this.#reached.length);
    return this.#reached.push({ from, step, state: step.after }) - 1;
  }

  /** The first state from which no path leads to one of these, by its number; `before` has the steps to each. */
  firstTrapped(
    isGoal: (state: State) => boolean,
    before: ReadonlyMap<number, readonly number[]>,
  ): number | undefined {
    const open = this.#reached.flatMap(({ state }, number) => (isGoal(state) ? [number] : []));
    const free = new Set(open);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const reaching = (before.get(next) ?? []).filter(number => !free.has(number));
      for (const number of reaching) free.add(number);
      open.push(...reaching);
    }
    const trapped = this.#reached.findIndex((_, number) => !free.has(number));
    return trapped < 0 ? undefined : trapped;
  }

  /** The steps from the first state to the one with this number. */
  pathTo(number: number): readonly Taken[] {
    const { from = 0, step } = this.#reached[number] ?? {};
    return step ? [...this.pathTo(from), step] : [];
  }
}
