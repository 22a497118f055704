import { arnOf, type Invocation, type Message, type QueueState, type QueueSubject } from './model';

/**
 * How a key stands for a message whose delivery has started an execution, by everything there is and not by what a
 * function can ask for:
 *
 * - `finished`: by that execution, with the message's payload
 * - `at work`: an execution is running for it, or the owner of the record is
 * - `recovering`: recovery is about to decide
 * - `over`: nothing more comes of it without another start
 */
export type Standing = 'finished' | 'at work' | 'recovering' | 'over';

/** How a key stands for a message, by an execution that was started for it. */
function standingOf({ record, executions }: QueueState, execution: number): Standing {
  const own = executions[execution];
  const isOwner = record?.owner === execution;
  if (own?.status === 'SUCCEEDED' || (isOwner && record.status === 'COMPLETED')) return 'finished';
  if (record?.status === 'HELD') return 'over';
  const isOwned = record?.status === 'IN_PROGRESS' || record?.status === 'FAILED';
  const owner = isOwned ? executions[record.owner] : undefined;
  const isRedelivered = executions.some(
    ({ redeliveryOf, status }) => redeliveryOf === execution && status === 'RUNNING',
  );
  if (own?.status === 'RUNNING') return 'at work';
  // Another execution has finished it: the next delivery is a duplicate.
  if (record?.status === 'COMPLETED') return 'over';
  if (owner?.status === 'RUNNING' || isRedelivered) return 'at work';
  // A failed key is over, also if recovery may deliver an event again that was interrupted before its claim.
  if (record?.status === 'FAILED') return 'over';
  const isRecovered = [own, owner].some(one => one?.recoversWithin !== undefined);
  return isRecovered ? 'recovering' : 'over';
}

/** Whether anything works on the key of a message, or is about to. */
function isIdle(state: QueueState, message: Message): boolean {
  return message.starts.every(({ execution }) => standingOf(state, execution) === 'over');
}

/**
 * The state with what has become of each message noted: finished, and the starts that are over. A check whose record
 * changes after its read can take the key for over, which costs a receive.
 */
export function noted({ record }: QueueState, state: QueueState): QueueState {
  const isOld = ({ of, answers }: Invocation) =>
    state.record !== record && of === 'check' && answers.length > 0;
  const messages = state.messages.map((message, index) => {
    const standings = message.starts.map(({ execution }) => standingOf(state, execution));
    const starts = message.starts.map((start, index) => ({
      ...start,
      isSpent: start.isSpent || standings[index] === 'over',
    }));
    const spent = starts.filter(({ isSpent }) => isSpent).length;
    const overtaken = state.invocations.filter(one => one.message === index && isOld(one)).length;
    const before = message.starts.filter(({ isSpent }) => isSpent).length;
    return {
      ...message,
      starts,
      paid: message.paid + spent - before + overtaken,
      isFinished: message.isFinished || standings.includes('finished'),
    };
  });
  const invocations = state.invocations.map(one => ({
    ...one,
    isDisturbed: one.isDisturbed || isOld(one),
    isOver: one.isOver && isOverFor(state, one),
  }));
  return { ...state, messages, invocations };
}

/** Whether a check can see that its execution is over without having finished the key. */
export function isOverFor(state: QueueState, { check }: Pick<Invocation, 'check'>): boolean {
  if (check === undefined || standingOf(state, check.execution) !== 'over') return false;
  // Of an unfinished key it cannot see that recovery was lost.
  const status = state.record?.status ?? 'RELEASED';
  return status !== 'IN_PROGRESS' && status !== 'RELEASED';
}

/** The state some seconds later. Only a fault lets more time pass than recovery needs. */
export function later({ stepSeconds }: QueueSubject, state: QueueState, seconds: number): QueueState {
  const minus = (left: number) => Math.max(0, left - seconds);
  return {
    ...state,
    messages: state.messages.map(message => {
      if (message.place !== 'queue') return message;
      const visibleIn = minus(message.visibleIn);
      const isWaiting = message.visibleIn > 0 && message.starts.length > 0 && isIdle(state, message);
      const sinceReceive = visibleIn > 0 ? message.sinceReceive + seconds : message.sinceReceive;
      return { ...message, visibleIn, sinceReceive, idleFor: isWaiting ? message.idleFor + seconds : 0 };
    }),
    checks: state.checks.map(check => ({ ...check, visibleIn: minus(check.visibleIn) })),
    executions: state.executions.map(execution => {
      const { recoversWithin, endsWithin, endedFor } = execution;
      const longest = 33 * stepSeconds;
      return {
        ...execution,
        ...(endedFor !== undefined && { endedFor: Math.min(endedFor + seconds, longest) }),
        ...(recoversWithin !== undefined && { recoversWithin: minus(recoversWithin) }),
        ...(endsWithin !== undefined && { endsWithin: minus(endsWithin) }),
      };
    }),
  };
}

/** A record as the function that checks reads it. */
export function readRecord({ record }: QueueState): object {
  if (!record) return { status: undefined };
  const error = JSON.stringify({ Error: 'CardDeclined' });
  const isError = record.status === 'FAILED' || record.status === 'HELD' || record.status === 'RELEASED';
  return { status: record.status, owner: arnOf(record.owner), ...(isError && { error }) };
}
