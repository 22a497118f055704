import { dataOf } from '../asl/data';
import { type Execution, newExecution } from '../engine/execution';
import type { Signal } from '../engine/signals';
import { threadWaitingFor } from '../engine/threads';
import { type Transition, transition } from '../engine/transition';
import { ReplayContext } from '../replay/replay-context';
import { errorPrefixOf, resultSignal } from '../runtime/calls/call-signals';
import type { JobResult } from '../runtime/calls/service';
import { SHARED_THREADS } from '../runtime/evaluation/thread-pool';
import { executionArnOf } from '../runtime/requests/arns';
import { KNOWN_REFUSALS } from '../services/known-refusals';
import type { Call, ModelState, OrphanedRequest, Run } from './model';
import { carryOut, type TableRequest } from './requests';
import type { LoadedSubject } from './subject';

/** How far a search goes. */
export interface Bounds {
  /** How often each input is delivered, at any time. */
  readonly deliveries: number;
  /** How many faults there are at most. */
  readonly faults: number;
  /** How many redrives there are at most. */
  readonly redrives: number;
}

/** One thing that can happen: what it is called, unique among those of a state, and the state after it. */
export interface Move {
  readonly name: string;
  readonly after: ModelState;
  /** What a call was answered, for those who read the story. */
  readonly result?: JobResult;
  /** The request of a table that was made. */
  readonly request?: TableRequest;
  /** The names of the states that the execution has entered. */
  readonly entered: readonly string[];
}

/** Everything that can happen next. */
export function movesFrom(subject: LoadedSubject, model: ModelState, bounds: Bounds): readonly Move[] {
  const canFail = model.faults < bounds.faults;
  return [
    ...subject.inputs.flatMap((_, input) => deliver(subject, model, input, bounds)),
    ...model.runs.flatMap(run => [
      ...run.calls.flatMap(call => callMoves(subject, model, run, { call, canFail })),
      ...(canFail && run.execution.status === 'RUNNING' ? [killed(subject, model, run)] : []),
      ...redriven(subject, model, run, bounds),
    ]),
    ...model.orphans.map((_, index) => orphanArrives(subject, model, index)),
    ...timersFire(subject, model, canFail),
  ];
}

function deliver(subject: LoadedSubject, model: ModelState, input: number, bounds: Bounds): Move[] {
  const times = model.delivered[input] ?? 0;
  if (times >= bounds.deliveries) return [];
  const number = model.runs.length + 1;
  const name = `execution-${number}`;
  const execution = newExecution({
    arn: executionArnOf(subject.machine.arn, name),
    name,
    input: dataOf(subject.inputs[input] ?? null),
    startedAt: model.now,
  });
  const run: Run = { number, input, execution, calls: [], timers: [] };
  const delivered = model.delivered.map((count, index) => (index === input ? count + 1 : count));
  const begun = { ...model, delivered, runs: [...model.runs, run] };
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

function callMoves(
  subject: LoadedSubject,
  model: ModelState,
  run: Run,
  { call, canFail }: { readonly call: Call; readonly canFail: boolean },
): Move[] {
  const what = callName(run, call);
  const made = carryOut(subject, model, run.number, call);
  const answered = (from: ModelState, result: JobResult, name: string): Move => ({
    ...signalled(subject, from, run.number, resultSignal(call.taskId, result), name),
    result,
    ...(made.request && { request: made.request }),
  });
  const ordinary = answered(made.after, made.result, `${what} is called`);
  if (!canFail) return [ordinary];
  const service = call.resource
    .split(':')
    .slice(0, call.resource.startsWith('aws-sdk:') ? 2 : 1)
    .join(':');
  const error = `${errorPrefixOf(service)}.SdkClientException`;
  const lost = { kind: 'failed', error, cause: 'the answer is lost' } as const;
  return [
    ordinary,
    answered(withFault(made.after), lost, `${what} is called, its answer is lost`),
    answered(withFault(model), lost, `${what} is not reached`),
  ];
}

function killed(subject: LoadedSubject, model: ModelState, run: Run): Move {
  return signalled(
    subject,
    withFault(model),
    run.number,
    { kind: 'stopped' },
    `execution ${run.number} dies`,
  );
}

/** An execution that has not succeeded goes on where it ended, whoever wants it to. */
function redriven(subject: LoadedSubject, model: ModelState, run: Run, { redrives }: Bounds): Move[] {
  const { status } = run.execution;
  const made = model.runs.reduce((sum, { execution }) => sum + execution.redriveCount, 0);
  if (made >= redrives || status === 'RUNNING' || status === 'SUCCEEDED') return [];
  const name = `execution ${run.number} is redriven`;
  return [signalled(subject, model, run.number, { kind: 'redriven' }, name)];
}

function orphanArrives(subject: LoadedSubject, model: ModelState, index: number): Move {
  const { run, call } = model.orphans[index] as ModelState['orphans'][number];
  const without = { ...model, orphans: model.orphans.filter((_, other) => other !== index) };
  const made = carryOut(subject, without, run, call);
  const which = index === 0 ? '' : ` (${index + 1})`;
  const name = `the call of "${call.stateName}" that execution ${run} had made arrives late${which}`;
  return { name, entered: [], ...made };
}

/**
 * The earliest timers, in any order. A call under way takes no time, unless it is slow, which is a fault: what is due
 * now comes before it or after it.
 */
function timersFire(subject: LoadedSubject, model: ModelState, canFail: boolean): Move[] {
  const timers = model.runs.flatMap(run => run.timers.map(timer => ({ run, timer })));
  const due = Math.min(...timers.map(({ timer }) => timer.due));
  const isSlow = due > model.now && model.runs.some(({ calls }) => calls.length > 0);
  if (isSlow && !canFail) return [];
  const orphans = model.orphans.filter(({ call }) => isInTime(call, due));
  const from = { ...(isSlow ? withFault(model) : model), orphans, now: due };
  const passed = `${(due - model.now) / 1000} s pass: the time of execution`;
  return timers
    .filter(({ timer }) => timer.due === due)
    .map(({ run, timer }) => {
      const same = run.timers.filter(other => other.due === due);
      const which = same.length > 1 ? ` (${same.indexOf(timer) + 1})` : '';
      const name = `${passed} ${run.number}${which} has come${isSlow ? ', a call is slow' : ''}`;
      return signalled(subject, from, run.number, { kind: 'timerDue', timerId: timer.timerId }, name);
    });
}

function withFault(model: ModelState): ModelState {
  return { ...model, faults: model.faults + 1 };
}

/** Calls of states with one name at the same time, as in a Map, are told apart by a number. */
function callName(run: Run, call: Call): string {
  const same = run.calls.filter(({ stateName }) => stateName === call.stateName);
  const which = same.length > 1 ? ` (${same.indexOf(call) + 1})` : '';
  return `execution ${run.number}: "${call.stateName}"${which}`;
}

/** The state after a signal has come to an execution. */
function signalled(
  subject: LoadedSubject,
  model: ModelState,
  number: number,
  signal: Signal,
  name: string,
): Move {
  const run = model.runs[number - 1] as Run;
  const context = new ReplayContext(
    { now: model.now, seed: `${number}-${run.execution.lastEventId}`, pausesFirst: false },
    SHARED_THREADS,
    (integration, parameters) => KNOWN_REFUSALS.get(integration)?.refusalOf?.(parameters),
  );
  const made = transition(subject.machine, run.execution, signal, context);
  const { next, orphans, pauseIds } = applied(subject, run, made, { signal, now: model.now });
  const after = {
    ...model,
    orphans: [...model.orphans, ...orphans],
    runs: model.runs.map(other => (other === run ? next : other)),
  };
  // A pause between two states is over at once: nobody else can tell it from none.
  return pauseIds.reduce<Move>(
    (move, pauseId) => {
      const further = signalled(subject, move.after, number, { kind: 'pauseEnded', pauseId }, name);
      return { ...further, entered: [...move.entered, ...further.entered] };
    },
    { name, after, entered: enteredBy(made) },
  );
}

function enteredBy({ events }: Transition): readonly string[] {
  return events.flatMap(({ type, name = '' }) => (type.endsWith('StateEntered') ? [name] : []));
}

/** The execution behind a transition, with what it waits for, and the calls that it waits for no more. */
function applied(
  { callsEndInTime }: LoadedSubject,
  run: Run,
  { execution, effects }: Transition,
  { signal, now }: { readonly signal: Signal; readonly now: number },
): {
  readonly next: Run;
  readonly orphans: readonly OrphanedRequest[];
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
    if (effect.kind === 'call') calls = [...calls, callsEndInTime ? withTimeout(effect, execution) : effect];
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
  const orphans = left.filter(call => isInTime(call, now)).map(call => ({ run: run.number, call }));
  return { next: { ...run, execution, calls, timers }, orphans, pauseIds };
}

function isInTime({ until }: Call, now: number): boolean {
  return until === undefined || now < until;
}

function withTimeout(call: Call, { root }: Execution): Call {
  const waits = threadWaitingFor(root, call.taskId)?.waits;
  return waits?.kind === 'task' && waits.timeout ? { ...call, until: waits.timeout.due } : call;
}
