import type { Call } from './code';
import {
  type Answer,
  type Check,
  changed,
  faulty,
  type Invocation,
  indexOf,
  type Message,
  paying,
  type QueueEvent,
  type QueueState,
  type QueueSubject,
  withMessage,
  withoutMessage,
} from './model';
import { readRecord } from './truth';
import { dispatched } from './workflow';

/** What a service does with a call, and answers. */
export interface Outcome {
  /** Added to the name of the service. */
  readonly sign: string;
  readonly state: QueueState;
  readonly answer: Answer;
  /** Whether it is a fault that the function meets on its way. */
  readonly disturbs?: boolean;
  /** Whether the queue rejects the receipt handle of the message. */
  readonly rejects?: boolean;
  readonly event?: QueueEvent;
}

const FAULT: Answer = { error: 'Fault' };
const DELAY_SECONDS_MAX = 900;
/** A message can be hidden for twelve hours from its receive. */
const HIDDEN_SECONDS_MAX = 43_200;

/** Everything that can come of a call at this moment. */
export function outcomesOf(
  subject: QueueSubject,
  state: QueueState,
  invocation: Invocation,
  { service, given }: Call,
): Outcome[] {
  const [one, two, three] = given as readonly [string, string, number];
  switch (service) {
    case 'start':
      return starts(state, dispatched(subject, state, invocation.message));
    case 'sendCheck':
      // SQS rejects a longer delay.
      if (Number(two) > DELAY_SECONDS_MAX) return [{ sign: '', state, answer: FAULT }];
      return withFaults(state, { state: sent(state, one, Number(two)), answer: { value: undefined } });
    case 'read':
      return withFaults(state, { state, answer: { value: readRecord(state) } });
    case 'describe':
      return statuses(state, one);
    case 'remove':
      return removals(subject, state, one);
    case 'hide':
      return one === 'source'
        ? withFaults(state, sourceHidden(subject, state, invocation, two, three))
        : withFaults(state, checkHidden(state, invocation, three));
    default:
      return service satisfies never;
  }
}

/** What a service does, and the two faults of every service: it does nothing, or its answer is lost. */
function withFaults(before: QueueState, done: Omit<Outcome, 'sign'>): Outcome[] {
  const faultless: Outcome = { sign: '', ...done };
  if (before.faults === 0) return [faultless];
  const failed: Outcome = { sign: ':rejected', state: faulty(before), answer: FAULT, disturbs: true };
  if (done.state === before) return [faultless, failed];
  return [
    faultless,
    failed,
    { ...faultless, sign: ':lost', state: faulty(done.state), answer: FAULT, disturbs: true },
  ];
}

function starts(state: QueueState, { state: after, output }: ReturnType<typeof dispatched>): Outcome[] {
  const answered = (said: object): Answer => ({ value: { kind: 'started', output: JSON.stringify(said) } });
  const faultless: Outcome = { sign: '', state: after, answer: answered(output) };
  if (state.faults === 0) return [faultless];
  const isStarted = 'executionArn' in output;
  return [
    faultless,
    { sign: ':rejected', state: faulty(state), answer: { value: { kind: 'notStarted', reason: 'Fault' } } },
    { sign: ':lost', state: faulty(after), answer: FAULT },
    // The dispatcher has made its start twice, and lost the first answer.
    ...(isStarted ? [{ sign: ':before', state: faulty(after), answer: answered({}) }] : []),
  ];
}

function sent(state: QueueState, body: string, visibleIn: number): QueueState {
  const { receiptHandle, executionArn } = JSON.parse(body);
  const { message } = receiptIn(receiptHandle);
  const check: Check = { body, message, execution: indexOf(executionArn), receives: 0, visibleIn };
  return { ...state, checks: [...state.checks, check] };
}

function statuses(state: QueueState, arn: string): Outcome[] {
  const { status = 'RUNNING', isRedriven, endedFor } = state.executions[indexOf(arn)] ?? {};
  const answered = (sign: string, value: string | undefined, of = state): Outcome => {
    const ended = value === status && endedFor !== undefined ? { endedSecondsAgo: endedFor } : {};
    return {
      sign,
      state: of,
      answer: { value: value === undefined ? undefined : { status: value, ...ended } },
    };
  };
  const isRunning = status === 'RUNNING';
  const pending = isRunning && isRedriven ? [answered(':pending', 'PENDING_REDRIVE')] : [];
  const described = withFaults(state, answered('', status));
  if (state.faults === 0) return [...described, ...pending];
  // DescribeExecution is eventually consistent.
  const old = isRunning
    ? answered(':unknown', undefined, faulty(state))
    : answered(':old', 'RUNNING', faulty(state));
  return [...described, ...pending, { ...old, disturbs: true }];
}

/** The text of a receipt handle: of one receive of one message. */
export const receiptOf = (message: number, receive: number) => `m${message}-r${receive}`;

function receiptIn(handle: string): { readonly message: number; readonly receive: number } {
  const [message = '', receive = ''] = handle.slice(1).split('-r');
  return { message: Number(message), receive: Number(receive) };
}

/** The message of a receipt handle, and whether the handle is that of its last receive. */
function received(state: QueueState, handle: string) {
  const { message: index, receive } = receiptIn(handle);
  const message = state.messages[index] as Message;
  return { index, message, isLast: message.place === 'queue' && message.receives === receive };
}

type Received = ReturnType<typeof received>;

/** Whether the queue rejects the handle of a message that it still has. */
function isExpired({ isFifo }: QueueSubject, { message, isLast }: Received): boolean {
  return isFifo && message.place === 'queue' && (!isLast || message.visibleIn === 0);
}

function removals(subject: QueueSubject, state: QueueState, handle: string): Outcome[] {
  const found = received(state, handle);
  const { index, message, isLast } = found;
  if (isExpired(subject, found)) {
    return withFaults(state, { state, answer: { value: false }, rejects: true });
  }
  const answer: Answer = { value: true };
  if (message.place !== 'queue') return withFaults(state, { state, answer });
  const event = { kind: 'deleted', message: index } as const;
  const deletes = withFaults(state, { state: withoutMessage(state, index, 'deleted'), answer, event });
  // By the handle of an earlier receive a standard queue succeeds, and may delete the message or not.
  return isLast ? deletes : [...deletes, { sign: ':earlier', state, answer }];
}

function sourceHidden(
  subject: QueueSubject,
  state: QueueState,
  { of }: Invocation,
  handle: string,
  seconds: number,
) {
  const found = received(state, handle);
  const { index, message } = found;
  // The function that starts takes a rejection for a failure.
  const rejected: Answer = of === 'start' ? FAULT : { value: false };
  if (message.place !== 'queue' || isExpired(subject, found)) {
    return { state, answer: rejected, rejects: true };
  }
  if (message.sinceReceive + seconds > HIDDEN_SECONDS_MAX) {
    return { state: paying(state, index), answer: rejected, rejects: true };
  }
  // A standard queue takes the handle of an earlier receive, and of a message that is visible again.
  return { state: withMessage(state, index, { visibleIn: seconds }), answer: { value: true } };
}

function checkHidden(state: QueueState, { check, receive }: Invocation, visibleIn: number) {
  const index = state.checks.findIndex(({ body }) => body === check?.body);
  const isLast = state.checks[index]?.receives === receive;
  if (!isLast) return { state, answer: { value: false } };
  return {
    state: { ...state, checks: changed(state.checks, index, { visibleIn }) },
    answer: { value: true },
  };
}
