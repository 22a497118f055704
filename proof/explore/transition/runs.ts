import type { JobResult } from '../../../packages/local/runtime/calls/service';
import type { Call } from '../model/execution-state';
import type { ExecutionStates } from '../model/execution-states';
import { hasState } from '../model/explored-machine';
import { runName, runOrder } from '../model/inputs';
import type { Dispatcher, ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';

// The dispatcher of an Express workflow runs it and waits for its end. What fails comes again, under another name.

/** The request by which it does so. */
const RUN = 'aws-sdk:sfn:startSyncExecution';

/** Whether a request is answered when the execution that it starts has ended. */
export function isRun({ resource }: Call): boolean {
  return resource === RUN;
}

/** Whether a dispatcher waits for what it starts. */
export function runs({ explored }: ExecutionStates): boolean {
  return hasState(explored.json, 'Run the workflow');
}

/** The index of the last execution for a delivery; undefined: there is none. */
export function runOf(space: StateSpace, model: ModelState, delivery: number): number | undefined {
  const index = model.executions.findLastIndex(state => isOf(space, state, delivery));
  return index < 0 ? undefined : index;
}

function isOf({ workflow }: StateSpace, state: number, delivery: number): boolean {
  return runOrder(workflow.get(state).execution.name)?.delivery === delivery;
}

/** The model with an execution for a delivery that has just come; undefined while another one would change nothing. */
export function withRun(
  space: StateSpace,
  model: ModelState,
  dispatcher: Dispatcher,
  call: Call,
): ModelState | undefined {
  const { delivery } = dispatcher;
  const earlier = model.executions.filter(state => isOf(space, state, delivery)).length;
  // The bus delivers sooner, too. That is like another delivery of the key.
  if (earlier > 0 && isLeftAlone(space, model)) return undefined;
  const run = space.workflow.started({
    name: runName(delivery, earlier + 1),
    input: call.arguments['Input'] ?? null,
    now: space.clockOf(model, model.executions.length),
  });
  const begun = { ...dispatcher, isStarted: true };
  const dispatchers = model.dispatchers.map(other => (other === dispatcher ? begun : other));
  return { ...model, executions: [...model.executions, run], dispatchers };
}

/** Whether an execution is running, or has ended and has its lease. */
function isLeftAlone(space: StateSpace, model: ModelState): boolean {
  if (model.executions.some(state => space.workflow.get(state).execution.status === 'RUNNING')) return true;
  const record = space.recordOf(model);
  const lease = Number(record?.['leaseExpiry']?.['N'] ?? 0);
  return record?.['status']?.['S'] === 'IN_PROGRESS' && lease >= model.now;
}

/** The answer to a run; undefined before its end. */
export function answerOf(
  space: StateSpace,
  model: ModelState,
  { delivery }: Dispatcher,
): JobResult | undefined {
  const index = runOf(space, model, delivery);
  const { execution } = space.workflow.get(model.executions[index ?? -1] ?? -1);
  const { arn, status, end } = execution;
  if (status === 'RUNNING') return undefined;
  const output = {
    ExecutionArn: arn,
    Status: status,
    ...(end?.error !== undefined && { Error: end.error }),
    ...(end?.output && { Output: end.output.text }),
  };
  return { kind: 'succeeded', output };
}
