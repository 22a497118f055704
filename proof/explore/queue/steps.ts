import { CHECK_MARGIN_SECONDS } from '../../../state-machine/contract/started-message';
import type { Advance, Call } from './code';
import {
  type Check,
  changed,
  faulty,
  type Invocation,
  type Message,
  paying,
  type QueueState,
  type QueueStep,
  type QueueSubject,
  withMessage,
  withoutMessage,
} from './model';
import { outcomesOf, receiptOf } from './services';
import { isOverFor, later } from './truth';
import { workflowSteps } from './workflow';

/** Seconds for which a check is invisible after a receive; `infra/sources/check-messages.ts` has the queue. */
const CHECK_VISIBILITY_SECONDS = 30;
/** How much later than it is visible a check can be received. */
const LATE_SECONDS = CHECK_MARGIN_SECONDS + 30;
/** How long each function can take, in seconds. */
const TIMEOUT_SECONDS = { start: 30, check: 25 } as const;

/** All that can happen next. `advances`: how far each invocation comes with its answers. */
export function stepsFrom(
  subject: QueueSubject,
  state: QueueState,
  advances: readonly Advance[],
): QueueStep[] {
  const alone = localOne(state, advances);
  if (alone !== undefined) {
    const { message: index, check } = state.invocations[alone] as Invocation;
    return [
      ...invocationSteps(subject, state, alone, advances[alone]),
      ...receives(subject, state, state.messages[index] as Message, index).filter(isDouble),
      ...state.checks.flatMap((one, at) =>
        one.body === check?.body ? checkReceives(state, one, at).filter(isDouble) : [],
      ),
    ];
  }
  return [
    ...state.messages.flatMap((message, index) => receives(subject, state, message, index)),
    ...state.checks.flatMap((check, index) => checkReceives(state, check, index)),
    ...state.invocations.flatMap((_, index) => invocationSteps(subject, state, index, advances[index])),
    ...workflowSteps(subject, state),
    ...passes(subject, state),
    ...lateChecks(subject, state),
  ];
}

/**
 * The first function that is alone with its message, and whose next calls nothing else can see: whatever else happens
 * next can as well happen after it. Only a fault that meets the function or its message makes a difference before.
 */
function localOne({ invocations }: QueueState, advances: readonly Advance[]): number | undefined {
  const index = invocations.findIndex(({ message }, at) => {
    const isAlone = invocations.every((other, of) => of === at || other.message !== message);
    return isAlone && advances[at]?.waitsFor.every(({ service }) => LOCAL.has(service));
  });
  return index === -1 ? undefined : index;
}

/** Calls that only change a message of a queue. */
const LOCAL: ReadonlySet<Call['service']> = new Set(['hide', 'sendCheck', 'remove']);

const isDouble = ({ name }: QueueStep) => name.startsWith('double');

function receives(subject: QueueSubject, state: QueueState, message: Message, index: number): QueueStep[] {
  const { place, visibleIn, receives: before } = message;
  if (place !== 'queue') return [];
  const isSpent = before === subject.maxReceiveCount;
  if (visibleIn > 0) {
    // A standard queue delivers at least once.
    if (subject.isFifo || state.faults === 0 || isSpent || before === 0) return [];
    const { step } = received(subject, faulty(state), message, index);
    return [{ ...step, name: `double${index}` }];
  }
  if (isSpent) {
    const after = withoutMessage(state, index, 'dead');
    return [{ name: `dead${index}`, after, event: { kind: 'dead', message: index } }];
  }
  return [received(subject, state, message, index).step];
}

function received(
  subject: QueueSubject,
  state: QueueState,
  { body, receives: before }: Message,
  index: number,
) {
  const receive = before + 1;
  const changes = { receives: receive, visibleIn: subject.visibilitySeconds, sinceReceive: 0, idleFor: 0 };
  const taken = withMessage(state, index, changes);
  const isRejected = body === 'malformed' || body === 'no key';
  const input = JSON.stringify({
    messageId: `m${index}`,
    receiptHandle: receiptOf(index, receive),
    body: body === 'malformed' ? 'no JSON' : '{}',
    attributes: { ApproximateReceiveCount: String(receive) },
  });
  const invocation: Invocation = { of: 'start', message: index, receive, input, ...BEGUN };
  const after = invoking(isRejected ? paying(taken, index) : taken, invocation);
  const event = { kind: 'received', message: index } as const;
  return { step: { name: `receive${index}`, after, event } };
}

const BEGUN = { answers: [], isDisturbed: false, isRejected: false, isOver: false } as const;

function invoking(state: QueueState, invocation: Invocation): QueueState {
  return { ...state, invocations: [...state.invocations, invocation] };
}

function checkReceives(state: QueueState, check: Check, index: number): QueueStep[] {
  const name = `check${index}`;
  if (check.visibleIn === 0) return [{ name, after: checkReceived(state, check, index) }];
  if (state.faults === 0 || check.receives === 0) return [];
  return [{ name: `double-${name}`, after: checkReceived(faulty(state), check, index) }];
}

function checkReceived(state: QueueState, check: Check, index: number): QueueState {
  const receive = check.receives + 1;
  const changes = { receives: receive, visibleIn: CHECK_VISIBILITY_SECONDS };
  const input = JSON.stringify({
    messageId: 'check',
    receiptHandle: 'check',
    body: check.body,
    attributes: { ApproximateReceiveCount: String(receive) },
  });
  const invocation: Invocation = { of: 'check', message: check.message, receive, check, input, ...BEGUN };
  return invoking(
    { ...state, checks: changed(state.checks, index, changes) },
    { ...invocation, isOver: isOverFor(state, invocation) },
  );
}

function invocationSteps(
  subject: QueueSubject,
  state: QueueState,
  index: number,
  advance: Advance | undefined,
): QueueStep[] {
  const invocation = state.invocations[index] as Invocation;
  const { waitsFor = [], isKept } = advance ?? {};
  const faults = state.faults > 0 ? invocationFaults(subject, state, invocation, index) : [];
  const next =
    isKept === undefined
      ? callSteps(subject, state, invocation, index, waitsFor)
      : returns(state, invocation, index, isKept);
  return [...next, ...faults];
}

function callSteps(
  subject: QueueSubject,
  state: QueueState,
  invocation: Invocation,
  index: number,
  waitsFor: readonly Call[],
): QueueStep[] {
  const who = `${invocation.of}${invocation.message}`;
  return waitsFor.flatMap(call =>
    outcomesOf(subject, state, invocation, call).map(outcome => {
      const { sign, state: served, answer, disturbs, rejects, event } = outcome;
      const answers = Array.from({ length: Math.max(invocation.answers.length, call.index + 1) }, (_, at) =>
        at === call.index ? answer : (invocation.answers[at] ?? null),
      );
      const isDisturbed = invocation.isDisturbed || disturbs === true;
      const isRejected = invocation.isRejected || rejects === true;
      const invocations = changed(served.invocations, index, { answers, isDisturbed, isRejected });
      const name = `${who}.${call.service}${call.service === 'hide' ? `-${call.given[0]}` : ''}${sign}`;
      return { name, after: { ...served, invocations }, ...(event && { event }) };
    }),
  );
}

/** The function has returned: what it does not name as failed is deleted from its queue. */
function returns(state: QueueState, invocation: Invocation, index: number, isKept: boolean): QueueStep[] {
  const { of, message, receive, check } = invocation;
  const ended = { ...state, invocations: state.invocations.filter((_, at) => at !== index) };
  const returned = { kind: 'returned', invocation, isKept } as const;
  const name = `return-${of}${message}`;
  if (isKept) return [{ name, after: ended, event: returned }];
  const lost: QueueStep[] = [];
  if (state.faults > 0) lost.push({ name: `${name}:undeleted`, after: faulty(ended), event: returned });
  if (of === 'check') {
    const checks = ended.checks.filter(({ body }) => body !== check?.body);
    return [{ name, after: { ...ended, checks }, event: returned }, ...lost];
  }
  const { place, receives: last } = state.messages[message] as Message;
  if (place !== 'queue' || last !== receive) return [{ name, after: ended, event: returned }];
  const after = withoutMessage(ended, message, 'deleted');
  return [{ name, after, event: { kind: 'deleted', message } }, ...lost];
}

function invocationFaults(
  subject: QueueSubject,
  state: QueueState,
  invocation: Invocation,
  index: number,
): QueueStep[] {
  const { of, message, isDisturbed } = invocation;
  const killed = { ...state, invocations: state.invocations.filter((_, at) => at !== index) };
  const disturbed = { ...state, invocations: changed(state.invocations, index, { isDisturbed: true }) };
  const slow = later(subject, faulty(disturbed), TIMEOUT_SECONDS[of] - 1);
  return [
    { name: `kill-${of}${message}`, after: faulty(killed) },
    // Its next answer takes nearly all of its time.
    ...(isDisturbed ? [] : [{ name: `slow-${of}${message}`, after: slow }]),
  ];
}

/** A check is received later than its margin, as when Lambda has no capacity: its message is visible by then. */
function lateChecks(subject: QueueSubject, state: QueueState): QueueStep[] {
  const { faults, checks, invocations } = state;
  const isDue = faults > 0 && invocations.length === 0 && checks.some(({ visibleIn }) => visibleIn === 0);
  return isDue ? [{ name: 'late-check', after: later(subject, faulty(state), LATE_SECONDS) }] : [];
}

/** Time passes to the next moment at which something is visible or due. Functions and claims take none. */
function passes(subject: QueueSubject, state: QueueState): QueueStep[] {
  const { messages, checks, executions, invocations } = state;
  if (invocations.length > 0 || checks.some(({ visibleIn }) => visibleIn === 0)) return [];
  const decisions = executions.flatMap(({ recoversWithin, endsWithin }) => [
    ...(recoversWithin === undefined ? [] : [recoversWithin]),
    ...(endsWithin === undefined ? [] : [endsWithin]),
  ]);
  const isClaiming = executions.some(({ status, phase }) => status === 'RUNNING' && phase === 'begun');
  if (decisions.includes(0) || isClaiming) return [];
  const waiting = messages.filter(({ place }) => place === 'queue');
  // Its first receive can come at any time.
  if (waiting.some(({ visibleIn, receives: before }) => visibleIn === 0 && before > 0)) return [];
  const times = [...waiting, ...checks].map(({ visibleIn }) => visibleIn).filter(seconds => seconds > 0);
  const seconds = Math.min(...times, ...decisions);
  return Number.isFinite(seconds) ? [{ name: `pass${seconds}`, after: later(subject, state, seconds) }] : [];
}
