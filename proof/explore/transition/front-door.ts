import { isJsonObject } from '../../../packages/local/json/json';
import { isoTime } from '../../../packages/local/language/index';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { type Call, leafOf, timeoutIdOf, waitIdOf } from '../model/execution-state';
import { questionAt, questionName, requestName, requestOf } from '../model/inputs';
import type { HttpRequest, ModelState, RequestsStart, SeenByRequest } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { isOfAnotherWorkflow } from './another-workflow';
import { BY_RECOVERY, type CarriedOut, carryOut, readLate } from './effects';
import { calledBy, isAwake, isUnanswered, limitOfRequest } from './front-door-time';
import { indexCalled } from './redelivery';
import { type Fact, type Step, silent } from './step';
import { STARTED } from './step-functions';

// The front door is an Express state machine that API Gateway starts for a request. Its caller hears its output.

/** With a front door, the steps in which a request comes; the delivery has been counted. */
export function requestComes(space: StateSpace, begun: ModelState, payload: number): Step[] {
  const { frontDoor } = space;
  if (!frontDoor) return [];
  const { delivered: delivery, now: since } = begun;
  const input = requestOf(payload, space.subject.orderId);
  const state = frontDoor.started({ name: requestName(delivery), input, now: since });
  const step = goesOn(space, begun, { after: { delivery, payload, since, state } });
  return [{ ...step, name: `request${delivery}${payload === 0 ? '' : '*'}` }];
}

/** What can happen next to requests, without a fault. */
export function requestSteps(space: StateSpace, model: ModelState): Step[] {
  return model.requests.flatMap(request => {
    if (!isUnanswered(space, request)) return isAskedFor(space, model, request);
    if (limitOfRequest(space, request) <= model.now) return [timeIsOver(model, request)];
    return [...servings(space, model, request), ...wakes(space, model, request)];
  });
}

function timeIsOver(model: ModelState, request: HttpRequest): Step {
  const facts: Fact[] = [{ kind: 'unanswered', request }];
  return { name: `over-request${request.delivery}`, after: withoutRequest(model, request), facts };
}

/** The model in which a request gets no answer. */
export function withoutRequest(model: ModelState, request: HttpRequest): ModelState {
  return { ...model, requests: model.requests.filter(other => other !== request) };
}

/** The caller of an accepted request asks at the location that the answer has named. */
function isAskedFor(space: StateSpace, model: ModelState, request: HttpRequest): Step[] {
  const { frontDoor } = space;
  const location = answerIn(space, request)?.headers['Location'];
  if (!frontDoor || typeof location !== 'string') return [];
  const { delivery, payload, since: asks, start } = request;
  const input = questionAt(location);
  const state = frontDoor.started({ name: questionName(delivery), input, now: model.now });
  const after = { delivery, payload, since: model.now, state, asks, ...(start && { start }) };
  return [{ ...goesOn(space, model, { before: request, after }), name: `ask${delivery}` }];
}

function servings(space: StateSpace, model: ModelState, request: HttpRequest): Step[] {
  const call = space.frontDoor?.get(request.state).call;
  if (!call) return callEnds(space, model, request);
  const { delivery } = request;
  if (call.resource === CALL)
    return [{ ...callBegins(space, model, request, call), name: `serve${delivery}` }];
  const old = readLate(space, model, call);
  return [
    { ...hears(space, request, call, carriedOutFor(space, model, call)), name: `serve${delivery}` },
    ...(old
      ? [{ ...hears(space, request, call, { ...old, facts: [] }), name: `old-request${delivery}` }]
      : []),
  ];
}

/** The request by which the front door calls an Express workflow: its answer is the end of the execution. */
export const CALL = 'aws-sdk:sfn:startSyncExecution';

/** A called workflow begins; its caller waits for it. */
function callBegins(space: StateSpace, model: ModelState, request: HttpRequest, call: Call): Step {
  const { model: after, result, facts } = carryOut(space, model, call, BY_RECOVERY, 'frontDoor');
  if (result !== STARTED) return hears(space, request, call, { model: after, result, facts });
  const state = space.frontDoor?.withoutCall(request.state, 0) ?? request.state;
  const waiting = { ...request, state, ...calledIn(space, after, call) };
  const step = goesOn(space, after, { before: request, after: waiting });
  return { ...step, facts: [...facts, { kind: 'served', request, call }, ...step.facts] };
}

/** What a request knows of the workflow that it has called: the record tells the name, whatever becomes of the answer. */
export function calledIn(
  space: StateSpace,
  model: ModelState,
  call: Call,
): { readonly start?: RequestsStart } {
  const execution = call.resource === CALL ? startedBy(space, model, call) : undefined;
  return execution === undefined ? {} : { start: { execution, at: model.now } };
}

/** The called workflow has ended: the front door is answered with that. */
function callEnds(space: StateSpace, model: ModelState, request: HttpRequest): Step[] {
  const { status, end } = calledBy(space, model, request) ?? {};
  if (status === undefined || !end) return [];
  const output = { Status: status, ...(end.output && { Output: end.output.text }) };
  const call: Call = { resource: CALL, arguments: {}, stateName: 'Start the request' };
  const heard = hears(space, request, call, { model, result: { kind: 'succeeded', output }, facts: [] });
  return [{ ...heard, name: `serve${request.delivery}` }];
}

function wakes(space: StateSpace, model: ModelState, request: HttpRequest): Step[] {
  const { frontDoor } = space;
  if (!frontDoor || !isAwake(space, model, request)) return [];
  const isCalling = leafOf(frontDoor.get(request.state).execution)?.waits?.kind === 'task';
  const signal = { kind: 'timerDue' as const, timerId: isCalling ? timeoutIdOf(0) : waitIdOf(0) };
  const state = frontDoor.signalled(request.state, signal, model.now, 0);
  const step = goesOn(space, model, { before: request, after: { ...request, state } });
  return [{ ...step, name: `wake-request${request.delivery}` }];
}

/** Carries a request of a starter out. A start is answered with its execution, and when that began. */
export function carriedOutFor(
  space: StateSpace,
  model: ModelState,
  call: Call,
  of: 'dispatcher' | 'frontDoor' = 'frontDoor',
): CarriedOut {
  const done = carryOut(space, model, call, BY_RECOVERY, of);
  const index = startedBy(space, done.model, call);
  if (done.result !== STARTED || index === undefined) return done;
  const { arn, startedAt } = executionOf(space, done.model, index);
  const output = { ExecutionArn: arn, StartDate: isoTime(startedAt) };
  return { ...done, result: { kind: 'succeeded', output } };
}

/** The step in which the front door hears the answer to its request; what has come of that is in the model already. */
function hears(
  space: StateSpace,
  request: HttpRequest,
  call: Call,
  { model, result, facts }: CarriedOut,
): Step {
  const state = space.frontDoor?.answered(request.state, result, model.now, 0) ?? request.state;
  const start = call.resource === 'states:startExecution' ? startIn(space, model, request, call, result) : {};
  const read = call.resource === 'dynamodb:getItem' ? readIn(result) : undefined;
  const counts =
    read && (isConsistent(call) || read.record?.['owner']?.['S'] === ownOf(space, model, request));
  const saw = counts && { saw: seenBy(space, model.now, { ...request, ...start }, read.record) };
  const after = { ...request, state, ...start, ...saw };
  const step = goesOn(space, model, { before: request, after, read });
  return { ...step, facts: [...facts, { kind: 'served', request, call }, ...step.facts] };
}

interface Moved {
  /** Absent: it has just come. */
  readonly before?: HttpRequest;
  readonly after: HttpRequest;
  readonly read?: { readonly record: Item | undefined } | undefined;
  /** What it was answered last is an error for which no retry was left. */
  readonly isWornOut?: true;
}

/** A request with its next state. Of those that were answered only accepted ones stay: they can be asked for. */
export function goesOn(space: StateSpace, model: ModelState, moved: Moved): Step {
  const { before, after, read, isWornOut } = moved;
  const others = model.requests.filter(other => other !== before);
  if (isUnanswered(space, after)) return silent('', { ...model, requests: [...others, after] });
  const { saw: _, ...answered } = after;
  const isAccepted = after.asks === undefined && answerIn(space, after)?.status === ACCEPTED;
  const fact: Fact = {
    kind: 'responded',
    request: after,
    ...(read && { read }),
    ...(isWornOut && { isWornOut }),
  };
  const requests = isAccepted ? [...others, answered] : others;
  return { name: '', after: { ...model, requests }, facts: [fact] };
}

const ACCEPTED = 202;

/** Whether a call is a read whose answer is the record as it is. */
export function isConsistent({ resource, arguments: { ConsistentRead: isSure } }: Call): boolean {
  return resource === 'dynamodb:getItem' && isSure === true;
}

/** The ARN of the execution that a request has started itself. */
export function ownOf(space: StateSpace, model: ModelState, { start }: HttpRequest): string | undefined {
  return start && !start.isJoined ? executionOf(space, model, start.execution).arn : undefined;
}

/** What the caller of a request is answered; undefined where the front door has ended without an answer. */
export function answerIn({ frontDoor }: StateSpace, { state }: HttpRequest) {
  const { status: how, end } = frontDoor?.get(state).execution ?? {};
  const output = end?.output?.value;
  if (how !== 'SUCCEEDED' || !isJsonObject(output ?? null)) return undefined;
  const { status, headers, body } = output as { readonly [name: string]: unknown };
  if (typeof status !== 'number' || typeof body !== 'string' || typeof headers !== 'object') return undefined;
  return { status, headers: headers as Readonly<Record<string, unknown>>, body };
}

function executionOf({ workflow }: StateSpace, { executions }: ModelState, index: number) {
  return workflow.get(executions[index] ?? -1).execution;
}

/** The execution under the name of a start, by its index; undefined if it has none. */
export function startedBy(space: StateSpace, model: ModelState, { arguments: { Name: name } }: Call) {
  return indexCalled(space, model, space.workflow.arnOf(String(name)));
}

/** What the front door knows of its start when that was answered: that its own name is in use says so, too. */
function startIn(
  space: StateSpace,
  model: ModelState,
  { since, start }: HttpRequest,
  call: Call,
  result: JobResult,
): { readonly start?: RequestsStart } {
  const execution = startedBy(space, model, call);
  const isOwnName = call.stateName === 'Start anew' && /ExecutionAlreadyExists/.test(errorOf(result));
  if (execution === undefined || (result.kind === 'failed' && !isOwnName)) return start ? { start } : {};
  const at = isOwnName ? since : executionOf(space, model, execution).startedAt;
  const isJoined = at < since - CLOCKS_DIFFER_MS;
  return { start: { execution, at, ...(isJoined && { isJoined }) } };
}

/** How much earlier an execution must have begun to be another request's, by the guide. */
export const CLOCKS_DIFFER_MS = 100;

function errorOf(result: JobResult): string {
  return result.kind === 'failed' ? result.error : '';
}

/** The record in the answer to a read; undefined for an error. */
function readIn(result: JobResult): { readonly record: Item | undefined } | undefined {
  if (result.kind === 'failed') return undefined;
  const item = isJsonObject(result.output) ? result.output['Item'] : undefined;
  return { record: isJsonObject(item ?? null) ? (item as unknown as Item) : undefined };
}

const BY_STATUS: Readonly<Record<string, SeenByRequest>> = {
  HELD: 'held',
  RELEASED: 'released',
  IN_PROGRESS: 'atWork',
  RELEASING: 'atWork',
};

/** What a record is to a request. */
function seenBy(
  { payloadHashes }: StateSpace,
  now: number,
  { payload, start }: Pick<HttpRequest, 'payload' | 'start'>,
  record: Item | undefined,
): SeenByRequest {
  const textIn = (name: string) => String(record?.[name]?.['S'] ?? '');
  const expiry = record?.['expiry']?.['N'];
  if (!record || (expiry !== undefined && Number(expiry) <= Math.floor(now / 1000))) return 'absent';
  if (isOfAnotherWorkflow(record)) return 'foreign';
  if (textIn('payloadHash') !== payloadHashes[payload]) return 'mismatch';
  const status = textIn('status');
  if (status === 'COMPLETED') return ['', 'ELSEWHERE'].includes(textIn('result')) ? 'elsewhere' : 'completed';
  if (status !== 'FAILED') return BY_STATUS[status] ?? 'atWork';
  const later = Date.parse(textIn('claimedAt')) - (start?.at ?? Number.POSITIVE_INFINITY);
  if (later === 0) return 'failedThen';
  return later > 0 ? 'failed' : 'failedBefore';
}
