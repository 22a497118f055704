import { createHash } from 'node:crypto';
import type { Message, SendOptions } from '../message-queues';

/** What the names of FIFO queues end in, and no others. */
export const FIFO_SUFFIX = '.fifo';

/** For so long a message with the deduplication id of an earlier one is accepted, and not delivered. */
const DEDUPLICATION_MS = 300_000;

/** How a FIFO queue tells messages that were sent twice. */
export interface FifoAttributes {
  /** Whether the hash of the body is the deduplication id of a message that has none. */
  readonly isContentBased: boolean;
  /** Whether a deduplication id counts within a group only. @default false */
  readonly isByGroup?: boolean;
  /** Whether AWS would limit each group and not the queue: stored and returned. @default false */
  readonly isLimitedByGroup?: boolean;
}

/** The attributes of a queue, as far as they count here. */
interface Attributes {
  /** Of a FIFO queue. */
  readonly fifo?: FifoAttributes;
}

/** A rejection: the code of SQS, and its words. */
export interface SendFault {
  readonly code: 'MissingParameter' | 'InvalidParameterValue' | 'InvalidMessageContents';
  readonly message: string;
}

/** Why a queue does not take a message with these options, in the service's words; undefined where it does. */
export function sendFault({ fifo }: Attributes, options: SendOptions): SendFault | undefined {
  const { messageGroupId, messageDeduplicationId, delaySeconds } = options;
  const notForThisType = (name: string, value: string | number) => ({
    code: 'InvalidParameterValue' as const,
    message:
      `Value ${value} for parameter ${name} is invalid. ` +
      'Reason: The request include parameter that is not valid for this queue type.',
  });
  if (!fifo) {
    return messageDeduplicationId === undefined
      ? undefined
      : notForThisType('MessageDeduplicationId', messageDeduplicationId);
  }
  if (messageGroupId === undefined) {
    return { code: 'MissingParameter', message: 'The request must contain the parameter MessageGroupId.' };
  }
  if (delaySeconds) return notForThisType('DelaySeconds', delaySeconds);
  if (messageDeduplicationId !== undefined || fifo.isContentBased) return undefined;
  const message =
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly';
  return { code: 'InvalidParameterValue', message };
}

/** What a message for a FIFO queue has besides; nothing for a standard queue. The number grows with each message. */
export function fifoMembers(
  { fifo }: Attributes,
  {
    body,
    number,
    options,
  }: { readonly body: string; readonly number: number; readonly options: SendOptions },
): Pick<Message, 'messageDeduplicationId' | 'sequenceNumber'> {
  if (!fifo) return {};
  const sequenceNumber = `1${String(number).padStart(19, '0')}`;
  return { messageDeduplicationId: deduplicationId(body, options), sequenceNumber };
}

function deduplicationId(body: string, { messageDeduplicationId }: SendOptions): string {
  return messageDeduplicationId ?? createHash('sha256').update(body).digest('hex');
}

/** What FIFO queues were sent lately, deleted or not. What an earlier process was sent is not among it. */
export class RecentMessages<Sent> {
  readonly #sent = new Map<string, { readonly at: number; readonly answer: Sent }>();

  /**
   * The answer to the sender of an earlier message with the deduplication id of this one; undefined where there was
   * none in the last five minutes, and for a standard queue.
   *
   * @throws TypeError for options that the queue does not take
   */
  find(
    { name, attributes }: Queue,
    sent: { readonly body: string; readonly options: SendOptions },
    now: number,
  ) {
    const { body, options } = sent;
    const fault = sendFault(attributes, options);
    if (fault) throw new TypeError(`${name}: ${fault.message}`);
    const id = deduplicationId(body, options);
    const found = attributes.fifo && this.#sent.get(keyOf({ name, attributes }, id, options));
    return found && found.at + DEDUPLICATION_MS > now ? found.answer : undefined;
  }

  add(queue: Queue, message: Message, answer: Sent, now: number): void {
    const { messageDeduplicationId: id } = message;
    if (id === undefined) return;
    // In the order in which they came.
    for (const [old, { at }] of this.#sent) {
      if (at + DEDUPLICATION_MS > now) break;
      this.#sent.delete(old);
    }
    const key = keyOf(queue, id, message);
    this.#sent.delete(key);
    this.#sent.set(key, { at: now, answer });
  }

  /** Forgets what a queue was sent. */
  forget({ name }: { readonly name: string }): void {
    for (const key of [...this.#sent.keys()]) if (key.startsWith(`${name} `)) this.#sent.delete(key);
  }
}

/** Names of queues have no space. */
function keyOf(
  { name, attributes }: Queue,
  id: string,
  { messageGroupId }: { readonly messageGroupId?: string },
): string {
  return attributes.fifo?.isByGroup ? `${name} ${JSON.stringify([messageGroupId, id])}` : `${name} ${id}`;
}

/** The parts of a queue by which its messages are distinguished. */
interface Queue {
  readonly name: string;
  readonly attributes: Attributes;
}

type Numbered = readonly [number: number, message: Message];

/**
 * The messages that can be received: of each group those before its first invisible one. Groups come one after the
 * other, by when their first message became visible, as AWS was recorded; it promises no order of groups.
 */
export function inGroups(messages: Iterable<Numbered>, now: number): readonly Numbered[] {
  const groups = new Map<string, { readonly visible: Numbered[]; isHeld: boolean }>();
  for (const numbered of messages) {
    const [, { messageGroupId = '', visibleAt }] = numbered;
    const group = groups.get(messageGroupId) ?? { visible: [], isHeld: false };
    groups.set(messageGroupId, group);
    if (visibleAt > now) group.isHeld = true;
    if (!group.isHeld) group.visible.push(numbered);
  }
  const firstVisibleAt = ([first]: readonly Numbered[]) => first?.[1].visibleAt ?? now;
  return [...groups.values()]
    .map(({ visible }) => visible)
    .sort((a, b) => firstVisibleAt(a) - firstVisibleAt(b))
    .flat();
}
