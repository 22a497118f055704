import { connectionLost } from '../../../packages/local/explore/kernel/index';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import type { HttpRequest, ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { changes, withFacts } from './effects';
import { CALL, calledIn, carriedOutFor, goesOn, withoutRequest } from './front-door';
import { calledBy, isUnanswered, limitOfRequest } from './front-door-time';
import { throttling } from './service-errors';
import { type Fact, type Step, silent } from './step';
import { at, mayPass } from './time';

/** How long before the end of its time the front door may still make a request, milliseconds. */
const LAST_MS = 1;

/** The faults that can happen to requests; `model` has one less to come. */
export function requestFaults(space: StateSpace, model: ModelState): Step[] {
  return model.requests
    .filter(request => isUnanswered(space, request))
    .flatMap(request => [
      silent(`stop-request${request.delivery}`, withoutRequest(model, request)),
      ...callFaults(space, model, request),
    ]);
}

function callFaults(space: StateSpace, model: ModelState, request: HttpRequest): Step[] {
  const { frontDoor } = space;
  const call = frontDoor?.get(request.state).call;
  if (!frontDoor) return [];
  const { delivery } = request;
  if (!call) return calledBy(space, model, request) ? [losesEnd(space, model, request)] : [];
  const error = throttling(call.resource);
  const state = frontDoor.exhausted(request.state, error, model.now, 0);
  const worn: Fact = { kind: 'wornOut', of: 'frontDoor', number: request.state, itemIndex: 0, error };
  const throttled = goesOn(space, model, {
    before: request,
    after: { ...request, state },
    isWornOut: true,
  });
  const steps = [
    { ...withFacts([worn], throttled), name: `throttle-request${delivery}` },
    ...takesLong(space, model, request),
  ];
  return changes(call) ? [...steps, losesAnswer(space, model, request)] : steps;
}

/** The connection on which the end of the called workflow would come is lost; the workflow continues. */
function losesEnd(space: StateSpace, model: ModelState, request: HttpRequest): Step {
  const lost: JobResult = { kind: 'failed', error: connectionLost(CALL), cause: '' };
  const state = space.frontDoor?.answered(request.state, lost, model.now, 0) ?? request.state;
  const step = goesOn(space, model, { before: request, after: { ...request, state } });
  return { ...step, name: `lose-request${request.delivery}` };
}

/** Its request takes so long that its time is nearly over. */
function takesLong(space: StateSpace, model: ModelState, request: HttpRequest): Step[] {
  const last = limitOfRequest(space, request) - LAST_MS;
  const others = withoutRequest(model, request);
  if (!Number.isFinite(last) || last <= model.now || !mayPass(space, others, last)) return [];
  return [silent(`slow-request${request.delivery}`, at(model, last))];
}

/** Its request is carried out, and is made again, as the answer is lost. */
function losesAnswer(space: StateSpace, model: ModelState, request: HttpRequest): Step {
  const { frontDoor } = space;
  const call = frontDoor?.get(request.state).call;
  if (!frontDoor || !call) return silent('', model);
  const { model: after, facts } = carriedOutFor(space, model, call);
  const lost: JobResult = { kind: 'failed', error: connectionLost(call.resource), cause: '' };
  const state = frontDoor.answered(request.state, lost, model.now, 0);
  const step = goesOn(space, after, {
    before: request,
    after: { ...request, state, ...calledIn(space, after, call) },
    isWornOut: true,
  });
  const served: Fact = { kind: 'served', request, call };
  return { ...withFacts([...facts, served], step), name: `lose-request${request.delivery}` };
}
