import type { State } from '../asl/definition';
import type { Surroundings } from '../asl/jsonata';
import { type Completion, errorDetails } from './completion';
import { type Effect, release } from './effects';
import { abort, fail, failByHistory, isHistoryFull, succeed, timeOut } from './ending';
import {
  type Execution,
  type Machine,
  newThread,
  type Thread,
  threadWaitingFor,
  type Waiting,
} from './execution';
import { type HistoryEvent, inputDetails, stateName } from './history';
import type { Signal } from './signals';
import { enterChoice } from './states/choice';
import { enterFail } from './states/fail';
import { enterPass } from './states/pass';
import { enterSucceed } from './states/succeed';
import { attemptTask, taskFailed, taskSucceeded, taskTimedOut } from './states/task';
import { enterWait, resumeWait } from './states/wait';
import { executionTimer, TIMED_OUT } from './timeout';
import { Turn } from './turn';

/**
 * What a signal brought. Without events nothing has happened, and the execution is the very one that was
 * given.
 */
export interface Transition {
  readonly execution: Execution;
  readonly events: readonly HistoryEvent[];
  readonly effects: readonly Effect[];
}

/**
 * Applies one signal to an execution: the whole semantics of the States Language as a pure function.
 *
 * Goes on from state to state until the execution waits or has ended. Same arguments, same answer: time,
 * randomness and ids come from `surroundings`, the history continues at `execution.lastEventId`, and the only
 * thing awaited is the evaluation of expressions. A rejection is a bug of ours.
 */
export async function transition(
  machine: Machine,
  execution: Execution,
  signal: Signal,
  surroundings: Surroundings,
): Promise<Transition> {
  const turn = new Turn(machine, execution, surroundings);
  const after = execution.status === 'RUNNING' ? await apply(turn, signal) : undefined;
  if (!after) return { execution, events: [], effects: [] };
  const transitions = execution.transitions + turn.transitions;
  const result = { ...after, lastEventId: turn.lastEventId, transitions };
  return { execution: result, events: turn.events, effects: turn.effects };
}

async function apply(turn: Turn, signal: Signal): Promise<Execution | undefined> {
  const { machine, execution } = turn;
  switch (signal.kind) {
    case 'started':
      return execution.lastEventId === 0 ? start(turn) : undefined;
    case 'stopped':
      return abort(turn, signal);
    case 'timerDue':
      if (signal.timerId === executionTimer(machine, execution)?.timerId) return timeOut(turn);
      return resume(turn, signal.timerId, (state, thread, waits) =>
        resumeByTimer(turn, state, thread, waits),
      );
    case 'taskSucceeded':
      return resume(turn, signal.taskId, (state, thread) =>
        taskSucceeded(turn, expectKind(state, 'task'), thread, signal.output),
      );
    case 'taskFailed':
      return resume(turn, signal.taskId, (state, thread) =>
        taskFailed(turn, expectKind(state, 'task'), thread, { kind: 'failed', ...errorDetails(signal) }),
      );
    default: {
      const never: never = signal;
      return never;
    }
  }
}

async function start(turn: Turn): Promise<Execution> {
  const { machine, execution } = turn;
  turn.append('ExecutionStarted', 0, {
    executionStartedEventDetails: { ...inputDetails(execution.input), roleArn: machine.roleArn },
  });
  const timer = executionTimer(machine, execution);
  if (timer) turn.effects.push({ kind: 'setTimer', ...timer });
  // The first state hangs on no event, as on the service.
  const thread = newThread('', execution.input, {});
  return proceed(turn, { kind: 'left', thread, next: machine.definition.startAt });
}

async function resume(
  turn: Turn,
  id: string,
  step: (state: State, thread: Thread, waits: Waiting) => Promise<Completion>,
): Promise<Execution | undefined> {
  const thread = threadWaitingFor(turn.execution.root, id);
  if (!thread?.waits) return undefined;
  // A task and its timeout are waited for together; when one comes, the other is not wanted any more.
  turn.effects.push(...release(thread).filter(effect => idOf(effect) !== id));
  turn.beginStep();
  return proceed(turn, await step(stateOf(turn, thread.state), { ...thread, waits: null }, thread.waits));
}

function resumeByTimer(turn: Turn, state: State, thread: Thread, waits: Waiting): Promise<Completion> {
  switch (waits.kind) {
    case 'task':
      return taskTimedOut(turn, expectKind(state, 'task'), thread, TIMED_OUT);
    case 'retry':
      return attemptTask(turn, expectKind(state, 'task'), thread);
    case 'timer':
      return resumeWait(turn, expectKind(state, 'wait'), thread);
    default: {
      const never: never = waits;
      return never;
    }
  }
}

/** Runs states one after another from what the last one came to. */
async function proceed(turn: Turn, first: Completion): Promise<Execution> {
  let completion = first;
  while (!isHistoryFull(turn)) {
    if (completion.kind === 'waiting') return { ...turn.execution, root: completion.thread };
    if (completion.kind === 'failed') return fail(turn, completion.thread, completion.failure);
    if (completion.next === undefined) return succeed(turn, completion.thread);
    completion = await enter(turn, completion.thread, completion.next);
  }
  return failByHistory(turn, completion.thread);
}

async function enter(turn: Turn, thread: Thread, name: string): Promise<Completion> {
  const state = stateOf(turn, name);
  turn.beginStep();
  turn.transitions += 1;
  const enteredEventId = turn.append(`${stateName(state.kind)}StateEntered`, thread.previousEventId, {
    stateEnteredEventDetails: { name, ...inputDetails(thread.input) },
  });
  const entered: Thread = {
    ...thread,
    state: name,
    enteredAt: turn.surroundings.now,
    enteredEventId,
    enteredFrom: thread.previousEventId,
    previousEventId: enteredEventId,
    retries: [],
    retryCount: 0,
    waits: null,
  };
  return enterState(turn, state, entered);
}

function enterState(turn: Turn, state: State, thread: Thread): Promise<Completion> {
  switch (state.kind) {
    case 'task':
      return attemptTask(turn, state, thread);
    case 'choice':
      return enterChoice(turn, state, thread);
    case 'pass':
      return enterPass(turn, state, thread);
    case 'wait':
      return enterWait(turn, state, thread);
    case 'succeed':
      return enterSucceed(turn, state, thread);
    case 'fail':
      return enterFail(turn, state, thread);
    default: {
      const never: never = state;
      return never;
    }
  }
}

function stateOf(turn: Turn, name: string): State {
  const state = turn.machine.definition.states.get(name);
  if (!state) throw new Error(`no state '${name}' in the definition of ${turn.machine.arn}`);
  return state;
}

function expectKind<Kind extends State['kind']>(state: State, kind: Kind): Extract<State, { kind: Kind }> {
  if (state.kind !== kind) throw new Error(`state '${state.name}' is a ${state.kind} and not a ${kind}`);
  return state as Extract<State, { kind: Kind }>;
}

function idOf(effect: Effect): string | undefined {
  if ('taskId' in effect) return effect.taskId;
  return 'timerId' in effect ? effect.timerId : undefined;
}
