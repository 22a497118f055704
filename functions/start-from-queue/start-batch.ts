import { startDelaySeconds } from '../../state-machine/contract/start-delay';
import type { StartedMessage } from '../../state-machine/contract/started-message';

/** An SQS batch, as far as it is read. */
export interface Batch {
  readonly Records: readonly Message[];
}

interface Message {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly eventSourceARN?: string;
  readonly attributes: { readonly ApproximateReceiveCount: string; readonly MessageGroupId?: string };
}

/** What came of a start. */
export type Started =
  /** With the dispatcher's output. */
  | { readonly kind: 'started'; readonly output: string | undefined }
  /** An Express workflow has run and failed, or the message is none that could ever be started. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'notStarted'; readonly reason: string };

/**
 * Starts one delivery, given as JSON text. A rejection counts as not started, because the start may or may not have
 * happened.
 */
export type Start = (input: string) => Promise<Started>;

/** Keeps a message out of sight for so many seconds from now. A rejection is logged, and changes nothing else. */
export type Postpone = (receiptHandle: string, seconds: number) => Promise<void>;

/**
 * Keeps a message that has been started until its key is finished. A rejection is reported, and changes nothing else.
 */
export type Hold = (receiptHandle: string, message: StartedMessage) => Promise<void>;

/** What a batch is started with. */
export interface Starting {
  readonly start: Start;
  readonly postpone: Postpone;
  /** Absent: what has been started is gone. */
  readonly hold?: Hold;
  /** Gets each message that stays in the queue for a fault, by its id and reason, never by its content. */
  readonly complain: (text: string) => void;
  /** A number from 0 to 1, by which messages that could not be started come again one after the other. */
  readonly chance?: () => number;
}

/** The answer of a partial batch: what is named comes again, everything else is gone. */
export interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/** The longest input of an execution, in bytes of UTF-8. */
const INPUT_BYTES_MAX = 262_144;

/**
 * Starts each message separately: one that is malformed or cannot be started blocks no other. Of a FIFO queue the
 * messages of a group are started in order, and none behind one that stays.
 *
 * A message that could not be started is postponed, each time for longer: it would otherwise use up its receives within
 * minutes, and be in the dead-letter queue without a start. One that fails comes again as its queue says.
 */
export async function startBatch({ Records }: Batch, starting: Starting): Promise<BatchAnswer> {
  const staying = await Promise.all(inGroups(Records).map(group => stayingOf(group, starting)));
  const ids = new Set(staying.flat());
  // In the order of the batch.
  const failures = Records.filter(({ messageId }) => ids.has(messageId));
  return { batchItemFailures: failures.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** The ids of the messages that stay, out of some that are started one after the other. */
async function stayingOf(messages: readonly Message[], starting: Starting): Promise<readonly string[]> {
  for (const [index, message] of messages.entries()) {
    if (await staysInTheQueue(message, starting))
      return messages.slice(index).map(({ messageId }) => messageId);
  }
  return [];
}

/** Messages whose order counts, together: those of a message group of a FIFO queue. */
function inGroups(messages: readonly Message[]): readonly (readonly Message[])[] {
  const groups = new Map<string, Message[]>();
  for (const message of messages) {
    const { messageId, eventSourceARN, attributes } = message;
    // The groups of a standard queue are for fairness.
    const isFifo = eventSourceARN?.endsWith('.fifo') ?? false;
    const group = isFifo ? `group ${attributes?.MessageGroupId}` : `message ${messageId}`;
    groups.set(group, [...(groups.get(group) ?? []), message]);
  }
  return [...groups.values()];
}

async function staysInTheQueue(message: Message, starting: Starting): Promise<boolean> {
  const { start, postpone, hold, complain, chance = Math.random } = starting;
  const { messageId, receiptHandle, body, attributes } = message;
  const tell = (text: string, reason: string) => {
    complain(JSON.stringify({ message: text, messageId, reason }));
  };
  const started = await startedFrom(body, start);
  if (started.kind !== 'started') {
    tell('not started', started.reason);
    if (started.kind === 'failed') return true;
    const seconds = startDelaySeconds(Number(attributes.ApproximateReceiveCount), chance());
    await postpone(receiptHandle, seconds).catch(error => tell('not postponed', reasonOf(error)));
    return true;
  }
  if (hold === undefined) return false;
  const { duplicateOf, executionArn, recordKey } = outputIn(started.output);
  if (duplicateOf !== undefined) return false;
  if (executionArn === undefined || recordKey === undefined) {
    // Without a key there is nothing to look at; nor where a start's answer was lost: the next receive finds it.
    if (executionArn !== undefined) tell('cannot finish', 'the event has no usable idempotency key');
    return true;
  }
  try {
    await hold(receiptHandle, { messageId, receiptHandle, executionArn, recordKey });
  } catch (error) {
    tell('started, but not held', reasonOf(error));
  }
  return true;
}

async function startedFrom(body: string, start: Start): Promise<Started> {
  const problem = problemOf(body);
  if (problem !== undefined) return { kind: 'failed', reason: problem };
  try {
    return await start(body);
  } catch (error) {
    return { kind: 'notStarted', reason: reasonOf(error) };
  }
}

/** What the dispatcher says of a start: the execution and its record's key, or which execution answers already. */
function outputIn(text: string | undefined): Readonly<Record<string, string | undefined>> {
  const output: unknown = JSON.parse(text ?? '{}');
  return typeof output === 'object' && output !== null ? { ...output } : {};
}

/** An error's name; of a failure of the network, whose name is just `Error`, its code, such as ENOTFOUND. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' && 'code' in error ? String(error.code) : error.name;
}

/** Why a body is not an event: another delivery will not help, so the queue's redrive policy must move it away. */
function problemOf(body: string): string | undefined {
  if (Buffer.byteLength(body) > INPUT_BYTES_MAX) return `the body has more than ${INPUT_BYTES_MAX} bytes`;
  try {
    const event: unknown = JSON.parse(body);
    return typeof event === 'object' && event !== null && !Array.isArray(event)
      ? undefined
      : 'the body is not a JSON object';
  } catch {
    return 'the body is not JSON';
  }
}
