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
   * A standard queue, whose messages are JSON. The workflow may send to it, and use its KMS key for that. It refuses a
   * FIFO queue, and what is no queue.
   */
  static queue(queue: IQueue): SuccessDestination {
    return new SuccessDestination(() => queueTarget('SuccessDestination', queue));
  }

  /**
   * An event bus: the events have the source `onceflow` and the detail type `Step Completed`. The workflow may put
   * events on it; a KMS key of the bus is the bus's own to permit. It refuses what is no event bus.
   */
  static eventBus(bus: IEventBus): SuccessDestination {
    return new SuccessDestination(() => busTarget('SuccessDestination', bus));
  }

  // What is wrong with it is said by whoever is given it, which has a place in the app.
  private constructor(private readonly settings: () => NoticeTarget) {}

  /** What is sent to. @throws Error for what cannot be */
  get target(): NoticeTarget {
    return this.settings();
  }
}
