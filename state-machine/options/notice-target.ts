import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { requireUnchanged } from '../template/require-unchanged';
import { describeValue } from '../words/describe-value';
import { requireClassicBus } from './event-buses';

/** What notices are sent to. */
export type NoticeTarget =
  | { readonly kind: 'queue'; readonly queue: IQueue }
  | { readonly kind: 'eventBus'; readonly bus: IEventBus };

/**
 * A standard queue, for the destination of this name. @throws Error for a FIFO queue, and for a value that is not a
 * queue
 */
export function queueTarget(destination: string, queue: IQueue): NoticeTarget {
  if (typeof queue?.queueUrl !== 'string')
    throw new Error(`\`${destination}.queue\` takes a queue, got ${describeValue(queue)}`);
  requireUnchanged(queue, { 'AWS::SQS::Queue': ['FifoQueue'] }, queue.fifo, 'Set `fifo` of the Queue');
  if (!queue.fifo) return { kind: 'queue', queue };
  throw new Error(
    `\`${destination}.queue\` takes a standard queue, got the FIFO queue ${queue.node.path}, which drops a ` +
      'message that is sent again and holds others back; use a standard one',
  );
}

/** A classic event bus, for the destination of this name. @throws Error for any other value */
export function busTarget(destination: string, bus: IEventBus): NoticeTarget {
  requireClassicBus(`${destination}.eventBus`, bus, 'Send to a classic bus, or to a queue');
  return { kind: 'eventBus', bus };
}
