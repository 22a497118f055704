import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { describeValue } from '../words/describe-value';
import { validateNames } from '../words/validate-names';
import { busTarget, type NoticeTarget, queueTarget } from './notice-target';

/**
 * Settings of a {@link FailureDestination}.
 *
 * @example
 * onFailure: FailureDestination.queue(failures, { rejections: true })
 */
export interface FailureDestinationOptions {
  /**
   * Whether deliveries that are rejected for good are sent as well. Such a delivery has no valid key, a payload that
   * cannot be hashed, another payload under the same key, or a key that another workflow has a record of.
   *
   * @default false
   */
  readonly rejections?: boolean;
}

/**
 * The destination for events whose business step has failed or is in doubt.
 *
 * @example
 * onFailure: FailureDestination.queue(failures, { rejections: true })
 */
export class FailureDestination {
  /**
   * A standard queue, whose messages are JSON. The workflow may send to it, and may use its KMS key to do so.
   *
   * The workflow throws an error for a FIFO queue, a value that is not a queue, and an unknown option.
   */
  static queue(queue: IQueue, options: FailureDestinationOptions = {}): FailureDestination {
    return new FailureDestination(() => ({
      target: queueTarget('FailureDestination', queue),
      includesRejections: isWithRejections(options),
    }));
  }

  /**
   * An event bus: the events have the source `onceflow` and the detail type `Step Failed`, `Step In Doubt`,
   * `Delivery Rejected` or `Delivery Given Up`. The workflow may put events on it. If the bus has a KMS key, the bus
   * itself must be allowed to use it.
   *
   * The workflow throws an error for a value that is not an event bus, and for an unknown option.
   */
  static eventBus(bus: IEventBus, options: FailureDestinationOptions = {}): FailureDestination {
    return new FailureDestination(() => ({
      target: busTarget('FailureDestination', bus),
      includesRejections: isWithRejections(options),
    }));
  }

  // Validated lazily, so that the error names the construct.
  private constructor(private readonly settings: () => Settings) {}

  /** The queue or event bus. @throws Error for a value that cannot be a destination */
  get target(): NoticeTarget {
    return this.settings().target;
  }

  /** True if rejected deliveries are sent as well. @throws Error for invalid options */
  get includesRejections(): boolean {
    return this.settings().includesRejections;
  }
}

interface Settings {
  readonly target: NoticeTarget;
  readonly includesRejections: boolean;
}

function isWithRejections(options: FailureDestinationOptions): boolean {
  validateNames('FailureDestination', options, { rejections: true });
  const { rejections = false } = options;
  if (typeof rejections === 'boolean') return rejections;
  throw new Error(
    `\`rejections\` of a FailureDestination must be true or false, got ${describeValue(rejections)}`,
  );
}
