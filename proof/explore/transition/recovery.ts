import type { JsonObject } from '../../../packages/local/json/json';
import { dueTimer, type Earlier, type ExecutionState } from '../model/execution-state';
import type { ModelState, Recovery, RecoveryKnowledge } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { isQuiet, readLate } from './effects';
import { arrived, described, recoveryAt, rejectedBy, requested, withRecovery } from './recovery-requests';
import { startedRecovery, startedRedelivery } from './recovery-start';
import { isIdle } from './redelivery';
import { type Step, silent } from './step';
import { indexOfArn, pendingRedrive } from './step-functions';

// Recovery is what is deployed, as the workflow is. The rule that starts it is modelled, and so is the search.

/** The errors that end an execution without a recovery. A test holds that they are those of the contract. */
export const WITHOUT_RECOVERY: readonly string[] = [
  'Idempotency.PayloadMismatch',
  'Idempotency.ForeignRecord',
  'Idempotency.InProgress',
  'Idempotency.RedrivesExhausted',
  'Idempotency.ClaimLost',
  'Idempotency.InDoubt',
  'Idempotency.Stopped',
];

/** Whether an execution has ended so that recovery is started for it. */
export function isHeardOf({ status, end }: Pick<Earlier, 'status' | 'end'>): boolean {
  const hasFailed = status === 'FAILED' || status === 'TIMED_OUT' || status === 'ABORTED';
  return hasFailed && end !== null && !WITHOUT_RECOVERY.includes(end.error ?? '');
}

/** The recoveries that events of ends start, by the names of the steps in which an event comes. */
export type Told = 'tell' | 'tell-redelivery';

/** Those that are among what can happen. */
export function listenersIn({ recovery, redelivery }: StateSpace): readonly Told[] {
  return [...(recovery ? (['tell'] as const) : []), ...(redelivery ? (['tell-redelivery'] as const) : [])];
}

/** Whether the event of an end starts one of these. */
export function isHeardBy(who: Told, seen: Pick<Earlier, 'status' | 'end'>): boolean {
  return who === 'tell' ? isHeardOf(seen) : isFailureHeardOf(seen);
}

function isOf(who: Told, { called, redelivery }: Recovery): boolean {
  return !called && (redelivery !== undefined) === (who === 'tell-redelivery');
}

/** Whether an execution has ended so that a redelivery is started for it. A test compares this with the contract. */
export function isFailureHeardOf(seen: Pick<Earlier, 'status' | 'end'>): boolean {
  return seen.status === 'FAILED' && isHeardOf(seen) && seen.end?.error !== 'Idempotency.InvalidEvent';
}

/** All that recovery may do next without a fault, each worked out when asked for. Nothing where nothing recovers. */
export function* recoverySteps(space: StateSpace, model: ModelState): Generator<Step, void> {
  if (!space.recoverers) return;
  for (const who of listenersIn(space))
    for (const index of model.executions.keys())
      for (const { seen, which } of unheardEnds(space, model, index, who))
        yield begun(space, model, { index, seen, name: `${who}${index + 1}${which}`, who });
  for (const [at, recovery] of model.recoveries.entries()) {
    yield* searches(space, model, recovery, at);
    yield* works(space, model, recovery, at);
  }
}

/** Whether recovery has nothing to do any more, and will have nothing: each end that it is to hear of, it has. */
function hasRecovered(space: StateSpace, model: ModelState): boolean {
  const { executions, recoveries } = model;
  const isUnderWay = (recovery: Recovery) =>
    recovery.phase === 'atWork' ? !isIdle(space, model, recovery) : isStopped(recovery);
  if (recoveries.some(isUnderWay)) return false;
  return listenersIn(space).every(who =>
    executions.every((number, index) => {
      const { execution } = space.workflow.get(number);
      if (!isHeardBy(who, execution)) return true;
      return recoveries.some(
        recovery =>
          isOf(who, recovery) &&
          recovery.execution === index &&
          recovery.redrives === execution.redriveCount &&
          // Whom Step Functions does not know any more no search finds; and it looks for no failures.
          (recovery.phase !== 'unheard' ||
            recovery.redelivery !== undefined ||
            indexOfArn(space, model, execution.arn) !== index),
      );
    }),
  );
}

/** Whether a recovery was stopped and the search must find it: a redelivery that is stopped is over. */
function isStopped({ phase, redelivery }: Recovery): boolean {
  return phase === 'stopped' && !redelivery;
}

/** An end of an execution that recovery is to hear of. */
interface Heard {
  readonly index: number;
  readonly seen: Earlier;
  readonly name: string;
  readonly who?: Told;
  /** What the event leaves out, or says in place of it. */
  readonly but?: JsonObject;
}

/** The ends of an execution that recovery has not got yet: the last end, and after a redrive also the end before. */
export function unheardEnds(space: StateSpace, model: ModelState, index: number, who: Told = 'tell') {
  const { execution, before } = space.workflow.get(model.executions[index] ?? -1);
  const isUnheard = (seen: Earlier) =>
    isHeardBy(who, seen) &&
    !model.recoveries.some(
      recovery =>
        isOf(who, recovery) && recovery.execution === index && recovery.redrives === seen.redriveCount,
    );
  return [
    ...(isUnheard(execution) ? [{ seen: execution as Earlier, which: '' }] : []),
    ...(before && isUnheard(before) ? [{ seen: before, which: ':before' }] : []),
  ];
}

/** The event of an end comes: a recovery begins, or a redelivery. */
export function begun(space: StateSpace, model: ModelState, heard: Heard): Step {
  const { index, seen, name, who = 'tell', but = {} } = heard;
  const { execution } = space.workflow.get(model.executions[index] ?? -1);
  const { arn, input } = execution;
  const detail: JsonObject = {
    executionArn: arn,
    stateMachineArn: arnOf(space),
    name: execution.name,
    status: seen.status,
    startDate: execution.startedAt,
    stopDate: seen.end?.at ?? null,
    redriveCount: seen.redriveCount,
    input: input.text,
    error: seen.end?.error ?? null,
    ...but,
  };
  const told = Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== LEFT_OUT));
  const { redriveCount: redrives } = seen;
  const redelivery = who === 'tell-redelivery' && { redelivery: { last: index, at: model.now } };
  const fresh: Recovery = {
    execution: index,
    redrives,
    ...redelivery,
    phase: 'atWork',
    state: undefined,
    knows: redelivery ? {} : rejectedBy(told['error']),
  };
  const event = { detail: told, workflowArn: arnOf(space) };
  const started = redelivery ? startedRedelivery : startedRecovery;
  const state = started(space, model, event) ?? -1;
  return silent(name, { ...model, recoveries: [...model.recoveries, recoveryAt(space, fresh, state)] });
}

/** In place of what an event does not tell at all. */
export const LEFT_OUT = 'left out';

function arnOf({ subject: { workflow } }: StateSpace): string {
  return workflow.machine.arn;
}

/**
 * The search finds what no event has told of, and recoveries that were stopped. It gets only a name, and how often an
 * execution has been redriven.
 */
function searches(space: StateSpace, model: ModelState, recovery: Recovery, at: number): Step[] {
  const name = `search${at + 1}`;
  const again = (from: ModelState, told: JsonObject, knows: RecoveryKnowledge = {}): Step => {
    const fresh: Recovery = {
      ...recovery,
      phase: 'atWork',
      state: startedRecovery(space, from, { detail: told, workflowArn: arnOf(space) }),
      knows,
    };
    return silent(name, { ...from, recoveries: [...from.recoveries, fresh] });
  };
  if (recovery.redelivery) return [];
  if (recovery.phase === 'stopped' && recovery.state !== undefined) {
    const { arn } = space.recovery?.get(recovery.state).execution ?? { arn: '' };
    const told = { executionArn: arn, redriveCount: 0 };
    return [again(withRecovery(model, at, { ...recovery, phase: 'found' }), told)];
  }
  const { execution } = space.workflow.get(model.executions[recovery.execution] ?? -1);
  // An execution that goes on is in no list of those that have ended.
  if (recovery.phase !== 'unheard' || !isHeardOf(execution) || execution.redriveCount !== recovery.redrives)
    return [];
  if (indexOfArn(space, model, execution.arn) !== recovery.execution) return [];
  const told = { executionArn: execution.arn, redriveCount: execution.redriveCount };
  return [again(withRecovery(model, at, { ...recovery, phase: 'found' }), told, { isFound: true })];
}

/** A recovery makes its request and gets the answer, or its time has passed. */
function works(space: StateSpace, model: ModelState, recovery: Recovery, at: number): Step[] {
  const state = stateOf(space, recovery);
  const machine = space.recovererOf(recovery);
  if (!state || !machine) return [];
  const { call, answer } = state;
  if (answer) {
    const next = machine.answered(recovery.state ?? -1, answer, model.now, 0);
    return [silent(`recover${at + 1}`, withRecovery(model, at, recoveryAt(space, recovery, next)))];
  }
  if (call) {
    const { model: after, result, facts } = requested(space, model, recovery, call);
    const made = arrived(space, after, { recovery, at, call, result, isNoFault: true });
    const pending = pendingRedrive(space, model, call);
    const told = pending && described(space, model, call, pending);
    const old = readLate(space, model, call);
    const oldAfter = old && arrived(space, model, { recovery, at, call, result: old.result });
    return [
      { name: `recover${at + 1}`, after: made, facts },
      ...(old && oldAfter ? [{ name: `old-recovery${at + 1}`, after: oldAfter, facts: old.facts }] : []),
      ...(told
        ? [silent(`pending-recovery${at + 1}`, arrived(space, model, { recovery, at, call, result: told }))]
        : []),
    ];
  }
  const due = dueTimer(state);
  if (due === undefined || due > model.now) return [];
  const signal = { kind: 'timerDue' as const, timerId: 'wait' };
  const next = machine.signalled(recovery.state ?? -1, signal, model.now, 0);
  return [silent(`wake${at + 1}`, withRecovery(model, at, recoveryAt(space, recovery, next)))];
}

/** The state of a recovery that is at work; undefined for any other one. */
export function stateOf({ recoverers }: StateSpace, { phase, state }: Recovery): ExecutionState | undefined {
  return phase === 'atWork' && state !== undefined ? recoverers?.get(state) : undefined;
}

/** Whether everything has ended, recovery too. */
export function isOver(space: StateSpace, model: ModelState): boolean {
  return isQuiet(space, model) && hasRecovered(space, model) && !model.past.releasing;
}
