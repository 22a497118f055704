import { executionOf } from '../model/entries';
import type { Call, ExecutionState } from '../model/execution-state';
import { type ModelState, type OrphanedRequest, withExecution } from '../model/model-state';
import { withoutHeard } from '../model/past';
import { entriesAt, executionAt, type StateSpace } from '../model/state-space';
import { changes, moveTo } from './effects';
import { limitOf } from './express';
import { runs } from './runs';
import { type Step, silent } from './step';
import { lateEnd } from './time';

/** An operator stops the execution. What it has asked for may still happen. */
export function aborted(space: StateSpace, model: ModelState, index: number): Step {
  const left = abandoned(space, model, index);
  return endedBy(space, left, index, stoppedAt(space, model, index));
}

/** The machine's time is over for the execution. What it has asked for may still happen. */
export function timedOut(space: StateSpace, model: ModelState, index: number): Step {
  const left = abandoned(space, model, index);
  const stopped: ExecutionState = space.workflow.get(stoppedAt(space, model, index));
  const execution = { ...stopped.execution, status: 'TIMED_OUT' as const };
  return endedBy(space, left, index, space.workflow.numberOf({ ...stopped, execution }));
}

/** The end of an execution, and with it of all its entries that had not ended. */
function endedBy(space: StateSpace, model: ModelState, index: number, number: number): Step {
  const isRunning = (entry: number) => executionAt(space, model, entry).execution.status === 'RUNNING';
  const ends = entriesAt(space, model, index)
    .filter(isRunning)
    .map(entry => moveTo(space, model, entry, number));
  const after = withExecution(model, index, number);
  return { name: '', after, facts: ends.flatMap(({ facts }) => facts) };
}

/** The ends of the executions whose time is over. */
export function timesOut(space: StateSpace, model: ModelState): Step[] {
  return model.executions.flatMap((number, index) => {
    const limit = limitOf(space, space.workflow.get(number));
    if (limit === undefined || limit > model.now) return [];
    return [{ ...timedOut(space, model, index), name: `over${index + 1}` }];
  });
}

/**
 * A fault: Step Functions runs an Express execution from its beginning again, under the same ARN. What its first run
 * has asked for may still happen.
 */
export function restarts(space: StateSpace, model: ModelState, index: number): Step[] {
  const { execution } = executionAt(space, model, index);
  if (space.subject.workflow.type !== 'EXPRESS') return [];
  // An execution that is waited for runs at most once.
  if (space.dispatcher && runs(space.dispatcher)) return [];
  const left = abandoned(space, model, index);
  const now = Math.max(model.now, execution.startedAt) + 1;
  const number = space.workflow.started({ name: execution.name, input: execution.input.value, now });
  const restarted = withExecution(left, index, number);
  return [silent(`restart${index + 1}`, { ...restarted, past: withoutHeard(restarted.past, index) })];
}

function stoppedAt(space: StateSpace, model: ModelState, index: number): number {
  return space.workflow.signalled(model.executions[index] ?? -1, { kind: 'stopped' }, model.now);
}

/** The model in which no execution waits any more for a pending request; the request may come late. */
function abandoned(space: StateSpace, model: ModelState, index: number): ModelState {
  const lambdas = model.lambdas.map(lambda =>
    executionOf(lambda.execution) === index ? { ...lambda, isAwaited: false } : lambda,
  );
  const until = lateEnd(space, model, index);
  const sent = entriesAt(space, model, index).flatMap(entry => {
    const { call } = executionAt(space, model, entry);
    return call && changes(call) ? [orphanOf(space, call, entry, until)] : [];
  });
  if (sent.length === 0) return { ...model, lambdas };
  return { ...model, lambdas, orphans: [...model.orphans, ...sent] };
}

/** A request without a caller that waits, and that is carried out before `until`, epoch milliseconds, or never. */
export function orphanOf(space: StateSpace, call: Call, execution: number, until: number): OrphanedRequest {
  return { execution, call: space.calls.numberOf(call), until };
}
