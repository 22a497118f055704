import type { Queues } from '@onceflow/local';
import type { Channel, ChannelContext } from './channel';

/** The queue: a function takes its messages in batches, and hands each to the dispatcher. */
export function queueChannel({ stack: { queues, output } }: ChannelContext): Channel {
  const queue = output('QueueUrl');
  const deadLetterQueue = output('DeadLetterQueueUrl');
  return {
    async deliver(event) {
      const sent = queues.send(queue, JSON.stringify(event));
      if (!sent) return { kind: 'failed', message: `there is no queue ${queue}` };
      await gone(queues, queue, sent.messageId);
      if (!isIn(queues, deadLetterQueue, sent.messageId)) return { kind: 'taken' };
      return { kind: 'failed', message: 'it could not be started, and is in the dead-letter queue' };
    },
  };
}

function isIn(queues: Queues, queue: string, messageId: string): boolean {
  return queues.peek(queue)?.some(message => message.messageId === messageId) ?? false;
}

/** Resolves when a message is not in a queue any more. */
function gone(queues: Queues, queue: string, messageId: string): Promise<void> {
  return new Promise(resolve => {
    const resolveIfGone = () => {
      if (isIn(queues, queue, messageId)) return;
      unwatch();
      resolve();
    };
    const unwatch = queues.watch(queue, resolveIfGone);
    resolveIfGone();
  });
}
