import type { Clock } from '../../runtime/time/clock';
import type { WorkTracker } from '../../runtime/time/work-tracker';
import type { Publication } from './buses';

/** Something that fires on a schedule. */
export interface Schedule {
  readonly arn: string;
  readonly name: string;
  /** A disabled one never has its time. */
  readonly enabled: boolean;
  /** The first time after `after`; a rate counts from `origin`. Undefined where there is no more. */
  next(after: number, origin: number): number | undefined;
  /** Sends its targets what they get as of a time, and resolves when all of them have answered; never rejects. */
  fire(time: number): Promise<Publication>;
}

export interface SchedulesOptions {
  /** In the order in which they are listed. */
  readonly schedules: readonly Schedule[];
  readonly clock: Clock;
  readonly work: WorkTracker;
}

/**
 * The rules with a schedule and the schedules of EventBridge Scheduler, which fire by themselves, on the clock.
 *
 * A rate counts from when the stack was started, also after a restart. A time that passed while none could fire (the
 * machine slept, the stack was down, `runToEnd` was driving the clock) is left out.
 *
 * @example
 * stack.schedules.nextAt('HourlyReport') // milliseconds since 1970
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
    const { clock, schedules, work } = this.#options;
    this.#origin = clock.now();
    const enabled = schedules.filter(schedule => schedule.enabled);
    this.#stops = enabled.map(schedule => work.recur(() => this.#arm(schedule)));
  }

  /** Names of all of them, disabled ones included. */
  names(): readonly string[] {
    return this.#options.schedules.map(({ name }) => name);
  }

  /** When one fires next, epoch milliseconds; undefined for one that is disabled or has no time any more. */
  nextAt(nameOrArn: string): number | undefined {
    const schedule = this.#find(nameOrArn);
    return schedule?.enabled ? schedule.next(this.#options.clock.now(), this.#origin) : undefined;
  }

  /**
   * Fires one now, whether it is its time or not, and also when it is disabled; resolves when its targets have
   * answered. Undefined where nothing of this name or ARN has a schedule.
   */
  async fire(nameOrArn: string): Promise<Publication | undefined> {
    return this.#find(nameOrArn)?.fire(this.#options.clock.now());
  }

  /** Stops all schedules. */
  close(): void {
    for (const stop of this.#stops) stop();
  }

  #find(nameOrArn: string): Schedule | undefined {
    return this.#options.schedules.find(({ name, arn }) => name === nameOrArn || arn === nameOrArn);
  }

  /** Sets the timer of the next firing, which sets that of the one after it. */
  #arm(schedule: Schedule): () => void {
    const { clock } = this.#options;
    let cancel: () => void = () => undefined;
    const arm = () => {
      const due = schedule.next(clock.now(), this.#origin);
      if (due === undefined) return;
      cancel = clock.at(due, () => {
        // The schedules ignore the outcome of the deliveries: they never reject, and repeat themselves.
        void schedule.fire(due);
        arm();
      });
    };
    arm();
    return () => cancel();
  }
}
