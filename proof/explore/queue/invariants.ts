import type { Message, QueueEvent, QueueState, QueueStep, QueueSubject } from './model';

/** What must hold of a step of the queue, and a sentence that says it. */
export interface QueueInvariant {
  readonly name: string;
  readonly says: string;
  /** Whether a step breaks it. */
  readonly isBrokenBy: (subject: QueueSubject, before: QueueState, step: QueueStep) => boolean;
}

type Returned = Extract<QueueEvent, { kind: 'returned' }>;

/** For how long a message that could not be started is hidden, by its receives, in seconds. */
const START_DELAYS_SECONDS = [60, 300, 900, 3600];

/** What a check, repeated once, and the margin of the message add, in seconds. */
const MARGIN_SECONDS = 120;

/** All invariants of single steps. `everythingEnds` is about the whole search. */
export const QUEUE_INVARIANTS: readonly QueueInvariant[] = [
  {
    name: 'onlyFinishedIsDeleted',
    says: 'a message is deleted only if the execution that was started for it has finished its key, or the record has answered it',
    isBrokenBy: (_, before, { event }) =>
      event?.kind === 'deleted' && before.messages[event.message]?.isFinished !== true,
  },
  {
    name: 'receivesAreDue',
    says: 'a message is received again, or moved to the dead-letter queue, only if a start for it is over without having finished the key, twelve hours have passed, or a fault has cost a receive',
    isBrokenBy: (_, before, { event, after }) => {
      if (event?.kind !== 'received' && event?.kind !== 'dead') return false;
      const { receives } = before.messages[event.message] as Message;
      const { paid } = (event.kind === 'dead' ? before : after).messages[event.message] as Message;
      return receives > paid;
    },
  },
  {
    name: 'finishedIsNotDead',
    says: 'without a fault no message whose key is finished within hours is in the dead-letter queue',
    isBrokenBy: ({ faults, runSeconds }, before, { event }) =>
      event?.kind === 'dead' &&
      runSeconds !== undefined &&
      before.faults === faults &&
      before.messages[event.message]?.isFinished === true,
  },
  {
    name: 'overComesBack',
    says: 'a check that finds the key failed, held or rejected leaves the message, which is visible within a minute',
    isBrokenBy: (_, _before, { event }) =>
      isChecked(event) &&
      event.isKept &&
      event.invocation.isOver &&
      hasRead(event) &&
      !event.invocation.isDisturbed,
  },
  {
    name: 'idleComesBack',
    says: 'if nothing more comes of a key, its message is visible after 64 times the time of its step, or as long again as it was at work',
    isBrokenBy: ({ checkAfterSeconds, stepSeconds }, _, { after }) =>
      after.messages.some(({ idleFor, sinceReceive }) => {
        const longest = Math.max(64 * Math.max(checkAfterSeconds, stepSeconds), sinceReceive - idleFor);
        return idleFor > longest + MARGIN_SECONDS;
      }),
  },
  {
    name: 'checksEnd',
    says: 'a check ends when the queue rejects the receipt handle of its message',
    isBrokenBy: (_, _before, { event }) =>
      isChecked(event) && event.isKept && !event.invocation.isDisturbed && event.invocation.isRejected,
  },
  {
    name: 'faultsAreRepeated',
    says: 'a check whose delete, or whose hiding, was not answered comes again',
    isBrokenBy: (_, _before, { event }) => {
      if (!isChecked(event) || event.isKept) return false;
      const last = event.invocation.answers.at(-1);
      return last !== null && last !== undefined && 'error' in last && event.invocation.answers.length > 2;
    },
  },
  {
    name: 'startsAreSpread',
    says: 'a message that could not be started is hidden for a minute, 5, 15, then an hour each time',
    isBrokenBy: (_, before, { event }) => {
      if (event?.kind !== 'returned' || event.invocation.of !== 'start') return false;
      const { answers, isDisturbed, message, receive } = event.invocation;
      const { visibleIn, receives } = before.messages[message] as Message;
      if (isDisturbed || receives !== receive || !isNotStarted(answers[0])) return false;
      return visibleIn !== START_DELAYS_SECONDS[receive - 1];
    },
  },
];

function isChecked(event: QueueEvent | undefined): event is Returned {
  return event?.kind === 'returned' && event.invocation.of === 'check';
}

/** A check that comes before its time is only hidden. */
function hasRead({ invocation: { answers } }: Returned): boolean {
  const [first] = answers;
  return first !== null && first !== undefined && 'value' in first && typeof first.value === 'object';
}

function isNotStarted(answer: Returned['invocation']['answers'][number] | undefined): boolean {
  if (!answer) return false;
  return 'error' in answer || (answer.value as { readonly kind: string }).kind === 'notStarted';
}

/** The name of what the whole search must show: from each state, everything can end without another fault. */
export const EVERYTHING_ENDS = 'everythingEnds';

/** Whether everything has ended: each message is deleted or in the dead-letter queue, and no check is left. */
export function isEnded({ messages, checks, invocations }: QueueState): boolean {
  const isLeft = messages.some(({ place }) => place === 'queue');
  return !isLeft && checks.length === 0 && invocations.length === 0;
}
