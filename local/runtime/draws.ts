import type { Surroundings } from '../asl/jsonata';
import type { Ids } from './ids';

/**
 * What one transition of an execution draws: from a source of its own, so that neither other executions nor a restart
 * change it. Most transitions draw nothing.
 */
export class Draws implements Surroundings {
  readonly now: number;
  readonly #ids: Ids;
  readonly #label: () => string;
  #source: Ids | undefined;

  /** `now` is epoch milliseconds; `label` names the transition, the same in every run. */
  constructor(now: number, ids: Ids, label: () => string) {
    this.now = now;
    this.#ids = ids;
    this.#label = label;
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
