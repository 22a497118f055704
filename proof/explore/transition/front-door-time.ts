import type { Execution } from '../../../packages/local/engine/index';
import { dueTimer, leafOf } from '../model/execution-state';
import type { HttpRequest, ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';

/** Whether the front door is at work for a request. */
export function isUnanswered({ frontDoor }: StateSpace, { state }: HttpRequest): boolean {
  return frontDoor?.get(state).execution.status === 'RUNNING';
}

/** The execution that the front door has called for a request, and whose end it awaits; undefined: none. */
export function calledBy(space: StateSpace, model: ModelState, request: HttpRequest): Execution | undefined {
  const { frontDoor, subject, workflow } = space;
  if (!request.start || !subject.workflow.traits.isExpress) return undefined;
  const entry = frontDoor?.get(request.state);
  if (!entry || entry.call || leafOf(entry.execution)?.waits?.kind !== 'task') return undefined;
  return workflow.get(model.executions[request.start.execution] ?? -1).execution;
}

/** When the time of the front door's execution for a request is over, epoch milliseconds. */
export function limitOfRequest({ frontDoor }: StateSpace, { since }: HttpRequest): number {
  const seconds = frontDoor?.explored.machine.definition.timeoutSeconds;
  return seconds === undefined ? Number.POSITIVE_INFINITY : since + seconds * 1000;
}

/** Whether a timer of the front door for a request is due. */
export function isAwake({ frontDoor }: StateSpace, { now }: ModelState, { state }: HttpRequest): boolean {
  const entry = frontDoor?.get(state);
  return entry !== undefined && (dueTimer(entry) ?? now + 1) <= now;
}

/**
 * Whether the front door goes on for a request before time passes: it has a request to make, its timer is due, or its
 * time is over. That a request of its own takes long is a fault.
 */
export function isServing(space: StateSpace, model: ModelState): boolean {
  return model.requests.some(
    request =>
      isUnanswered(space, request) &&
      (space.frontDoor?.get(request.state).call ||
        isAwake(space, model, request) ||
        calledBy(space, model, request)?.end ||
        limitOfRequest(space, request) <= model.now),
  );
}

/** When the front door goes on for requests, or its time is over. */
export function requestInstants(space: StateSpace, { requests }: ModelState): number[] {
  return requests
    .filter(request => isUnanswered(space, request))
    .flatMap(request => {
      const state = space.frontDoor?.get(request.state);
      return [limitOfRequest(space, request), (state && dueTimer(state)) ?? []].flat();
    })
    .filter(Number.isFinite);
}
