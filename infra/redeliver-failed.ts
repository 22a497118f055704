import { Duration } from 'aws-cdk-lib';
import { describeValue } from '../state-machine/contract/describe-value';
import type { RedeliveryTimes } from '../state-machine/recovery/redelivery-states';
import { validateNames } from '../state-machine/validate-names';

/**
 * Settings of `redeliverFailed`.
 *
 * @example
 * recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 10, delay: Duration.minutes(5) } })
 */
export interface RedeliverFailedOptions {
  /** How often an event whose step has failed is delivered again, from 1 to 100. */
  readonly maxAttempts: number;
  /** How long is waited before the first time; each next delay is twice as long. @default Duration.minutes(5) */
  readonly delay?: Duration;
  /** The longest delay. @default - an hour, or `delay` where that is longer */
  readonly maxDelay?: Duration;
}

/**
 * The settings with their defaults; undefined where there are none.
 *
 * @throws Error for an option that there is not, and for numbers and delays that cannot work
 */
export function redeliveryTimes(options: RedeliverFailedOptions | undefined): RedeliveryTimes | undefined {
  if (options === undefined) return undefined;
  if (typeof options !== 'object' || options === null)
    throw new Error(`\`redeliverFailed\` takes { maxAttempts: 10 }, got ${describeValue(options)}`);
  validateNames('redeliverFailed', options, { maxAttempts: true, delay: true, maxDelay: true });
  const { maxAttempts, delay = Duration.minutes(5) } = options;
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1 || maxAttempts > ATTEMPTS_MAX)
    throw wrong('maxAttempts', `a whole number from 1 to ${ATTEMPTS_MAX}`, maxAttempts);
  if (!isDelay(delay)) throw wrong('delay', DELAYS, delay);
  const hour = Duration.hours(1);
  const { maxDelay = delay.toSeconds() > hour.toSeconds() ? delay : hour } = options;
  if (!isDelay(maxDelay)) throw wrong('maxDelay', DELAYS, maxDelay);
  if (maxDelay.toSeconds() < delay.toSeconds())
    throw wrong('maxDelay', 'as long as `delay` at least', maxDelay.toHumanString());
  return { maxAttempts, delay, maxDelay };
}

/** Each delivery writes fourteen events into a history that holds 25,000, and has an execution of its own. */
const ATTEMPTS_MAX = 100;
const DELAYS = 'a Duration from 10 seconds to a day';

function isDelay(given: unknown): given is Duration {
  if (!(given instanceof Duration) || given.isUnresolved()) return false;
  return given.toSeconds() >= 10 && given.toSeconds() <= Duration.days(1).toSeconds();
}

function wrong(option: string, wanted: string, got: unknown): Error {
  return new Error(`\`${option}\` of \`redeliverFailed\` must be ${wanted}, got ${describeValue(got)}`);
}
