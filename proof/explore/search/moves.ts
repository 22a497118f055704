import type { ExecutionStates } from '../model/execution-states';
import { HASH_WORDS } from '../model/hash';
import { hexadecimal } from '../model/interned';
import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';

/** More states of single executions than there ever are: what keeps two of their numbers apart. */
const STATES_MAX = 2 ** 26;

/** Writes what a state is known by to the begin of `words`. */
type HashInto = (words: Uint32Array, states: ExecutionStates, number: number) => void;

/** Moves that were noted, by the hashes of the states: of an execution from one state to another, `from,to`. */
export interface MovesMade {
  /** Whether something moved that nothing is known of. */
  readonly isUnknown: boolean;
  readonly workflow: readonly string[];
  readonly dispatcher: readonly string[];
  readonly recovery: readonly string[];
}

/**
 * What shows that no steps lead round in a circle, without all transitions: of each execution, dispatcher and recovery,
 * from which of its states it has come to which, in steps that neither take time, nor a fault, nor begin a delivery.
 *
 * Time, deliveries and what is left of the faults only ever move one way, and executions only come to be, so on a
 * circle none of them moves at all. Then each execution comes back to where it was, along moves that are noted here.
 * Where these lead nobody back, no execution moves on a circle. What other steps there are each leave fewer late
 * requests, or as many and fewer runs of the step, or as many of both and an empty table: they never come round either.
 */
export class Moves {
  readonly #workflow = new Set<number>();
  readonly #dispatcher = new Set<number>();
  readonly #recovery = new Set<number>();
  readonly #space: StateSpace;
  readonly #hashInto: HashInto;
  #isUnknown = false;

  /**
   * `hashInto`: what the states of single executions are known by. Where states are taken for one that differ by which
   * delivery is which, these have to be so as well: a circle then comes back to where it began but for that.
   */
  constructor(space: StateSpace, hashInto: HashInto) {
    this.#space = space;
    this.#hashInto = hashInto;
  }

  /** Notes what moves in a step. */
  note(before: ModelState, after: ModelState): void {
    if (after.now !== before.now || after.faults !== before.faults) {
      this.#isUnknown ||= after.now < before.now || after.faults > before.faults;
      return;
    }
    if (after.delivered !== before.delivered || after.executions.length !== before.executions.length) {
      this.#isUnknown ||= after.delivered < before.delivered;
      this.#isUnknown ||= after.executions.length < before.executions.length;
      return;
    }
    if (after.recoveries.length !== before.recoveries.length) {
      this.#isUnknown ||= after.recoveries.length < before.recoveries.length;
      return;
    }
    const hasMoved = [
      this.#noteExecutions(before, after),
      this.#noteDispatchers(before, after),
      this.#noteRecoveries(before, after),
    ];
    if (hasMoved.includes(true)) return;
    this.#isUnknown ||= !this.#isLess(before, after);
  }

  /** What was noted. */
  made(): MovesMade {
    const { workflow, dispatcher, recovery } = this.#space;
    return {
      isUnknown: this.#isUnknown,
      workflow: this.#pairs(this.#workflow, workflow),
      dispatcher: dispatcher ? this.#pairs(this.#dispatcher, dispatcher) : [],
      recovery: recovery ? this.#pairs(this.#recovery, recovery) : [],
    };
  }

  #pairs(moves: ReadonlySet<number>, states: ExecutionStates): string[] {
    const words = new Uint32Array(HASH_WORDS);
    const names = new Map<number, string>();
    const nameOf = (number: number): string => {
      const known = names.get(number);
      if (known !== undefined) return known;
      this.#hashInto(words, states, number);
      const name = hexadecimal(words);
      names.set(number, name);
      return name;
    };
    return [...moves].map(move => `${nameOf(Math.floor(move / STATES_MAX))},${nameOf(move % STATES_MAX)}`);
  }

  #noteExecutions({ executions: from }: ModelState, { executions: to }: ModelState): boolean {
    if (from === to) return false;
    let hasMoved = false;
    for (let i = 0; i < from.length; i += 1) {
      if (from[i] === to[i]) continue;
      this.#workflow.add((from[i] ?? 0) * STATES_MAX + (to[i] ?? 0));
      hasMoved = true;
    }
    return hasMoved;
  }

  #noteDispatchers({ dispatchers: from }: ModelState, { dispatchers: to }: ModelState): boolean {
    if (from === to) return false;
    let hasMoved = to.length < from.length;
    for (const { delivery, state } of from) {
      const after = to.find(other => other.delivery === delivery);
      if (!after || after.state === state) continue;
      this.#dispatcher.add(state * STATES_MAX + after.state);
      hasMoved = true;
    }
    return hasMoved;
  }

  /** One that ends has come further, whatever it had come to. */
  #noteRecoveries({ recoveries: from }: ModelState, { recoveries: to }: ModelState): boolean {
    if (from === to) return false;
    let hasMoved = false;
    for (const [i, before] of from.entries()) {
      const after = to[i];
      if (!after || after === before) continue;
      hasMoved = true;
      if (before.phase !== after.phase) continue;
      if (before.state === undefined || after.state === undefined) this.#isUnknown = true;
      else this.#recovery.add(before.state * STATES_MAX + after.state);
    }
    return hasMoved;
  }

  #isLess(before: ModelState, after: ModelState): boolean {
    if (after.orphans.length !== before.orphans.length) return after.orphans.length < before.orphans.length;
    if (after.lambdas.length !== before.lambdas.length) return after.lambdas.length < before.lambdas.length;
    const { tables } = this.#space;
    return tables.get(after.table).length < tables.get(before.table).length;
  }
}

/** Whether what was noted, all of it together, shows that there is no circle. If not, there may be one. */
export function areAllForward(made: readonly MovesMade[]): boolean {
  if (made.some(({ isUnknown }) => isUnknown)) return false;
  const all = (moves: 'workflow' | 'dispatcher' | 'recovery') => new Set(made.flatMap(each => each[moves]));
  return !hasCycle(all('workflow')) && !hasCycle(all('dispatcher')) && !hasCycle(all('recovery'));
}

function hasCycle(moves: ReadonlySet<string>): boolean {
  const next = new Map<string, string[]>();
  const before = new Map<string, number>();
  for (const move of moves) {
    const [from = '', to = ''] = move.split(',');
    const others = next.get(from);
    if (others) others.push(to);
    else next.set(from, [to]);
    before.set(to, (before.get(to) ?? 0) + 1);
  }
  // What nothing leads to is on no cycle, nor is what only such lead to.
  const free = [...next.keys()].filter(state => !before.has(state));
  for (let state = free.pop(); state !== undefined; state = free.pop()) {
    for (const to of next.get(state) ?? []) {
      const left = (before.get(to) ?? 0) - 1;
      before.set(to, left);
      if (left === 0) free.push(to);
    }
  }
  return [...before.values()].some(left => left > 0);
}
