import { hexadecimal } from '../model/interned';
import type { ModelState } from '../model/model-state';
import { PackedStates } from '../model/packed-states';
import { cachePerSpace, type StateSpace } from '../model/state-space';
import { type Channel, firstStep, ordinarySteps } from '../transition/steps';
import { type Violation, violationIn } from './invariants';
import { remembered } from './remembered';

/** The last state of a run without faults, and the violation if one of its steps broke an invariant. */
export interface RunEnd {
  readonly model: ModelState;
  readonly violation: Violation | undefined;
}

/** Which steps a run takes. */
export interface RunRules {
  /**
   * The rules add their name to the observations of their steps; the name distinguishes the ends from those by other
   * rules, too.
   */
  readonly name: string;
  readonly channel: Channel;
  /** Steps that do not happen, by their names. */
  readonly skipped: RegExp;
  /** Steps that come before all others, by their names. */
  readonly first?: RegExp;
  readonly isOver: (model: ModelState) => boolean;
}

/** More steps than any run takes to its end. */
const STEPS_MAX = 1000;

/** Ends that are kept at most. */
const KEPT_MAX = 1 << 18;

/** The end of a run that begins with this state: without faults, each time by the first step that is possible. */
export function runWithoutFaults(space: StateSpace, from: ModelState, rules: RunRules): RunEnd {
  return runsOf(space).from(from, rules);
}

const runsOf = cachePerSpace(space => new GoingOn(space));

/**
 * Runs without faults, each by the first step that is possible, again and again; time passes only if nothing else
 * does. Two that come to the same state go on alike, so each is followed only until it meets another one.
 */
class GoingOn {
  readonly #space: StateSpace;
  readonly #packed: PackedStates;
  readonly #ends = new Map<string, RunEnd>();

  constructor(space: StateSpace) {
    this.#space = space;
    this.#packed = new PackedStates(space);
  }

  /** The end of a run from this state. */
  from(model: ModelState, rules: RunRules): RunEnd {
    const met: string[] = [];
    const end = this.#end(model, rules, met);
    if (this.#ends.size > KEPT_MAX) this.#ends.clear();
    for (const name of met) this.#ends.set(name, end);
    return end;
  }

  #end(from: ModelState, rules: RunRules, met: string[]): RunEnd {
    let model = from;
    while (met.length < STEPS_MAX && !rules.isOver(model)) {
      const name = this.#nameOf(model, rules);
      const known = this.#ends.get(name);
      if (known) return known;
      met.push(name);
      const step = this.#stepFrom(model, rules);
      if (!step) break;
      const made = remembered(model, step);
      const violation = violationIn(this.#space, model, made);
      model = made.after;
      if (violation) return { model, violation: { ...violation, seen: `${violation.seen}, ${rules.name}` } };
    }
    return { model, violation: undefined };
  }

  #stepFrom(model: ModelState, { channel, skipped, first }: RunRules) {
    const steps = () => ordinarySteps(this.#space, model, [channel]);
    const before = first && [...steps()].find(({ name }) => first.test(name));
    return before ?? firstStep(steps(), skipped);
  }

  #nameOf(model: ModelState, { name, channel, first }: RunRules): string {
    this.#packed.pack(model);
    const { skews } = this.#space;
    return [name, channel, first?.source, skews, hexadecimal(this.#packed.hash())].join('|');
  }
}
