import type { Activity } from '../../runtime/activity';
import type { Clock } from '../../runtime/clock';
import type { EventBuses, Publication } from './buses';
import type { ScheduledRule } from './rules';

/** What schedules work with. */
export interface SchedulesOptions {
  readonly eventBuses: EventBuses;
  readonly clock: Clock;
  readonly activity: Activity;
}

/**
 * The rules that fire by themselves, on the clock.
 *
 * A rate counts from when the stack was started, also after a restart. A time that passed while no rule could fire (the
 * machine slept, the stack was down, `runToEnd` was driving the clock) is left out.
 */
export class Schedules {
  readonly #options: SchedulesOptions;
  #origin = 0;
  #stops: readonly (() => void)[] = [];

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  /** Begins: rates count from now. */
  start(): void {
    const { clock, eventBuses, activity } = this.#options;
    this.#origin = clock.now();
    const enabled = eventBuses.scheduled.filter(rule => rule.enabled);
    this.#stops = enabled.map(rule => activity.recur(() => this.#arm(rule)));
  }

  /** Names of the rules that have a schedule, disabled ones included. */
  names(): readonly string[] {
    return this.#options.eventBuses.scheduled.map(({ name }) => name);
  }

  /** When the rule fires next, epoch milliseconds; undefined for one that is disabled or has no time any more. */
  nextAt(nameOrArn: string): number | undefined {
    const rule = this.#find(nameOrArn);
    return rule?.enabled ? rule.schedule.next(this.#options.clock.now(), this.#origin) : undefined;
  }

  /**
   * Fires a rule now, whether it is its time or not, and also when it is disabled; resolves when its targets have
   * answered. Undefined where no rule of this name or ARN has a schedule.
   */
  async fire(nameOrArn: string): Promise<Publication | undefined> {
    const rule = this.#find(nameOrArn);
    const { eventBuses, clock } = this.#options;
    return rule && eventBuses.fire(rule, clock.now());
  }

  /** Lets no rule fire by itself any more. */
  close(): void {
    for (const stop of this.#stops) stop();
  }

  #find(nameOrArn: string): ScheduledRule | undefined {
    const { scheduled } = this.#options.eventBuses;
    return scheduled.find(({ name, arn }) => name === nameOrArn || arn === nameOrArn);
  }

  /** Sets the timer of the next firing, which sets that of the one after it. */
  #arm(rule: ScheduledRule): () => void {
    const { clock, eventBuses } = this.#options;
    let cancel: () => void = () => undefined;
    const arm = () => {
      const due = rule.schedule.next(clock.now(), this.#origin);
      if (due === undefined) return;
      cancel = clock.at(due, () => {
        // What comes of the deliveries is theirs: they never reject, and repeat themselves.
        void eventBuses.fire(rule, due);
        arm();
      });
    };
    arm();
    return () => cancel();
  }
}
