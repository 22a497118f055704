import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { shown } from './contract/shown';
import { validateNames } from './validate-names';

/** Settings of a {@link FailureDestination}. */
export interface FailureDestinationOptions {
  /**
   * Whether deliveries are sent as well that are refused for good: without a usable key, with a payload that cannot be
   * hashed, with another payload than the key's, or with a key that another workflow has a record of.
   *
   * @default false
   */
  readonly refusals?: boolean;
}

/** Where a workflow sends the events whose business step has failed, or is in doubt. */
export class FailureDestination {
  /**
   * A standard queue, whose messages are JSON. The workflow may send to it, and use its KMS key for that.
   *
   * @throws Error for a FIFO queue, and for what is no queue
   */
  static queue(queue: IQueue, options: FailureDestinationOptions = {}): FailureDestination {
    if (typeof queue?.queueUrl !== 'string')
      throw new Error(`\`FailureDestination.queue\` takes a queue, got ${shown(queue)}`);
    if (queue.fifo) {
      throw new Error(
        `\`FailureDestination.queue\` takes a standard queue, got the FIFO queue ${queue.node.path}, which drops a ` +
          'message that is sent again and holds others back; use a standard one',
      );
    }
    return new FailureDestination({ kind: 'queue', queue }, isWithRefusals(options));
  }

  /**
   * An event bus: the events have the source `onceflow` and the detail type `Step Failed`, `Step In Doubt` or
   * `Delivery Refused`. The workflow may put events on it; a KMS key of the bus is the bus's own to permit.
   *
   * @throws Error for what is no event bus
   */
  static eventBus(bus: IEventBus, options: FailureDestinationOptions = {}): FailureDestination {
    if (typeof bus?.eventBusArn !== 'string')
      throw new Error(`\`FailureDestination.eventBus\` takes an event bus, got ${shown(bus)}`);
    return new FailureDestination({ kind: 'eventBus', bus }, isWithRefusals(options));
  }

  private constructor(
    readonly target: FailureTarget,
    /** True where refused deliveries are sent as well. */
    readonly includesRefusals: boolean,
  ) {}
}

/** What is sent to. */
export type FailureTarget =
  | { readonly kind: 'queue'; readonly queue: IQueue }
  | { readonly kind: 'eventBus'; readonly bus: IEventBus };

function isWithRefusals(options: FailureDestinationOptions): boolean {
  validateNames('FailureDestination', options, { refusals: true });
  const { refusals = false } = options;
  if (typeof refusals === 'boolean') return refusals;
  throw new Error(`\`refusals\` of a FailureDestination must be true or false, got ${shown(refusals)}`);
}
