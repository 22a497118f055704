import { dueTimer } from '../model/execution-state';
import { type ModelState, withExecution } from '../model/model-state';
import { executionAt, type StateSpace } from '../model/state-space';
import { type Step, silent } from './step';
import { DELETED, STALE_MS } from './step-functions';
import { aborted } from './stops';
import { at, mayPass } from './time';

/**
 * Faults: an operator deletes the former state machine of the workflow, which the owner of the record belongs to. The
 * execution ends, its pending request may still be carried out, and Step Functions does not know the execution any
 * more. Its step may have begun so late after its claim that an owner would be visible by now. Of a machine with a
 * fragment this is left out.
 */
export function ownerIsDeleted(space: StateSpace, model: ModelState, index: number): Step[] {
  const { execution } = executionAt(space, model, index);
  const record = space.recordOf(model);
  const { isExpress, isFragment } = space.subject.workflow.traits;
  const isOwner = record?.['owner']?.['S'] === execution.arn && record['status']?.['S'] === 'IN_PROGRESS';
  if (isExpress || isFragment || !isOwner) return [];
  const late = withLateStep(space, model, index, Date.parse(String(record['claimedAt']?.['S'])) + STALE_MS);
  return [
    { ...deleted(space, model, index), name: `delete${index + 1}` },
    ...(late ? [{ ...deleted(space, late, index), name: `delete${index + 1}:late` }] : []),
  ];
}

function deleted(space: StateSpace, model: ModelState, index: number): Step {
  const { after, facts } = aborted(space, model, index);
  const stopped = executionAt(space, after, index);
  const end = stopped.execution.end && { ...stopped.execution.end, error: DELETED };
  const number = space.workflow.numberOf({ ...stopped, execution: { ...stopped.execution, end } });
  // The end of its step cannot be known any more: the step may succeed again.
  const past = { ...after.past, allowed: after.past.successes.length + 1 };
  return { name: '', after: { ...withExecution(after, index, number), past }, facts };
}

/** The model as it is at this time, epoch milliseconds, with the owner's run begun by so much later. */
function withLateStep(
  space: StateSpace,
  model: ModelState,
  index: number,
  time: number,
): ModelState | undefined {
  const own = model.lambdas.find(({ execution, isAwaited }) => isAwaited && execution === index);
  const until = time + model.skewMs;
  const others = { ...model, lambdas: model.lambdas.filter(lambda => lambda !== own) };
  if (!own || until <= model.now || !mayPass(space, others, until)) return undefined;
  const isTimed = (number: number, which: number) =>
    which !== index && (dueTimer(space.workflow.get(number)) ?? Infinity) <= until;
  if (model.executions.some(isTimed)) return undefined;
  const run = { ...own, until: own.until + until - model.now };
  return silent('', { ...at(others, until), lambdas: [...others.lambdas, run] }).after;
}
