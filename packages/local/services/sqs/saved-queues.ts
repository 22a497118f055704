import { isJsonObject, type Json } from '../../json/json';
import { DamagedState } from '../../state/damage';
import type { StateDirectory } from '../../state/directory';
import type { Message } from '../message-queues';
import type { QueueAttributes, QueueChange, QueueTimes } from './queue';
import type { QueuesOptions } from './queues';

/** Digits of a message's number in its key, so that keys sort as numbers do. */
const NUMBER_DIGITS = 12;

/** Queues in a state directory: each queue and each message is a value of its own. */
export interface SavedQueues extends Required<Pick<QueuesOptions, 'changed' | 'written'>> {
  /** Queues with their messages, as changes. @throws DamagedState for what was not written here */
  load(): Promise<readonly QueueChange[]>;
}

/** The queues that a directory has. */
export function savedQueues(directory: StateDirectory): SavedQueues {
  const queues = directory.writeBehind('queue');
  const messages = directory.writeBehind('message');
  return {
    changed(changes) {
      const ofQueues = changes.flatMap(change => ('attributes' in change ? [valueOfQueue(change)] : []));
      const ofMessages = changes.flatMap(change => ('number' in change ? [valueOfMessage(change)] : []));
      if (ofQueues.length > 0) queues.write(ofQueues);
      if (ofMessages.length > 0) messages.write(ofMessages);
    },
    async written() {
      await Promise.all([queues.written(), messages.written()]);
    },
    async load() {
      const names = await directory.values('queue').load();
      const known = new Set(names.map(([name]) => name));
      const found = (await directory.values('message').load()).map(([key, value]) =>
        messageFrom(key, value as Json),
      );
      const lost = found.find(({ queue }) => !known.has(queue));
      if (lost) throw new DamagedState([`the queue ${lost.queue} is lost, of which there are messages`]);
      return [...names.map(([name, value]) => queueFrom(name, value as Json)), ...found];
    },
  };
}

function valueOfQueue({ queue, attributes, times }: Extract<QueueChange, { readonly attributes: object }>) {
  return { key: queue, value: { queue, attributes, times } };
}

/** Names of queues have no exclamation mark. */
function valueOfMessage(change: Extract<QueueChange, { readonly number: number }>) {
  const { queue, number, message } = change;
  return { key: `${queue}!${String(number).padStart(NUMBER_DIGITS, '0')}`, value: message };
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
