import { Duration } from 'aws-cdk-lib';
import type { Delivery, IdempotencyProps } from '../state-machine/options/options';
import type { RedeliveryTimes } from '../state-machine/recovery/redelivery-states';
import { describeValue } from '../state-machine/words/describe-value';
import { validateNames } from '../state-machine/words/validate-names';
import { RETENTION_DEFAULT } from './cdk/defaults';

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

/** The options of a workflow that decide whether its failed events are delivered again. */
interface RedeliveryChoices
  extends Pick<IdempotencyProps, 'onFailedBefore' | 'retention' | 'failedRetention'> {
  readonly recovery?: { readonly redeliverFailed: RedeliveryTimes | undefined };
  readonly delivery?: Delivery;
}

/**
 * How an event is delivered again whose step has failed; undefined: not at all.
 *
 * @throws Error where a delivery would not run the step again, or not as the next attempt
 */
export function redeliveryOf({ recovery, onFailedBefore, delivery, ...props }: RedeliveryChoices) {
  const times = recovery?.redeliverFailed;
  if (!times) return undefined;
  if (onFailedBefore?.isReturned) {
    throw new Error(
      '`redeliverFailed` runs a failed step again, but OnFailed.returnStoredFailure() returns its failure instead. ' +
        'Leave one of them out',
    );
  }
  const { retention = RETENTION_DEFAULT, failedRetention = retention } = props;
  for (const [name, counts] of Object.entries({ failedRetention, retention })) {
    if (counts.isUnresolved() || counts.toSeconds() > times.maxDelay.toSeconds()) continue;
    throw new Error(
      `\`redeliverFailed\` waits up to ${times.maxDelay.toHumanString()}, but the record of the event expires after ` +
        `${counts.toHumanString()}. Use a longer \`${name}\`, or a shorter \`maxDelay\``,
    );
  }
  return { ...times, isAtMostOnce: delivery === 'at-most-once' };
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
