/** What one message of the queue is: a payload of the key, an event without a usable key, or no JSON object. */
export type Body = 'payload' | 'other payload' | 'no key' | 'malformed';

/** The subject of the exploration: the queue, its messages, and the times that decide. */
export interface QueueSubject {
  readonly name: string;
  /** A FIFO queue takes no receipt handle but that of the last receive, and only while the message is invisible. */
  readonly isFifo: boolean;
  readonly messages: readonly Body[];
  readonly faults: number;
  readonly checkAfterSeconds: number;
  /** How long the step can run: recovery redrives its execution a little later. */
  readonly stepSeconds: number;
  /** How long an execution can run without an end. Undefined: it can run for days. */
  readonly runSeconds: number | undefined;
  readonly visibilitySeconds: number;
  readonly maxReceiveCount: number;
}

/** An execution as far as the queue's functions can see what it does. */
export interface Execution {
  readonly payload: Body;
  /** Whether it has the name of the key, under which the next start finds it. */
  readonly isNamed: boolean;
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';
  /** Before its claim, in its step, or after the write of its end. */
  readonly phase: 'begun' | 'working' | 'written';
  /** Seconds since its end; undefined while it is running. More than recovery can take are not counted. */
  readonly endedFor?: number;
  /** Seconds within which it ends; undefined if it can run on, or has ended. */
  readonly endsWithin?: number;
  /** Seconds within which recovery decides about it; undefined if recovery has nothing to decide, or was lost. */
  readonly recoversWithin?: number;
  readonly isRedriven?: boolean;
  /** Whether recovery has released the key, and is about to deliver the event again. */
  readonly isReleased?: boolean;
  /** The execution whose event recovery has delivered again. */
  readonly redeliveryOf?: number;
}

/** The record of the key; the owner is the index of an execution. */
export interface KeyRecord {
  readonly status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'HELD' | 'RELEASED';
  readonly owner: number;
  readonly payload: Body;
}

/** An execution that was started for a message, or found running under the name of its key. */
export interface Started {
  readonly execution: number;
  /** Whether it was over, without having finished the key: one receive is due to it. */
  readonly isSpent: boolean;
}

/** A message of the source's queue. */
export interface Message {
  readonly body: Body;
  readonly place: 'queue' | 'deleted' | 'dead';
  readonly receives: number;
  /** Seconds until it is visible. */
  readonly visibleIn: number;
  /** Seconds since its last receive: a receipt handle is good for twelve hours. */
  readonly sinceReceive: number;
  readonly starts: readonly Started[];
  /** Receives that something accounts for, beyond the first. */
  readonly paid: number;
  /** Whether its key has been finished by an execution started for it, or its record has answered a start. */
  readonly isFinished: boolean;
  /** Seconds without anything that works on its key, or is about to. */
  readonly idleFor: number;
}

/** A check in the queue of started messages. */
export interface Check {
  /** The body, as the function has sent it. */
  readonly body: string;
  readonly message: number;
  readonly execution: number;
  readonly receives: number;
  readonly visibleIn: number;
}

/** The answer of a service to one call of a function; null while there is none. */
export type Answer = { readonly value: unknown } | { readonly error: string } | null;

/** A function at work on one message or check. */
export interface Invocation {
  readonly of: 'start' | 'check';
  /** The message; of a check the message that it is for. */
  readonly message: number;
  /** The receive that it is for: of the message, or of the check. */
  readonly receive: number;
  readonly check?: Check;
  /** Its record of the queue, as Lambda gives it. */
  readonly input: string;
  readonly answers: readonly Answer[];
  /** Whether a fault has met it. */
  readonly isDisturbed: boolean;
  /** Whether the queue has rejected the receipt handle of the message. */
  readonly isRejected: boolean;
  /** Whether the key was over at each moment so far. */
  readonly isOver: boolean;
}

/** One moment of everything. */
export interface QueueState {
  readonly record?: KeyRecord;
  readonly executions: readonly Execution[];
  readonly messages: readonly Message[];
  readonly checks: readonly Check[];
  readonly invocations: readonly Invocation[];
  /** Faults that can still happen. */
  readonly faults: number;
}

/** Something that can happen, and what is then. */
export interface QueueStep {
  readonly name: string;
  readonly after: QueueState;
  readonly event?: QueueEvent;
}

/** What a step did, as far as an invariant judges it. */
export type QueueEvent =
  | { readonly kind: 'received' | 'dead' | 'deleted'; readonly message: number }
  | { readonly kind: 'returned'; readonly invocation: Invocation; readonly isKept: boolean };

const SENT = { receives: 0, visibleIn: 0, sinceReceive: 0, paid: 0, idleFor: 0, starts: [] };

/** The first moment: all messages have been sent. */
export function initialState({ messages, faults }: QueueSubject): QueueState {
  return {
    executions: [],
    messages: messages.map(body => ({ body, place: 'queue', isFinished: false, ...SENT })),
    checks: [],
    invocations: [],
    faults,
  };
}

/** A list with one element changed. */
export function changed<Of>(list: readonly Of[], index: number, change: Partial<Of>): readonly Of[] {
  return list.map((one, at) => (at === index ? { ...one, ...change } : one));
}

/** The state with one message changed. */
export function withMessage(state: QueueState, index: number, change: Partial<Message>): QueueState {
  return { ...state, messages: changed(state.messages, index, change) };
}

/** The state with one message gone from the queue: nothing else of it decides anything any more. */
export function withoutMessage(state: QueueState, index: number, place: 'deleted' | 'dead'): QueueState {
  return withMessage(state, index, { ...SENT, isFinished: false, place });
}

/** The state with one execution changed. */
export function withExecution(state: QueueState, index: number, change: Partial<Execution>): QueueState {
  return { ...state, executions: changed(state.executions, index, change) };
}

/** The state with another receive accounted for: of one message, or of each. */
export function paying(state: QueueState, of?: number, receives = 1): QueueState {
  const messages = state.messages.map((message, index) =>
    of === undefined || of === index ? { ...message, paid: message.paid + receives } : message,
  );
  return { ...state, messages };
}

/** A fault: one less is left, and each message may be received once more. */
export function faulty(state: QueueState, receives = 1): QueueState {
  return paying({ ...state, faults: state.faults - 1 }, undefined, receives);
}

/** What an ARN of the model says: the index of its execution. */
export const arnOf = (execution: number) => `arn:${execution}`;
/** The index of the execution that an ARN names. */
export const indexOf = (arn: string) => Number(arn.slice('arn:'.length));
