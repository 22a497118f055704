import type { TransitionContext } from '../engine/turn';
import type { Clock } from './clock';
import type { Ids } from './ids';

/** Milliseconds after which a transition leaves the turn to others, and reads the time anew. */
const TURN_MS_MAX = 20;

/**
 * What one transition of an execution draws: from a source of its own, so that neither other executions nor a restart
 * change it. Most transitions draw nothing.
 */
export class Draws implements TransitionContext {
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
    return this.#drawn().random();
  }

  uuid(): string {
    return this.#drawn().uuid();
  }

  #drawn(): Ids {
    this.#source ??= this.#ids.fork(this.#label());
    return this.#source;
  }
}
