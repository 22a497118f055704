import { LocalError } from './local-error';
import { type Clock, TIME_MAX } from './runtime/time/clock';
import type { RealClock } from './runtime/time/real-clock';
import type { Queues } from './services/sqs/queues';
import { DamagedState } from './state/damage';
import type { StateDirectory } from './state/directory';

/** The time of a stack that goes by `clock`: only `real`, the machine's, can be skipped from here. */
export function timeOf(clock: Clock, real: RealClock): { now(): number; skipTime(ms: number): void } {
  return {
    now: () => clock.now(),
    skipTime(ms) {
      const isPossible = clock === real && ms > 0 && real.now() + ms <= TIME_MAX;
      if (!isPossible) throw new LocalError('InvalidRequest', [noSkip(clock === real, ms)]);
      real.skip(ms);
    },
  };
}

function noSkip(isReal: boolean, ms: number): string {
  if (!isReal) return 'the stack has a clock of its own: move that, with `advanceBy`';
  return ms > 0
    ? `${ms} milliseconds from now is after the year 9999, the last that the stack has`
    : `a time to skip is a number of milliseconds above 0, got ${ms}`;
}

/**
 * The last time in the data of an earlier process, in epoch milliseconds, or 0 if there is no data. If the clock of the
 * machine was set back since, timers would otherwise wait until it reaches that time again.
 *
 * @throws DamagedState for a time after the year 9999, which would be the time of everything that follows
 */
export function lastTimeIn(queues: Queues, directory: StateDirectory | undefined): number {
  const times = [...timesOfExecutions(directory), ...timesOfMessages(queues)];
  const problems = times.flatMap(({ of, at }) =>
    at >= 0 && at <= TIME_MAX ? [] : [`${of} has a time that is not between the years 1970 and 9999: ${at}`],
  );
  if (problems.length > 0) throw new DamagedState(problems);
  return times.reduce((last, { at }) => Math.max(last, at), 0);
}

/** The pending work, in words, and when it last changed. */
interface LeftAt {
  readonly of: string;
  readonly at: number;
}

function timesOfExecutions(directory: StateDirectory | undefined): readonly LeftAt[] {
  const running = directory?.store.running() ?? [];
  return running.map(({ execution }) => ({ of: `execution ${execution.arn}`, at: execution.lastAdvancedAt }));
}

function timesOfMessages(queues: Queues): readonly LeftAt[] {
  return queues.list().flatMap(({ name }) =>
    (queues.peek(name) ?? []).map(({ messageId, sentAt, firstReceivedAt = sentAt }) => {
      return { of: `message ${messageId} of queue ${name}`, at: firstReceivedAt };
    }),
  );
}
