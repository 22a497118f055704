import { isJsonObject, type Json } from '../../json/json';
import { DamagedState } from '../../state/damage';
import type { StateDirectory } from '../../state/directory';
import type { ValueChange } from '../../state/persistent-values';
import type { Message } from '../message-queues';
import type { QueueAttributes, QueueChange, QueueTimes } from './queue';
import type { QueuesOptions } from './queues';

/** Digits of a message's number in its key, so that keys sort as numbers do. */
const NUMBER_DIGITS = 12;

/** Queues in a state directory: each queue and each message is a value of its own. */
export interface SavedQueues extends Required<Pick<QueuesOptions, 'changed' | 'written' | 'writeThrough'>> {
  /** Queues with their messages, as changes. @throws DamagedState for what was not written here */
  load(): Promise<readonly QueueChange[]>;
}

/** The queues that a directory has. */
export function savedQueues(directory: StateDirectory): SavedQueues {
  return {
    changed(changes) {
      directory.writeBehind.write(changes.map(entryOf));
    },
    writeThrough: change => directory.writeBehind.writeThrough([entryOf(change)]),
    written: () => directory.writeBehind.written(),
    async load() {
      const names = await directory.load('queue');
      const known = new Set(names.map(([name]) => name));
      const found = (await directory.load('message')).map(([key, value]) => messageFrom(key, value as Json));
      const lost = found.find(({ queue }) => !known.has(queue));
      if (lost) throw new DamagedState([`the queue ${lost.queue} is lost, of which there are messages`]);
      return [...names.map(([name, value]) => queueFrom(name, value as Json)), ...found];
    },
  };
}

function entryOf(change: QueueChange): ValueChange {
  return 'attributes' in change ? valueOfQueue(change) : valueOfMessage(change);
}

function valueOfQueue({
  queue,
  attributes,
  times,
}: Extract<QueueChange, { readonly attributes: object }>): ValueChange {
  return { kind: 'queue', key: queue, value: { queue, attributes, times } };
}

/** Names of queues have no exclamation mark. */
function valueOfMessage(change: Extract<QueueChange, { readonly number: number }>): ValueChange {
  const { queue, number, message } = change;
  const key = `${queue}!${String(number).padStart(NUMBER_DIGITS, '0')}`;
  return { kind: 'message', key, value: message };
}

function queueFrom(key: string, value: Json): QueueChange {
  const { attributes, times } = isJsonObject(value) && value['queue'] === key ? value : {};
  if (isJsonObject(attributes) && isJsonObject(times)) {
    return { queue: key, attributes: attributes as QueueAttributes, times: times as unknown as QueueTimes };
  }
  throw new DamagedState([`queue ${JSON.stringify(key)} is not what was written`]);
}

function messageFrom(key: string, value: Json): QueueChange {
  const [, queue, digits] = /^([^!]+)!(\d+)$/.exec(key) ?? [];
  if (queue !== undefined && isJsonObject(value) && typeof value['body'] === 'string') {
    return { queue, number: Number(digits), message: value as unknown as Message };
  }
  throw new DamagedState([`message ${JSON.stringify(key)} is not what was written`]);
}
