import type { ExecutionState } from '../model/execution-state';
import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';

// An Express execution ends by its machine's time, whatever it is at; until then and a step longer its claim counts.

/** When the time of a running Express execution is over, epoch milliseconds; undefined for any other one. */
export function limitOf({ subject }: StateSpace, { execution }: ExecutionState): number | undefined {
  const { type, machine } = subject.workflow;
  const seconds = machine.definition.timeoutSeconds;
  if (type !== 'EXPRESS' || execution.status !== 'RUNNING' || seconds === undefined) return undefined;
  return execution.startedAt + seconds * 1000;
}

/** How long before the end of its time an execution's last request may be made, milliseconds. */
const LAST_MS = 1;

/**
 * The times at which a lease decides, after all other work has ended: an execution at the end of its lease times out,
 * and then the lease ends.
 */
export function leaseInstants(space: StateSpace, model: ModelState): number[] {
  if (space.subject.workflow.type !== 'EXPRESS') return [];
  const limits = model.executions.flatMap(number => limitOf(space, space.workflow.get(number)) ?? []);
  const lease = leaseOf(space, model);
  const isAlone = model.executions.every(number => space.workflow.get(number).call === null);
  const last = limits.filter(limit => limit <= model.now + LAST_MS);
  return lease !== undefined && isAlone ? [...last, lease + 1] : last;
}

/** Until when a request may take: the last of its execution's time, or until a lease is over, epoch milliseconds. */
export function lateInstants(space: StateSpace, model: ModelState, state: ExecutionState): number[] {
  const limit = limitOf(space, state);
  if (limit === undefined || !state.call) return [];
  const lease = leaseOf(space, model);
  const ends = lease === undefined || lease + 1 >= limit ? [] : [lease + 1];
  // Who reads the record in the very millisecond of its end finds it leased.
  const last = ends.length > 0 && state.call.resource === 'dynamodb:getItem' ? [lease ?? 0] : [];
  return [limit - LAST_MS, ...ends, ...last].filter(instant => instant > model.now);
}

function leaseOf(space: StateSpace, model: ModelState): number | undefined {
  const lease = space.recordOf(model)?.['leaseExpiry']?.['N'];
  return lease === undefined ? undefined : Number(lease);
}

/** Whether the time of an execution is over, so that nothing else happens before its end. */
export function isOverdue(space: StateSpace, { executions, now }: ModelState): boolean {
  return executions.some(number => (limitOf(space, space.workflow.get(number)) ?? now + 1) <= now);
}
