import { isJsonObject, type JsonObject } from '../../json/json';
import type { StateDirectory } from '../../state/directory';
import { keyOfNumber } from '../../state/keys';
import type { ValueChange } from '../../state/persistent-values';
import { loadItems } from '../../state/saved-values';
import type { Message } from '../message-queues';
import type { QueueAttributes, QueueChange, QueueTimes } from './queue';
import type { QueuesOptions } from './queues';

/** Queues in a state directory: each queue and each message is a value of its own. */
export interface SavedQueues extends Required<Pick<QueuesOptions, 'changed' | 'written' | 'writeThrough'>> {
  /**
   * Queues with their messages, as changes. A message without a queue is deleted: it was sent durably while the queue
   * was deleted, and the process was killed before it deleted the message, too.
   *
   * @throws DamagedState for content from elsewhere
   */
  load(): Promise<readonly QueueChange[]>;
}

export function savedQueues(directory: StateDirectory): SavedQueues {
  return {
    changed(changes) {
      directory.writeBehind.write(changes.map(entryOf));
    },
    writeThrough: change => directory.writeBehind.writeThrough([entryOf(change)]),
    written: () => directory.writeBehind.written(),
    async load() {
      const names = await loadItems(directory, 'queue', queueFrom);
      const found = await loadItems(directory, 'message', messageFrom);
      const known = new Set(names.map(({ queue }) => queue));
      const kept = found.filter(({ queue }) => known.has(queue));
      const orphans = found.filter(({ queue }) => !known.has(queue));
      // A queue of the same name must not get them at a later start.
      if (orphans.length > 0)
        directory.writeBehind.write(orphans.map(change => valueOfMessage({ ...change, message: undefined })));
      return [...names, ...kept];
    },
  };
}

function entryOf(change: QueueChange): ValueChange {
  if ('isDeleted' in change) return { kind: 'queue', key: change.queue, value: undefined };
  return 'attributes' in change ? valueOfQueue(change) : valueOfMessage(change);
}

function valueOfQueue({
  queue,
  attributes,
  times,
}: Extract<QueueChange, { readonly attributes: object }>): ValueChange {
  return { kind: 'queue', key: queue, value: { queue, attributes, times } };
}

type MessageChange = Extract<QueueChange, { readonly number: number }>;

/** Names of queues have no exclamation mark. */
function valueOfMessage(change: MessageChange): ValueChange {
  const { queue, number, message } = change;
  return { kind: 'message', key: keyOfNumber(queue, number), value: message };
}

function queueFrom({ queue, attributes, times }: JsonObject, key: string): QueueChange | undefined {
  if (queue !== key || !isJsonObject(attributes) || !isJsonObject(times)) return undefined;
  return { queue: key, attributes: attributes as QueueAttributes, times: times as unknown as QueueTimes };
}

function messageFrom(value: JsonObject, key: string): MessageChange | undefined {
  const [, queue, digits] = /^([^!]+)!(\d+)$/.exec(key) ?? [];
  if (queue === undefined || typeof value['body'] !== 'string') return undefined;
  return { queue, number: Number(digits), message: value as unknown as Message };
}
