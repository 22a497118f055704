import type { TransitionContext } from '../engine/turn';
import type { Clock } from './clock';
import type { Ids } from './ids';

/** Milliseconds after which a transition lets other executions go on, and reads the time anew. */
const TURN_MS_MAX = 20;

/**
 * Time and randomness for one transition. Ids and random numbers come from a source of the transition's own, so that
 * neither other executions nor a restart change them. Most transitions need none.
 */
export class RuntimeTransitionContext implements TransitionContext {
  readonly now: number;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #label: () => string;
  #source: Ids | undefined;

  /** `label` names the transition, the same in every run. */
  constructor(clock: Clock, ids: Ids, label: () => string) {
    this.now = clock.now();
    this.#clock = clock;
    this.#ids = ids;
    this.#label = label;
  }

  /** On a clock that stands still only states are counted, so that histories come out the same twice. */
  isTimeUp(): boolean {
    return this.#clock.isReal === true && this.#clock.now() - this.now >= TURN_MS_MAX;
  }

  random(): number {
    return this.#ownSource().random();
  }

  uuid(): string {
    return this.#ownSource().uuid();
  }

  #ownSource(): Ids {
    this.#source ??= this.#ids.fork(this.#label());
    return this.#source;
  }
}
