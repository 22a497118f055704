import { sentenceFor } from '../aws/failures';
import { Refusal } from '../program/refusal';
import { type Difference, differences, peculiarTo } from './compare';
import type { Conversation } from './conversations';
import { isUnsupported } from './deployment';
import type { Held } from './evidence';
import { latencyOf, transitionsOf } from './figures';
import type { Place } from './place';
import { NotHeld, Talk, type Transcript } from './talk';

/** How a conversation came out, and what was said there. */
export interface Outcome {
  readonly held: Held;
  readonly transcript: Transcript | undefined;
}

/** Holds a conversation there, and the same in the local runtime, and compares them event by event. */
export async function hold(
  conversation: Conversation,
  { there, local, run }: { readonly there: Place; readonly local: Place; readonly run: string },
): Promise<Outcome> {
  const { name, about } = conversation;
  const nothing = { name, about, differences: [], executions: 0, transitions: 0 };
  const talk = new Talk(there, run);
  let transcript: Transcript;
  try {
    await conversation.hold(talk);
    transcript = await talk.transcript();
  } catch (error) {
    there.aws.signal?.throwIfAborted();
    return { held: { ...nothing, verdict: 'not held', detail: reasonIn(error) }, transcript: undefined };
  }
  // What goes wrong here is an internal error.
  const own = new Talk(local, run);
  await conversation.hold(own);
  const found: readonly Difference[] = differences(
    [transcript, peculiarTo(there, run)],
    [await own.transcript(), peculiarTo(local, run)],
  );
  const executions = Object.values(transcript.executions);
  const { latencies } = talk;
  const latency = latencies.length > 1 ? latencyOf(latencies) : undefined;
  const histories = [...executions.map(({ events }) => events), ...(await talk.samples())];
  const held: Held = {
    ...nothing,
    verdict: found.length === 0 ? 'same' : 'differs',
    detail: found.length === 0 ? '' : 'not as in the local runtime',
    differences: found,
    executions: executions.length,
    transitions: histories.reduce((sum, events) => sum + transitionsOf(events), 0),
    ...(latency && { latency }),
  };
  return { held, transcript };
}

function reasonIn(error: unknown): string {
  if (error instanceof NotHeld || error instanceof Refusal) return error.message;
  const { name = 'Error', message = String(error) } = error as Partial<Error>;
  if (isUnsupported(error)) return `this endpoint does not support it: ${message}`;
  return `${sentenceFor(error, name, 'the stack')}: ${message}`;
}
