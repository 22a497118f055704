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
   * A standard queue, whose messages are JSON. The workflow may send to it, and use its KMS key for that. It refuses a
   * FIFO queue, what is no queue, and an option that there is not.
   */
  static queue(queue: IQueue, options: FailureDestinationOptions = {}): FailureDestination {
    return new FailureDestination(() => {
      validateQueue(queue);
      return { target: { kind: 'queue', queue }, includesRefusals: isWithRefusals(options) };
    });
  }

  /**
   * An event bus: the events have the source `onceflow` and the detail type `Step Failed`, `Step In Doubt`,
   * `Delivery Refused` or `Delivery Given Up`. The workflow may put events on it; a KMS key of the bus is the bus's own
   * to permit. It refuses what is no event bus, and an option that there is not.
   */
  static eventBus(bus: IEventBus, options: FailureDestinationOptions = {}): FailureDestination {
    return new FailureDestination(() => {
      if (typeof bus?.eventBusArn !== 'string')
        throw new Error(`\`FailureDestination.eventBus\` takes an event bus, got ${shown(bus)}`);
      return { target: { kind: 'eventBus', bus }, includesRefusals: isWithRefusals(options) };
    });
  }

  // What is wrong with it is said by whoever is given it, which has a place in the app.
  private constructor(private readonly settings: () => Settings) {}

  /** What is sent to. @throws Error for what cannot be */
  get target(): FailureTarget {
    return this.settings().target;
  }

  /** True where refused deliveries are sent as well. @throws Error for options that cannot be */
  get includesRefusals(): boolean {
    return this.settings().includesRefusals;
  }
}

interface Settings {
  readonly target: FailureTarget;
  readonly includesRefusals: boolean;
}

/** What is sent to. */
export type FailureTarget =
  | { readonly kind: 'queue'; readonly queue: IQueue }
  | { readonly kind: 'eventBus'; readonly bus: IEventBus };

function validateQueue(queue: IQueue): void {
  if (typeof queue?.queueUrl !== 'string')
    throw new Error(`\`FailureDestination.queue\` takes a queue, got ${shown(queue)}`);
  if (!queue.fifo) return;
  throw new Error(
    `\`FailureDestination.queue\` takes a standard queue, got the FIFO queue ${queue.node.path}, which drops a ` +
      'message that is sent again and holds others back; use a standard one',
  );
}

function isWithRefusals(options: FailureDestinationOptions): boolean {
  validateNames('FailureDestination', options, { refusals: true });
  const { refusals = false } = options;
  if (typeof refusals === 'boolean') return refusals;
  throw new Error(`\`refusals\` of a FailureDestination must be true or false, got ${shown(refusals)}`);
}
