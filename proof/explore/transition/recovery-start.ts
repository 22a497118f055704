import { isJsonObject, type Json, type JsonObject } from '../../../packages/local/json/json';
import type { Call } from '../model/execution-state';
import type { ModelState, Recovery } from '../model/model-state';
import { ONE_RECOVERY_MS } from '../model/recovery-name';
import type { StateSpace } from '../model/state-space';
import { type Served, STARTED } from './step-functions';

/** The owner that a delivery starts recovery for, by its ARN. */
export function calledFor(call: Call): Json | undefined {
  const { detail = null } = inputOf(call);
  return isJsonObject(detail) ? detail['executionArn'] : undefined;
}

/** A recovery that has just been started. */
export function startedRecovery({ recovery }: StateSpace, { now, recoveries }: ModelState, input: Json) {
  const others = recoveries.filter(({ redelivery }) => !redelivery);
  // By its place: nothing but a search for recoveries that were interrupted asks for its name.
  return recovery?.started({ name: `recovery-${others.length + 1}`, input, now });
}

/** A redelivery that has just been started: nothing asks for its name. */
export function startedRedelivery({ redelivery }: StateSpace, { now }: ModelState, input: Json) {
  return redelivery?.started({ name: 'redelivery', input, now });
}

/**
 * A delivery starts recovery by name. If recovery is not among the possible steps, it is lost, as if it had been
 * stopped at once. One whose name is taken has been started before.
 */
export function startRecovery(space: StateSpace, model: ModelState, call: Call): Served {
  const name = String(call.arguments['Name']);
  const owner = calledFor(call);
  if (!space.recovery) return { model, result: STARTED };
  if (model.recoveries.some(({ called }) => called?.name === name))
    return { model, result: { kind: 'failed', error: 'Sfn.ExecutionAlreadyExistsException', cause: '' } };
  const executions = model.executions.map(number => space.workflow.get(number).execution);
  const execution = executions.findLastIndex(({ arn }) => arn === owner);
  const recovery: Recovery = {
    execution,
    redrives: executions[execution]?.redriveCount ?? 0,
    called: {
      name,
      attempt: Number(space.recordOf(model)?.['attempt']?.['N'] ?? 0),
      quarter: Math.floor(model.now / ONE_RECOVERY_MS),
    },
    phase: 'atWork',
    state: startedRecovery(space, model, inputOf(call)),
    knows: {},
  };
  return { model: { ...model, recoveries: [...model.recoveries, recovery] }, result: STARTED };
}

function inputOf({ arguments: { Input } }: Call): JsonObject {
  const input: unknown = JSON.parse(String(Input));
  return isJsonObject(input as Json) ? (input as JsonObject) : {};
}
