import { newExecution, type Signal, type Transition, threadWaitingFor } from '../engine/index';
import { dataOf } from '../language/index';
import { resultSignal } from '../runtime/calls/call-signals';
import type { JobResult } from '../runtime/calls/service';
import { seededIds } from '../runtime/ids';
import { executionArnOf } from '../runtime/requests/arns';
import {
  afterSignal,
  connectionLost,
  enteredIn,
  inFlightAt,
  type OrphanedRequest,
  type Step,
} from './kernel/index';
import { carryOut, type TableRequest } from './requests';
import type { Call, ExecutionState, ModelState } from './state';
import type { LoadedSubject } from './subject';

/**
 * A kind of fault: the answer of a call is lost, a call does not arrive, an execution is stopped, a call is slow.
 *
 * @example
 * const { violation } = explore({ ...options, kinds: ['lost', 'unreached'] });
 */
export type FaultKind = 'lost' | 'unreached' | 'stopped' | 'slow';

export const FAULT_KINDS: readonly FaultKind[] = ['lost', 'unreached', 'stopped', 'slow'];

/** How far a search goes. */
export interface Bounds {
  /** How often each input is delivered, at any time. */
  readonly deliveries: number;
  /** How many faults there are at most. */
  readonly faults: number;
  /** How many redrives there are at most. */
  readonly redrives: number;
  /** The faults that there can be. */
  readonly kinds: readonly FaultKind[];
}

/** A step, and what it says to the reader of a trace and to the coverage. */
export interface ModelStep extends Step<ModelState> {
  /** What a call was answered. */
  readonly result?: JobResult;
  /** The request of a table that was made. */
  readonly request?: TableRequest;
  /** The names of the states that the execution has entered. */
  readonly entered: readonly string[];
}

/** Everything that can happen next. */
export function stepsFrom(subject: LoadedSubject, state: ModelState, bounds: Bounds): readonly ModelStep[] {
  const kinds = state.faults < bounds.faults ? bounds.kinds : [];
  return [
    ...subject.inputs.flatMap((_, input) => deliver(subject, state, input, bounds)),
    ...state.executions.flatMap(run => [
      ...run.calls.flatMap(call => callSteps(subject, state, run, { call, kinds })),
      ...(kinds.includes('stopped') && run.execution.status === 'RUNNING'
        ? [stopped(subject, state, run)]
        : []),
      ...redriven(subject, state, run, bounds),
    ]),
    ...state.orphans.map((orphan, index) => orphanArrives(subject, state, orphan, index)),
    ...timersFire(subject, state, kinds.includes('slow')),
  ];
}

function deliver(subject: LoadedSubject, state: ModelState, input: number, bounds: Bounds): ModelStep[] {
  const times = state.delivered[input] ?? 0;
  if (times >= bounds.deliveries) return [];
  const number = state.executions.length + 1;
  const name = `execution-${number}`;
  const execution = newExecution({
    arn: executionArnOf(subject.machine.arn, name),
    name,
    input: dataOf(subject.inputs[input] ?? null),
    startedAt: state.now,
  });
  const run: ExecutionState = { number, input, execution, calls: [], timers: [] };
  const delivered = state.delivered.map((count, index) => (index === input ? count + 1 : count));
  const begun = { ...state, delivered, executions: [...state.executions, run] };
  const which = subject.inputs.length > 1 ? `input ${input + 1}` : 'the input';
  const again = times === 0 ? '' : ' again';
  return [
    signalled(
      subject,
      begun,
      number,
      { kind: 'started' },
      `${which} is delivered${again}: execution ${number}`,
    ),
  ];
}

function callSteps(
  subject: LoadedSubject,
  state: ModelState,
  run: ExecutionState,
  { call, kinds }: { readonly call: Call; readonly kinds: readonly FaultKind[] },
): ModelStep[] {
  const what = callName(run, call);
  const made = carryOut(subject, state, run.number, call);
  const answered = (from: ModelState, result: JobResult, name: string): ModelStep => ({
    ...signalled(subject, from, run.number, resultSignal(call.taskId, result), name),
    result,
    ...(made.request && { request: made.request }),
  });
  const ordinary = answered(made.after, made.result, `${what} is called`);
  const lost = {
    kind: 'failed',
    error: connectionLost(call.resource),
    cause: 'the answer is lost',
  } as const;
  return [
    ordinary,
    ...(kinds.includes('lost')
      ? [answered(withFault(made.after), lost, `${what} is called, its answer is lost`)]
      : []),
    ...(kinds.includes('unreached') ? [answered(withFault(state), lost, `${what} is not reached`)] : []),
  ];
}

function stopped(subject: LoadedSubject, state: ModelState, run: ExecutionState): ModelStep {
  return signalled(
    subject,
    withFault(state),
    run.number,
    { kind: 'stopped' },
    `execution ${run.number} is stopped`,
  );
}

/** An operator redrives an execution that has ended without success. */
function redriven(
  subject: LoadedSubject,
  state: ModelState,
  run: ExecutionState,
  { redrives }: Bounds,
): ModelStep[] {
  const { status } = run.execution;
  const made = state.executions.reduce((sum, { execution }) => sum + execution.redriveCount, 0);
  if (made >= redrives || status === 'RUNNING' || status === 'SUCCEEDED') return [];
  const name = `execution ${run.number} is redriven`;
  return [signalled(subject, state, run.number, { kind: 'redriven' }, name)];
}

function orphanArrives(
  subject: LoadedSubject,
  state: ModelState,
  orphan: OrphanedRequest<Call>,
  index: number,
): ModelStep {
  const { execution, call } = orphan;
  const without = { ...state, orphans: state.orphans.filter(other => other !== orphan) };
  const which = index === 0 ? '' : ` (${index + 1})`;
  const name = `the call of "${call.stateName}" that execution ${execution} had made arrives late${which}`;
  return { name, entered: [], ...carryOut(subject, without, execution, call) };
}

/**
 * The earliest timers, in any order. A call under way takes no time, unless it is slow, which is a fault: what is due
 * now comes before it or after it.
 */
function timersFire(subject: LoadedSubject, state: ModelState, canFail: boolean): ModelStep[] {
  const timers = state.executions.flatMap(run => run.timers.map(timer => ({ run, timer })));
  const due = Math.min(...timers.map(({ timer }) => timer.due));
  const isSlow = due > state.now && state.executions.some(({ calls }) => calls.length > 0);
  if (isSlow && !canFail) return [];
  const orphans = inFlightAt(state.orphans, due);
  const from = { ...(isSlow ? withFault(state) : state), orphans, now: due };
  const passed = `${(due - state.now) / 1000} s pass: the time of execution`;
  return timers
    .filter(({ timer }) => timer.due === due)
    .map(({ run, timer }) => {
      const same = run.timers.filter(other => other.due === due);
      const which = same.length > 1 ? ` (${same.indexOf(timer) + 1})` : '';
      const name = `${passed} ${run.number}${which} has come${isSlow ? ', a call is slow' : ''}`;
      return signalled(subject, from, run.number, { kind: 'timerDue', timerId: timer.timerId }, name);
    });
}

function withFault(state: ModelState): ModelState {
  return { ...state, faults: state.faults + 1 };
}

/** A number distinguishes calls of states with one name at the same time, as in a Map. */
function callName(run: ExecutionState, call: Call): string {
  const same = run.calls.filter(({ stateName }) => stateName === call.stateName);
  const which = same.length > 1 ? ` (${same.indexOf(call) + 1})` : '';
  return `execution ${run.number}: "${call.stateName}"${which}`;
}

/** The state after a signal has come to an execution. */
function signalled(
  subject: LoadedSubject,
  state: ModelState,
  number: number,
  signal: Signal,
  name: string,
): ModelStep {
  const run = state.executions[number - 1] as ExecutionState;
  const ids = seededIds(`${number}-${run.execution.lastEventId}`);
  const made = afterSignal(subject.machine, run.execution, signal, { now: state.now, ids });
  const { next, orphans, pauseIds } = applied(subject, run, made, { signal, now: state.now });
  const after = {
    ...state,
    orphans: [...state.orphans, ...orphans],
    executions: state.executions.map(other => (other === run ? next : other)),
  };
  // A pause between two states is over at once: no other execution can see it.
  return pauseIds.reduce<ModelStep>(
    (step, pauseId) => {
      const further = signalled(subject, step.after, number, { kind: 'pauseEnded', pauseId }, name);
      return { ...further, entered: [...step.entered, ...further.entered] };
    },
    { name, after, entered: enteredIn(made) },
  );
}

/** The execution after a transition, with what it waits for, and the calls that it does not wait for any more. */
function applied(
  { callsEndInTime }: LoadedSubject,
  run: ExecutionState,
  { execution, effects }: Transition,
  { signal, now }: { readonly signal: Signal; readonly now: number },
): {
  readonly next: ExecutionState;
  readonly orphans: readonly OrphanedRequest<Call>[];
  readonly pauseIds: readonly string[];
} {
  let { calls, timers } = run;
  const left: Call[] = [];
  const pauseIds: string[] = [];
  if ('taskId' in signal) calls = calls.filter(({ taskId }) => taskId !== signal.taskId);
  if (signal.kind === 'timerDue') timers = timers.filter(({ timerId }) => timerId !== signal.timerId);
  const leave = (isLeft: (call: Call) => boolean) => {
    left.push(...calls.filter(isLeft));
    calls = calls.filter(call => !isLeft(call));
  };
  for (const effect of effects) {
    if (effect.kind === 'call') calls = [...calls, effect];
    else if (effect.kind === 'abandon') leave(({ taskId }) => taskId === effect.taskId);
    else if (effect.kind === 'setTimer') timers = [...timers, { timerId: effect.timerId, due: effect.due }];
    else if (effect.kind === 'cancelTimer')
      timers = timers.filter(({ timerId }) => timerId !== effect.timerId);
    else if (effect.kind === 'pause') pauseIds.push(effect.pauseId);
    else if (effect.kind === 'ended') {
      leave(() => true);
      timers = [];
    }
  }
  const orphans = left.map(call => {
    const until = callsEndInTime ? timeoutOf(run, call) : Number.POSITIVE_INFINITY;
    return { execution: run.number, call, until };
  });
  return { next: { ...run, execution, calls, timers }, orphans: inFlightAt(orphans, now), pauseIds };
}

/** When the time of a call's state is over, epoch milliseconds. */
function timeoutOf({ execution }: ExecutionState, { taskId }: Call): number {
  const waits = threadWaitingFor(execution.root, taskId)?.waits;
  return (waits?.kind === 'task' && waits.timeout?.due) || Number.POSITIVE_INFINITY;
}
