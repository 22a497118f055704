import { isJsonObject } from '../../../packages/local/json/json';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { itemIndexOf, nameOfEntry } from '../model/entries';
import {
  type Call,
  currentState,
  type ExecutionState,
  leafOf,
  timeoutIdOf,
  waitIdOf,
} from '../model/execution-state';
import { directName, eventName, eventOf, inputOf, recordOf } from '../model/inputs';
import {
  type Dispatcher,
  type Lambda,
  type ModelState,
  numberAt,
  type OrphanedRequest,
  withExecution,
} from '../model/model-state';
import { entriesOf, executionAt, type StateSpace } from '../model/state-space';
import {
  arrive,
  type CarriedOut,
  carryOut,
  changes,
  dispatched,
  invoke,
  isBusiness,
  moveTo,
  readLate,
  takesList,
  told,
  withFacts,
  wornOut,
} from './effects';
import { CLOCKS_DIFFER_MS, carriedOutFor, requestComes, requestSteps, startedBy } from './front-door';
import { recoverySteps } from './recovery';
import { releaseGoesOn } from './release';
import { answerOf, isRun, runOf, withRun } from './runs';
import { type Fact, type Step, silent } from './step';
import { pendingRedrive, untoldError } from './step-functions';
import { timesOut } from './stops';
import { missingTarget } from './targets';
import { dueTimers, expiredIsDeleted, lateEnd, nextInstant, stepEnd, timePasses } from './time';

/** How deliveries come. */
export type Channel = 'direct' | 'dispatcher';

/** All that can happen next without a fault, each worked out when it is asked for. */
export function* ordinarySteps(
  space: StateSpace,
  model: ModelState,
  channels: readonly Channel[],
): Generator<Step, void> {
  yield* deliveries(space, model, channels, 0);
  for (const entry of entriesOf(space, model))
    yield* executionSteps(space, model, entry, executionAt(space, model, entry));
  for (const dispatcher of model.dispatchers) yield* dispatcherSteps(space, model, dispatcher);
  yield* requestSteps(space, model);
  for (const lambda of model.lambdas) yield* lambdaEnds(space, model, lambda);
  yield* orphanSteps(space, model);
  for (const entry of dueTimers(space, model)) yield timerFires(space, model, entry);
  yield* recoverySteps(space, model);
  yield* releaseGoesOn(space, model);
  yield* timesOut(space, model);
  yield* timePasses(space, model);
  yield* expiredIsDeleted(space, model);
}

/** The first of these steps whose name is not skipped, and that is not the passing of time: that where there is no other. */
export function firstStep(steps: Iterable<Step>, skipped: RegExp): Step | undefined {
  let passes: Step | undefined;
  for (const step of steps) {
    if (skipped.test(step.name)) continue;
    if (step.name !== 'pass') return step;
    passes ??= step;
  }
  return passes;
}

/** The next delivery, by each of these ways, with one of the payloads. */
export function deliveries(
  space: StateSpace,
  model: ModelState,
  channels: readonly Channel[],
  payload: number,
): Step[] {
  if (model.delivered >= model.deliveries) return [];
  const { former, formerDeliveries = 1, orderId } = space.subject;
  const delivery = model.delivered + 1;
  const begun = { ...model, delivered: delivery };
  const sign = payload === 0 ? '' : '*';
  const came = channels.flatMap(channel => {
    if (channel === 'direct') {
      const state = space.workflow.started({
        name: directName(delivery),
        input: inputOf(payload, orderId),
        now: space.clockOf(model, model.executions.length),
        isFormer: former && delivery <= formerDeliveries ? true : undefined,
      });
      return [silent(`start${delivery}${sign}`, { ...begun, executions: [...model.executions, state] })];
    }
    const { dispatcher } = space;
    if (!dispatcher) return [];
    const sent = (number: number, place: number): Dispatcher => {
      const event = eventOf(number, payload, orderId);
      const input = takesList(dispatcher) ? recordOf(event, place) : event;
      const state = dispatcher.started({ name: eventName(delivery), input, now: model.now });
      return { delivery: number, state, isStarted: false, isDeadLettered: false };
    };
    const dispatchers = [...model.dispatchers, sent(delivery, 0)];
    const one = silent(`send${delivery}${sign}`, { ...begun, dispatchers });
    if (!takesList(dispatcher) || delivery >= model.deliveries) return [one];
    const two = { ...begun, delivered: delivery + 1, dispatchers: [...dispatchers, sent(delivery + 1, 1)] };
    return [one, silent(`batch${delivery}${sign}`, two)];
  });
  return [...came, ...requestComes(space, begun, payload)];
}

/** Whether the claims of two payloads differ in what is compared of them, by the definition as it is deployed. */
export function comparesPayload({ payloadHashes: [one, other] }: StateSpace): boolean {
  return one !== other;
}

function executionSteps(space: StateSpace, model: ModelState, index: number, state: ExecutionState): Step[] {
  const { call, answer } = state;
  if (answer) {
    const { after, facts } = arrive(space, model, index, answer);
    const readNow = isRead(space, state) ? recordIn(answer) : [];
    return [{ name: `end${nameOfEntry(index)}`, after, facts: [...readNow, ...facts] }];
  }
  if (!call) return [];
  const missing = isBusiness(call) ? missingTarget(space, 'workflow', call) : undefined;
  if (missing) return [{ ...comesBack(space, model, index, missing), name: `do${nameOfEntry(index)}` }];
  if (isBusiness(call)) {
    const called = space.workflow.withoutCall(numberAt(model, index), itemIndexOf(index));
    const waiting = withExecution(model, index, called);
    const until = stepEnd(space, model, index) ?? lateEnd(space, model, index);
    return [
      {
        ...invoke(space, waiting, { call, by: index, until, isAwaited: true }),
        name: `do${nameOfEntry(index)}`,
      },
    ];
  }
  return callSteps(space, model, index, state);
}

function isRead({ workflow }: StateSpace, state: ExecutionState): boolean {
  const read = workflow.explored.machine.definition.states.get(currentState(state));
  return read?.kind === 'task' && read.resource.integration === 'dynamodb:getItem';
}

// The model judges now by an earlier read.
function recordIn(answer: JobResult): Fact[] {
  const output = answer.kind === 'succeeded' ? answer.output : undefined;
  const record = isJsonObject(output) ? output['Item'] : undefined;
  const seen = isJsonObject(record) ? (record as unknown as Item) : undefined;
  return [{ kind: 'read', seen, actual: seen }];
}

/**
 * The model carries a call out, and its answer arrives at once unless a delay makes a difference. The end of an
 * execution after a write may come later, and so may the answer to a read, if time decides about it.
 */
function callSteps(space: StateSpace, model: ModelState, index: number, state: ExecutionState): Step[] {
  const { call } = state;
  if (!call) return [];
  const { model: after, result, facts } = carryOut(space, model, call, index);
  const arrived = comesBack(space, after, index, result);
  const answered = space.workflow.withAnswer(numberAt(after, index), result, itemIndexOf(index));
  const later = { after: withExecution(after, index, answered), facts };
  const isEnd = arrived.facts.some(({ kind }) => kind === 'ended' || kind === 'waits');
  const who = nameOfEntry(index);
  if (isEnd && changes(call)) return [{ ...later, name: `do${who}` }];
  const atOnce = { name: `do${who}`, after: arrived.after, facts: [...facts, ...arrived.facts] };
  const old = readLate(space, model, call);
  if (old) {
    const seen = arrive(space, model, index, old.result);
    return [atOnce, { name: `old${who}`, after: seen.after, facts: [...old.facts, ...seen.facts] }];
  }
  const isSlow = !changes(call) && nextInstant(space, model) !== undefined;
  const pending = pendingRedrive(space, model, call);
  const untold = untoldError(call, result);
  return [
    atOnce,
    ...(isSlow ? [{ ...later, name: `wait${who}` }] : []),
    ...(pending ? [{ ...arrive(space, model, index, pending), name: `pending${who}` }] : []),
    ...(untold ? [{ ...arrive(space, model, index, untold), name: `untold${who}` }] : []),
  ];
}

/** The answer comes. An error that is not a fault and leads to the same request again comes each time, to the last. */
function comesBack(space: StateSpace, model: ModelState, index: number, result: JobResult): Step {
  const arrived = arrive(space, model, index, result);
  const before = numberAt(model, index);
  if (result.kind === 'succeeded' || numberAt(arrived.after, index) !== before) return arrived;
  return wornOut(space, model, index, result.error);
}

function dispatcherSteps(space: StateSpace, model: ModelState, dispatcher: Dispatcher): Step[] {
  const machine = space.dispatcher;
  const call = machine?.get(dispatcher.state).call;
  if (!machine || !call) return [];
  const name = `dispatch${dispatcher.delivery}`;
  if (isRun(call)) return runSteps(space, model, dispatcher, { call, name });
  const old = readLate(space, model, call);
  return [
    dispatcherAnswered(space, model, dispatcher, {
      call,
      name,
      ...carriedOutFor(space, model, call, 'dispatcher'),
    }),
    ...(old ? [dispatcherAnswered(space, model, dispatcher, { call, name: `old-${name}`, ...old })] : []),
  ];
}

/** A dispatcher runs the workflow, or hears of the end of its execution. */
function runSteps(
  space: StateSpace,
  model: ModelState,
  dispatcher: Dispatcher,
  { call, name }: Pick<Answer, 'call' | 'name'>,
): Step[] {
  const missing = missingTarget(space, 'dispatcher', call);
  if (!missing && !dispatcher.isStarted) {
    const begun = withRun(space, model, dispatcher, call);
    return begun ? [silent(name, begun)] : [];
  }
  const result = missing ?? answerOf(space, model, dispatcher);
  const { delivery } = dispatcher;
  const execution = runOf(space, model, delivery);
  const facts: Fact[] = missing || execution === undefined ? [] : [{ kind: 'heard', delivery, execution }];
  return result ? [dispatcherAnswered(space, model, dispatcher, { call, name, model, result, facts })] : [];
}

interface Answer extends CarriedOut {
  readonly call: Call;
  readonly name: string;
}

function dispatcherAnswered(
  space: StateSpace,
  before: ModelState,
  dispatcher: Dispatcher,
  answer: Answer,
): Step {
  const { call, name, model, result, facts } = answer;
  const state = space.dispatcher?.answered(dispatcher.state, result, model.now, 0) ?? dispatcher.state;
  const isDone = result.kind === 'succeeded';
  const isOwn = hasStarted(before, answer) || hasFoundItsOwn(space, dispatcher, answer);
  const isStarted = dispatcher.isStarted || isOwn;
  const isDeadLettered = dispatcher.isDeadLettered || (isDone && call.resource === 'sqs:sendMessage');
  const step = dispatched(space, model, dispatcher, { ...dispatcher, state, isStarted, isDeadLettered });
  const kept = isDone ? keptBy(space, dispatcher, call) : [];
  return { name, after: step.after, facts: [...facts, ...kept, ...step.facts] };
}

/** Whether a call, made in the model `before`, has started an execution. */
export function hasStarted(
  before: ModelState,
  { call, model, result }: Pick<Answer, 'call' | 'model' | 'result'>,
) {
  const isStart = call.resource === 'states:startExecution' && result.kind === 'succeeded';
  return isStart && model.executions.length > before.executions.length;
}

/** Whether a start that was not retried has found an execution that had begun no earlier than the dispatcher. */
function hasFoundItsOwn(space: StateSpace, { state }: Dispatcher, { call, model, result }: Answer): boolean {
  if (result.kind !== 'succeeded' || call.resource !== 'states:startExecution') return false;
  const index = startedBy(space, model, call);
  if (index === undefined) return true;
  const execution = space.dispatcher?.get(state).execution;
  if (execution === undefined || (leafOf(execution)?.retryCount ?? 0) > 0) return false;
  return executionAt(space, model, index).execution.startedAt >= execution.startedAt - CLOCKS_DIFFER_MS;
}

function keptBy({ dispatcher: machine }: StateSpace, { state }: Dispatcher, call: Call): Fact[] {
  if (!machine || call.resource !== 'sqs:sendMessage') return [];
  const { QueueUrl: queue = null, MessageBody: body = null } = call.arguments;
  return [{ kind: 'kept', event: machine.get(state).execution.input.value, queue, body }];
}

/** What distinguishes the runs of the step in step names. */
export function nameOfLambda({ execution, attempt }: Lambda): string {
  return `${nameOfEntry(execution)}.${attempt}`;
}

/** The answer of the business step when it has succeeded for the n-th time, cut-off runs apart. */
export function resultOf(n: number) {
  const output = { ExecutedVersion: '$LATEST', Payload: { charge: `charge-${n}` }, StatusCode: 200 };
  return { kind: 'succeeded' as const, output };
}

/** The model after a run has ended. */
export function withoutLambda(model: ModelState, lambda: Lambda): ModelState {
  return { ...model, lambdas: model.lambdas.filter(other => other !== lambda) };
}

// Without a caller that waits, the effect of a run is unknown.
function lambdaEnds(space: StateSpace, model: ModelState, lambda: Lambda): Step[] {
  const name = nameOfLambda(lambda);
  const ended = withoutLambda(model, lambda);
  if (!lambda.isAwaited) return [silent(`ends${name}`, ended)];
  const { execution, attempt } = lambda;
  const successes = [...model.past.successes, { execution, attempt }];
  const done = { ...ended, past: { ...model.past, successes } };
  return [{ ...arrive(space, done, execution, resultOf(successes.length)), name: `works${name}` }];
}

function orphanSteps(space: StateSpace, model: ModelState): Step[] {
  return model.orphans.flatMap((orphan, index) => {
    const which = `${nameOfEntry(orphan.execution)}${index === 0 ? '' : `.${index}`}`;
    const without = { ...model, orphans: model.orphans.filter(other => other !== orphan) };
    return [comesLate(space, without, orphan, `late${which}`), silent(`never${which}`, without)];
  });
}

function comesLate(space: StateSpace, model: ModelState, orphan: OrphanedRequest, name: string): Step {
  const call = space.calls.get(orphan.call);
  if (isBusiness(call))
    return {
      ...invoke(space, model, { call, by: orphan.execution, until: orphan.until, isAwaited: false }),
      name,
    };
  const { model: after, facts } = carryOut(space, model, call, orphan.execution);
  return { name, after, facts };
}

function timerFires(space: StateSpace, model: ModelState, index: number): Step {
  const { execution } = executionAt(space, model, index);
  const waits = leafOf(execution)?.waits;
  const itemIndex = itemIndexOf(index);
  const timerId = waits?.kind === 'task' ? timeoutIdOf(itemIndex) : waitIdOf(itemIndex);
  const signal = { kind: 'timerDue' as const, timerId };
  const number = space.workflow.signalled(numberAt(model, index), signal, model.now, itemIndex);
  const timedOut: JobResult = { kind: 'failed', error: 'States.Timeout', cause: '' };
  const facts = waits?.kind === 'task' ? told(space, model, index, timedOut) : [];
  return {
    ...withFacts(facts, moveTo(space, model, index, number)),
    name: `timer${nameOfEntry(index)}`,
  };
}
