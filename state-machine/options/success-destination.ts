import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { busTarget, type NoticeTarget, queueTarget } from './notice-target';

/**
 * Where a workflow sends the results of its business step.
 *
 * @example
 * onSuccess: SuccessDestination.queue(results)
 */
export class SuccessDestination {
  /**
   * A standard queue, whose messages are JSON. The workflow may send to it, and may use its KMS key to do so.
   *
   * The workflow throws an error for a FIFO queue, and for a value that is not a queue.
   */
  static queue(queue: IQueue): SuccessDestination {
    return new SuccessDestination(() => queueTarget('SuccessDestination', queue));
  }

  /**
   * An event bus: the events have the source `onceflow` and the detail type `Step Completed`. The workflow may put
   * events on it. If the bus has a KMS key, the bus itself must be allowed to use it.
   *
   * The workflow throws an error for a value that is not an event bus.
   */
  static eventBus(bus: IEventBus): SuccessDestination {
    return new SuccessDestination(() => busTarget('SuccessDestination', bus));
  }

  // Validated lazily, so that the error names the construct.
  private constructor(private readonly settings: () => NoticeTarget) {}

  /** The queue or event bus. @throws Error for a value that cannot be a destination */
  get target(): NoticeTarget {
    return this.settings();
  }
}
