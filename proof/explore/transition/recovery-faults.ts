import { connectionLost } from '../../../packages/local/explore/kernel/index';
import type { JsonObject } from '../../../packages/local/json/json';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import type { Call } from '../model/execution-state';
import type { ExecutionStates } from '../model/execution-states';
import type { ModelState, Recovery } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { begun, isHeardBy, LEFT_OUT, listenersIn, stateOf, type Told, unheardEnds } from './recovery';
import {
  arrived,
  described,
  hearsLate,
  isBehind,
  recoveryAt,
  requested,
  withRecovery,
} from './recovery-requests';
import { throttling } from './service-errors';
import { type Fact, type Step, silent } from './step';
import { staleDescriptions } from './step-functions';
import { outlastsRecovery } from './time';

/** All faults of recovery that may happen next; each takes one from the budget, which has been taken already. */
export function recoveryFaults(space: StateSpace, model: ModelState): Step[] {
  if (!space.recoverers) return [];
  return [
    ...listenersIn(space).flatMap(who =>
      model.executions.flatMap((_, index) => eventFaults(space, model, index, who)),
    ),
    ...outlastsRecovery(space, model),
    ...model.recoveries.flatMap((recovery, at) => faultsOfRecovery(space, model, recovery, at)),
  ];
}

/** The event of an end is lost, comes twice, or does not tell the input or the error. */
function eventFaults(space: StateSpace, model: ModelState, index: number, who: Told): Step[] {
  const { execution } = space.workflow.get(model.executions[index] ?? -1);
  const { redriveCount: redrives } = execution;
  const [unheard] = unheardEnds(space, model, index, who).filter(({ which }) => which === '');
  if (unheard) {
    const redelivery = who === 'tell-redelivery' && { redelivery: { last: index, at: model.now } };
    const lost: Recovery = {
      execution: index,
      redrives,
      ...redelivery,
      phase: 'unheard',
      state: undefined,
      knows: {},
    };
    const told = (name: string, but: JsonObject) =>
      begun(space, model, { index, seen: unheard.seen, name, who, but });
    return [
      silent(`un${who.replace('tell', 'told')}${index + 1}`, {
        ...model,
        recoveries: [...model.recoveries, lost],
      }),
      told(`${who}${index + 1}:no-input`, { input: LEFT_OUT }),
      ...(unheard.seen.end?.error === undefined
        ? []
        : [told(`${who}${index + 1}:no-error`, { error: LEFT_OUT })]),
    ];
  }
  if (!isHeardBy(who, execution)) return [];
  return [begun(space, model, { index, seen: execution, name: `${who}${index + 1}:again`, who })];
}

/** A recovery is stopped, its answer is lost, or it is answered with an old state of the execution. */
function faultsOfRecovery(space: StateSpace, model: ModelState, recovery: Recovery, at: number): Step[] {
  const state = stateOf(space, recovery);
  const machine = space.recovererOf(recovery);
  if (!state || !machine) return [];
  const who = at + 1;
  const stopped = machine.signalled(recovery.state ?? -1, { kind: 'stopped' }, model.now);
  // A redelivery that was stopped does not start again: of which state it was is gone.
  const isOver = recovery.redelivery !== undefined;
  const left: Recovery = { ...recovery, phase: 'stopped', state: isOver ? undefined : stopped, knows: {} };
  const stop = silent(`stop-recovery${who}`, withRecovery(model, at, left));
  const { call } = state;
  if (!call) return [stop];
  const { number, facts: rejections, goesOn } = wornOut(machine, recovery, call, model.now);
  const steps = [{ ...stop, facts: rejections }];
  if (goesOn) {
    const isTold = call.resource === 'sqs:sendMessage' && { isTold: true as const };
    const tried = { ...recovery, knows: { ...recovery.knows, ...isTold } };
    const rejected = withRecovery(model, at, recoveryAt(space, tried, number));
    steps.push(silent(`throttle-recovery${who}`, rejected));
  }
  const misled: Recovery = recovery.redelivery
    ? recovery
    : { ...recovery, knows: { ...recovery.knows, isMisled: true } };
  if (call.resource === 'aws-sdk:sfn:describeExecution')
    return [
      ...steps,
      ...staleDescriptions(space, model, call).map(([how, answer]) => {
        const result = answer.kind === 'failed' ? answer : described(space, model, call, answer);
        const asked = isBehind(result, recovery.redrives) ? recovery : misled;
        return silent(
          `stale-recovery${who}:${how}`,
          arrived(space, model, { recovery: asked, at, call, result }),
        );
      }),
    ];
  if (call.resource === 'dynamodb:getItem') {
    const { result } = requested(space, model, recovery, call);
    return [...steps, silent(`slow-recovery${who}`, hearsLate(space, model, { recovery, at, call, result }))];
  }
  const { model: after, facts } = requested(space, model, recovery, call);
  const lost: JobResult = { kind: 'failed', error: connectionLost(call.resource), cause: '' };
  const answered = arrived(space, after, { recovery, at, call, result: lost });
  return [...steps, { name: `lose-recovery${who}`, after: answered, facts }];
}

/**
 * A recovery is rejected until no retry is left. One that ends by that is found as one is that was stopped: what it
 * shows is how often it has tried before.
 */
function wornOut(
  machine: ExecutionStates,
  { state = -1, redelivery }: Recovery,
  call: Call,
  now: number,
): Rejected {
  const errors = [throttling(call.resource), 'States.QueryEvaluationError'];
  const number = machine.exhausted(state, errors[0] ?? '', now, 0);
  const facts = errors.map((error): Fact => {
    return {
      kind: 'wornOut',
      of: redelivery ? 'redelivery' : 'recovery',
      number: state,
      itemIndex: 0,
      error,
    };
  });
  return { number, facts, goesOn: machine.get(number).execution.status === 'RUNNING' };
}

interface Rejected {
  readonly number: number;
  readonly facts: readonly Fact[];
  readonly goesOn: boolean;
}
