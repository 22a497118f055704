import type { JsonObject } from '../../../packages/local/json/json';
import { dueTimer, type Earlier, type ExecutionState } from '../model/execution-state';
import type { ModelState, Recovery, RecoverysKnowledge } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { isQuiet, readLate } from './effects';
import { arrived, described, refusedBy, requested, settled, withRecovery } from './recovery-requests';
import { startedRecovery } from './recovery-start';
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
  const hasDied = status === 'FAILED' || status === 'TIMED_OUT' || status === 'ABORTED';
  return hasDied && end !== null && !WITHOUT_RECOVERY.includes(end.error ?? '');
}

/** All that recovery may do next without a fault, each worked out when asked for. Nothing where nothing recovers. */
export function* recoverySteps(space: StateSpace, model: ModelState): Generator<Step, void> {
  if (!space.recovery) return;
  for (const index of model.executions.keys())
    for (const { seen, which } of unheardEnds(space, model, index))
      yield begun(space, model, { index, seen, name: `tell${index + 1}${which}` });
  for (const [at, recovery] of model.recoveries.entries()) {
    yield* searches(space, model, recovery, at);
    yield* works(space, model, recovery, at);
  }
}

/** Whether recovery has nothing to do any more, and will have nothing: each end that it is to hear of, it has. */
function hasRecovered(space: StateSpace, model: ModelState): boolean {
  const { executions, recoveries } = model;
  if (!space.recovery) return true;
  if (recoveries.some(({ phase }) => phase === 'atWork' || phase === 'stopped')) return false;
  return executions.every((number, index) => {
    const { execution } = space.workflow.get(number);
    if (!isHeardOf(execution)) return true;
    return recoveries.some(
      ({ execution: other, redrives, called, phase }) =>
        !called &&
        other === index &&
        redrives === execution.redriveCount &&
        // Whom Step Functions does not know any more no search finds.
        (phase !== 'unheard' || indexOfArn(space, model, execution.arn) !== index),
    );
  });
}

/** An end of an execution that recovery is to hear of. */
interface Heard {
  readonly index: number;
  readonly seen: Earlier;
  readonly name: string;
  /** What the event leaves out, or says in place of it. */
  readonly but?: JsonObject;
}

/** The ends of an execution that nobody has been told of: the last one, and after a redrive also the one before. */
export function unheardEnds(space: StateSpace, model: ModelState, index: number) {
  const { execution, before } = space.workflow.get(model.executions[index] ?? -1);
  const isUnheard = (seen: Earlier) =>
    isHeardOf(seen) &&
    !model.recoveries.some(
      ({ execution: other, redrives, called }) =>
        !called && other === index && redrives === seen.redriveCount,
    );
  return [
    ...(isUnheard(execution) ? [{ seen: execution as Earlier, which: '' }] : []),
    ...(before && isUnheard(before) ? [{ seen: before, which: ':before' }] : []),
  ];
}

/** The event of an end comes: a recovery begins. */
export function begun(space: StateSpace, model: ModelState, { index, seen, name, but = {} }: Heard): Step {
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
  const state = startedRecovery(space, model, { detail: told, workflowArn: arnOf(space) });
  const { redriveCount: redrives } = seen;
  const recovery: Recovery = {
    execution: index,
    redrives,
    phase: 'atWork',
    state,
    knows: refusedBy(told['error']),
  };
  return silent(name, { ...model, recoveries: [...model.recoveries, recovery] });
}

/** In place of what an event does not tell at all. */
export const LEFT_OUT = 'left out';

function arnOf({ subject: { workflow } }: StateSpace): string {
  return workflow.machine.arn;
}

/**
 * The search finds what no event has told of, and recoveries that were stopped. It is told nothing but a name, and how
 * often an execution has been redriven.
 */
function searches(space: StateSpace, model: ModelState, recovery: Recovery, at: number): Step[] {
  const name = `search${at + 1}`;
  const again = (from: ModelState, told: JsonObject, knows: RecoverysKnowledge = {}): Step => {
    const fresh: Recovery = {
      ...recovery,
      phase: 'atWork',
      state: startedRecovery(space, from, { detail: told, workflowArn: arnOf(space) }),
      knows,
    };
    return silent(name, { ...from, recoveries: [...from.recoveries, fresh] });
  };
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
  if (!state || !space.recovery) return [];
  const { call, answer } = state;
  if (answer) {
    const next = space.recovery.answered(recovery.state ?? -1, answer, model.now, 0);
    return [silent(`recover${at + 1}`, withRecovery(model, at, settled(space, recovery, next)))];
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
  const next = space.recovery.signalled(recovery.state ?? -1, signal, model.now, 0);
  return [silent(`wake${at + 1}`, withRecovery(model, at, settled(space, recovery, next)))];
}

/** The state of a recovery that is at work; undefined for any other one. */
export function stateOf(
  { recovery: machine }: StateSpace,
  { phase, state }: Recovery,
): ExecutionState | undefined {
  return phase === 'atWork' && state !== undefined ? machine?.get(state) : undefined;
}

/** Whether everything has ended, recovery too. */
export function isOver(space: StateSpace, model: ModelState): boolean {
  return isQuiet(space, model) && hasRecovered(space, model) && !model.past.releasing;
}
