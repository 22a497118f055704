import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { describeValue } from './contract/describe-value';
import { busTarget, type NoticeTarget, queueTarget } from './notice-target';
import { validateNames } from './validate-names';

/**
 * Settings of a {@link FailureDestination}.
 *
 * @example
 * onFailure: FailureDestination.queue(failures, { refusals: true })
 */
export interface FailureDestinationOptions {
  /**
   * Whether deliveries are sent as well that are refused for good: without a usable key, with a payload that cannot be
   * hashed, with another payload than the key's, or with a key that another workflow has a record of.
   *
   * @default false
   */
  readonly refusals?: boolean;
}

/**
 * The destination for events whose business step has failed or is in doubt.
 *
 * @example
 * onFailure: FailureDestination.queue(failures, { refusals: true })
 */
export class FailureDestination {
  /**
   * A standard queue, whose messages are JSON. The workflow may send to it, and use its KMS key for that. It refuses a
   * FIFO queue, what is no queue, and an option that there is not.
   */
  static queue(queue: IQueue, options: FailureDestinationOptions = {}): FailureDestination {
    return new FailureDestination(() => ({
      target: queueTarget('FailureDestination', queue),
      includesRefusals: isWithRefusals(options),
    }));
  }

  /**
   * An event bus: the events have the source `onceflow` and the detail type `Step Failed`, `Step In Doubt`,
   * `Delivery Refused` or `Delivery Given Up`. The workflow may put events on it; a KMS key of the bus is the bus's own
   * to permit. It refuses what is no event bus, and an option that there is not.
   */
  static eventBus(bus: IEventBus, options: FailureDestinationOptions = {}): FailureDestination {
    return new FailureDestination(() => ({
      target: busTarget('FailureDestination', bus),
      includesRefusals: isWithRefusals(options),
    }));
  }

  // What is wrong with it is said by whoever is given it, which has a place in the app.
  private constructor(private readonly settings: () => Settings) {}

  /** What is sent to. @throws Error for what cannot be */
  get target(): NoticeTarget {
    return this.settings().target;
  }

  /** True where refused deliveries are sent as well. @throws Error for options that cannot be */
  get includesRefusals(): boolean {
    return this.settings().includesRefusals;
  }
}

interface Settings {
  readonly target: NoticeTarget;
  readonly includesRefusals: boolean;
}

function isWithRefusals(options: FailureDestinationOptions): boolean {
  validateNames('FailureDestination', options, { refusals: true });
  const { refusals = false } = options;
  if (typeof refusals === 'boolean') return refusals;
  throw new Error(
    `\`refusals\` of a FailureDestination must be true or false, got ${describeValue(refusals)}`,
  );
}
