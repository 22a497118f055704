import { dataOf, type State } from '../language/index';
import { movedThread } from './advance';
import { type Completion, errorDetails } from './completion';
import { type Effect, release } from './effects';
import { abort, fail, failByHistory, succeed, timeOut } from './ending';
import {
  type Execution,
  type Machine,
  type MapRunWaiting,
  rootThread,
  type TaskWaiting,
  type Thread,
  type Waiting,
} from './execution';
import type { HistoryEvent } from './history';
import { redriveThread, reopened } from './redrive';
import { attempt, resumeWithin, runThread, stateOf } from './run';
import type { Redriven, Signal, Started } from './signals';
import { activityStarted } from './states/activity';
import { itemsRead, mapRunEnded, mapRunUpdated } from './states/distributed-map';
import { taskFailed, taskHeartbeat, taskSubmitted, taskSucceeded, taskTimedOut } from './states/task-result';
import { resumeWait } from './states/wait';
import { threadWaitingFor } from './threads';
import { EXPIRY_TIMER, executionTimer, HEARTBEAT_MISSED, isExpired, TIMED_OUT } from './timeout';
import { type TransitionContext, Turn } from './turn';

/**
 * The result of a signal. When it changed nothing, the execution is the very one that was given. A heartbeat
 * changes it without an event.
 */
export interface Transition {
  readonly execution: Execution;
  readonly events: readonly HistoryEvent[];
  readonly effects: readonly Effect[];
}

/**
 * Applies one signal to an execution: the whole semantics of the States Language as a pure function.
 *
 * Goes on from state to state until the execution waits or has ended, or pauses so that other executions can go on;
 * the signal `pauseEnded` ends the pause. Same arguments, same result: time, randomness and the values of expressions
 * come from `context`, the history continues at `execution.lastEventId`.
 *
 * Nothing is changed but what is returned, so a transition that `context` ends by an exception can be made again from
 * the same execution. Any other exception is a bug of ours.
 */
export function transition(
  machine: Machine,
  execution: Execution,
  signal: Signal,
  context: TransitionContext,
): Transition {
  const begun = signal.kind === 'stopped' ? signal.begun : signal;
  const isRedrive = begun?.kind === 'redriven';
  // A signal finds either an execution that goes on or, a redrive alone, one that has ended without success.
  const isFound = isRedrive
    ? !['RUNNING', 'SUCCEEDED'].includes(execution.status)
    : execution.status === 'RUNNING';
  if (!isFound) return { execution, events: [], effects: [] };
  const from = isRedrive ? reopened(execution, redriveAt(context.now, begun)) : execution;
  const turn = new Turn(machine, from, context, runThread);
  const after = apply(turn, signal);
  return after
    ? { execution: after, events: turn.events, effects: turn.effects }
    : { execution, events: [], effects: [] };
}

function apply(turn: Turn, signal: Signal): Execution | undefined {
  const { machine, execution } = turn;
  switch (signal.kind) {
    case 'started':
      return execution.lastEventId === 0 ? start(turn, signal) : undefined;
    case 'redriven':
      return redrive(turn);
    case 'stopped':
      if (signal.begun?.kind === 'started') recordStart(turn, signal.begun);
      if (signal.begun?.kind === 'redriven') recordRedrive(turn);
      return abort(turn, signal);
    case 'pauseEnded':
      return resume(turn, signal.pauseId, (thread, waits) => endPause(thread, waits));
    case 'timerDue':
      if (signal.timerId === EXPIRY_TIMER)
        return isExpired(execution, turn.context.now) ? timeOut(turn) : undefined;
      if (signal.timerId === executionTimer(machine, execution)?.timerId) return timeOut(turn);
      return resume(turn, signal.timerId, (thread, waits) =>
        resumeByTimer(turn, thread, waits, signal.timerId),
      );
    case 'taskSucceeded': {
      const { output, text } = signal;
      return resume(turn, signal.taskId, thread => {
        const result = text === undefined ? dataOf(output, thread.input) : { value: output, text };
        return taskSucceeded(turn, taskOf(turn, thread), thread, result);
      });
    }
    case 'taskFailed': {
      const failure = { kind: 'failed' as const, ...errorDetails(signal) };
      return resume(turn, signal.taskId, thread => taskFailed(turn, taskOf(turn, thread), thread, failure));
    }
    case 'taskSubmitted':
      return update(turn, signal.taskId, thread =>
        taskSubmitted(turn, taskOf(turn, thread), thread, signal.output),
      );
    case 'itemsRead':
      return resume(turn, signal.taskId, (thread, waits) =>
        itemsRead(turn, mapOf(turn, thread), { ...thread, waits: runOf(waits) }, signal.items),
      );
    case 'mapRunEnded':
      return resume(turn, signal.taskId, (thread, waits) =>
        mapRunEnded(turn, mapOf(turn, thread), thread, { waits: runOf(waits), signal }),
      );
    case 'mapRunUpdated':
      return updateMapRun(turn, signal);
    case 'activityStarted':
      return update(turn, signal.taskId, thread => activityStarted(turn, thread, signal.workerName));
    case 'taskHeartbeat':
      return update(turn, signal.taskId, thread => taskHeartbeat(turn, thread));
    default:
      return signal satisfies never;
  }
}

function start(turn: Turn, signal: Started): Execution {
  const { machine, execution } = turn;
  recordStart(turn, signal);
  boundExecution(turn);
  // As on the service, the first state follows no event.
  const root = rootThread(execution.input);
  return conclude(turn, runThread(turn, root, machine.definition.startAt));
}

function recordStart(turn: Turn, signal: Started): void {
  turn.events.push(startEvent(turn.machine, turn.execution, signal));
}

/** The first event of a history. It is known from when the execution was created. */
export function startEvent(
  { roleArn }: Machine,
  { input, startedAt }: Execution,
  { versionArn, aliasArn }: Started,
): HistoryEvent {
  return {
    id: 1,
    previousEventId: 0,
    type: 'ExecutionStarted',
    timestamp: startedAt,
    input: input.text,
    roleArn,
    ...(aliasArn !== undefined && { stateMachineAliasArn: aliasArn }),
    ...(versionArn !== undefined && { stateMachineVersionArn: versionArn }),
  };
}

function redrive(turn: Turn): Execution {
  const { root, input } = turn.execution;
  recordRedrive(turn);
  boundExecution(turn);
  if (root) return conclude(turn, redriveThread(turn, root));
  // The execution was stopped before it entered a state.
  return conclude(turn, runThread(turn, rootThread(input), turn.machine.definition.startAt));
}

function recordRedrive(turn: Turn): void {
  const { lastEventId, redriveCount } = turn.execution;
  turn.append('ExecutionRedriven', lastEventId, { redriveCount });
}

function redriveAt(now: number, { at = now, clientToken }: Redriven) {
  return clientToken === undefined ? { at } : { at, clientToken };
}

function boundExecution(turn: Turn): void {
  const timer = executionTimer(turn.machine, turn.execution);
  if (timer) turn.effects.push({ kind: 'setTimer', ...timer });
}

function resume(
  turn: Turn,
  id: string,
  step: (thread: Thread, waits: Waiting) => Completion,
): Execution | undefined {
  const { root } = turn.execution;
  const waiting = threadWaitingFor(root, id);
  if (!root || !waiting?.waits) return undefined;
  const { waits } = waiting;
  // A task and its timers are waited for together; when one comes, the others are not wanted any more.
  if (!isAlone(waits))
    for (const effect of release(waiting)) if (idOf(effect) !== id) turn.effects.push(effect);
  turn.beginStep();
  const resumed = resumeWithin(turn, root, id, thread =>
    step(movedThread(thread, thread.previousEventId, null), waits),
  );
  return conclude(turn, resumed);
}

/** Changes a waiting task without ending its wait. */
function update(
  turn: Turn,
  id: string,
  change: (thread: Thread & { readonly waits: TaskWaiting }) => Thread,
): Execution | undefined {
  const step = (thread: Thread): Completion => {
    const { waits } = thread;
    return { kind: 'waiting', thread: waits?.kind === 'task' ? change({ ...thread, waits }) : thread };
  };
  const { root } = turn.execution;
  if (!root || threadWaitingFor(root, id)?.waits?.kind !== 'task') return undefined;
  turn.beginStep();
  return conclude(turn, resumeWithin(turn, root, id, step));
}

/** Changes the limits of a Map Run without ending the wait for it. */
function updateMapRun(turn: Turn, signal: Signal & { kind: 'mapRunUpdated' }): Execution | undefined {
  const { kind: _, taskId, ...limits } = signal;
  const { root } = turn.execution;
  if (!root || threadWaitingFor(root, taskId)?.waits?.kind !== 'mapRun') return undefined;
  turn.beginStep();
  const step = (thread: Thread): Completion => ({
    kind: 'waiting',
    thread: mapRunUpdated(turn, { ...thread, waits: runOf(thread.waits) }, limits),
  });
  return conclude(turn, resumeWithin(turn, root, taskId, step));
}

function runOf(waits: Waiting | null): MapRunWaiting {
  if (waits?.kind !== 'mapRun') throw new Error(`no Map Run is waited for, but ${waits?.kind}`);
  return waits;
}

function mapOf(turn: Turn, thread: Thread) {
  return expectKind(turn, thread, ['map']);
}

function endPause(thread: Thread, waits: Waiting): Completion {
  if (waits.kind !== 'pause') throw new Error(`state '${thread.state}' is not paused`);
  return { kind: 'left', thread, next: waits.next };
}

function resumeByTimer(turn: Turn, thread: Thread, waits: Waiting, timerId: string): Completion {
  switch (waits.kind) {
    case 'task': {
      const failure = waits.heartbeat?.timerId === timerId ? HEARTBEAT_MISSED : TIMED_OUT;
      return taskTimedOut(turn, taskOf(turn, thread), thread, failure);
    }
    case 'retry':
      return attempt(turn, expectKind(turn, thread, ['task', 'parallel', 'map']), thread);
    case 'timer':
      return resumeWait(turn, expectKind(turn, thread, ['wait']), thread);
    case 'pause':
    case 'mapRun':
    case 'branches':
    case 'iterations':
      throw new Error(`state '${thread.state}' waits for no timer`);
    default:
      return waits satisfies never;
  }
}

/** The execution completes, waits or fails as its root thread does. */
function conclude(turn: Turn, completion: Completion): Execution {
  switch (completion.kind) {
    case 'waiting':
      return turn.executionWith(completion.thread);
    case 'left':
      return succeed(turn, completion.thread);
    case 'failed':
      return fail(turn, completion.thread, completion.failure);
    case 'full':
      return failByHistory(turn, completion.thread);
    default:
      return completion satisfies never;
  }
}

function taskOf(turn: Turn, thread: Thread) {
  return expectKind(turn, thread, TASK);
}

const TASK = ['task'] as const;

function expectKind<Kind extends State['kind']>(
  turn: Turn,
  thread: Thread,
  kinds: readonly Kind[],
): Extract<State, { kind: Kind }> {
  const state = stateOf(turn, thread.state);
  if (!(kinds as readonly string[]).includes(state.kind))
    throw new Error(`state '${state.name}' is a ${state.kind} and not a ${kinds.join(' or ')}`);
  return state as Extract<State, { kind: Kind }>;
}

/** Whether a call is waited for and nothing else, as most are. */
function isAlone(waits: Waiting): boolean {
  return waits.kind === 'task' && !waits.timeout && !waits.heartbeat;
}

function idOf(effect: Effect): string | undefined {
  if ('taskId' in effect) return effect.taskId;
  return 'timerId' in effect ? effect.timerId : undefined;
}
