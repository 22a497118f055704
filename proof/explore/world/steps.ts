import { isJsonObject } from '../../../packages/local/json/json';
import type { JobResult } from '../../../packages/local/runtime/service';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { statesOf } from '../subject';
import { directName, eventOf, inputOf } from './events';
import { type Call, type LocalState, placeOf, WAIT_ID } from './local-state';
import {
  arrive,
  type CarriedOut,
  carryOut,
  changes,
  dispatched,
  invoke,
  isBusiness,
  readLate,
  settle,
  stateAt,
} from './moves';
import { type Fact, type Step, silent } from './step';
import { dueTimers, expiredIsDeleted, lateEnd, nextInstant, stepEnd, timePasses } from './time';
import {
  type Dispatcher,
  type Lambda,
  ORIGIN,
  type Stray,
  type Universe,
  type World,
  withExecution,
} from './world';

/** How deliveries come. */
export type Entry = 'direct' | 'dispatcher';

/** All that can happen next without a fault. @throws Pending */
export function ordinarySteps(universe: Universe, world: World, entries: readonly Entry[]): Step[] {
  return [
    ...deliveries(universe, world, entries, 0),
    ...world.executions.flatMap((number, place) =>
      executionSteps(universe, world, place, universe.workflow.get(number)),
    ),
    ...world.dispatchers.flatMap(dispatcher => dispatcherSteps(universe, world, dispatcher)),
    ...world.lambdas.flatMap(lambda => lambdaEnds(universe, world, lambda)),
    ...straySteps(universe, world),
    ...dueTimers(universe, world).map(place => timerFires(universe, world, place)),
    ...timePasses(universe, world),
    ...expiredIsDeleted(universe, world),
  ];
}

/** The next delivery, by each of these ways, with one of the payloads. @throws Pending */
export function deliveries(
  universe: Universe,
  world: World,
  entries: readonly Entry[],
  payload: number,
): Step[] {
  if (world.delivered >= world.deliveries) return [];
  const delivery = world.delivered + 1;
  const begun = { ...world, delivered: delivery };
  const sign = payload === 0 ? '' : '*';
  return entries.flatMap(entry => {
    if (entry === 'direct') {
      const state = universe.workflow.started({
        name: directName(delivery),
        input: inputOf(payload),
        now: universe.clockOf(world, world.executions.length),
      });
      return [silent(`start${delivery}${sign}`, { ...begun, executions: [...world.executions, state] })];
    }
    const { dispatcher } = universe;
    if (!dispatcher) return [];
    const input = eventOf(delivery, payload);
    const state = dispatcher.started({ name: `event-${delivery}`, input, now: world.now });
    const added = { delivery, state, isStarted: false, isKept: false };
    return [silent(`send${delivery}${sign}`, { ...begun, dispatchers: [...world.dispatchers, added] })];
  });
}

/** Whether the claims of two payloads differ in what is compared of them. @throws Pending */
export function comparesPayload({ workflow }: Universe): boolean {
  const [one, other] = [0, 1].map(payload => {
    const started = workflow.started({ name: directName(1), input: inputOf(payload), now: ORIGIN });
    const item = workflow.get(started).call?.arguments['Item'];
    return isJsonObject(item) ? JSON.stringify(item['payloadHash']) : undefined;
  });
  return one !== other;
}

function executionSteps(universe: Universe, world: World, place: number, state: LocalState): Step[] {
  const { call, answer } = state;
  if (answer) {
    const { after, facts } = arrive(universe, world, place, answer);
    const readNow = isRead(universe, state) ? recordIn(answer) : [];
    return [{ name: `end${place + 1}`, after, facts: [...readNow, ...facts] }];
  }
  if (!call) return [];
  if (isBusiness(call)) {
    const waiting = withExecution(world, place, universe.workflow.numberOf({ ...state, call: null }));
    const until = stepEnd(universe, world, state.execution) ?? lateEnd(universe, world);
    return [{ ...invoke(waiting, { call, by: place, until, isAwaited: true }), name: `do${place + 1}` }];
  }
  return callSteps(universe, world, place, state);
}

function isRead({ workflow }: Universe, state: LocalState): boolean {
  const resource = statesOf(workflow.explored.json)[placeOf(state)]?.['Resource'];
  return typeof resource === 'string' && resource.endsWith(':dynamodb:getItem');
}

// What was read a while ago is judged now.
function recordIn(answer: JobResult): Fact[] {
  const output = answer.kind === 'succeeded' ? answer.output : undefined;
  const record = isJsonObject(output) ? output['Item'] : undefined;
  const seen = isJsonObject(record) ? (record as unknown as Item) : undefined;
  return [{ kind: 'read', seen, actual: seen }];
}

/**
 * A call is carried out, and its answer arrives at once unless somebody could tell the difference: the end of an
 * execution after a write may come later, and so may the answer to a read, where time decides what is made of it.
 */
function callSteps(universe: Universe, world: World, place: number, state: LocalState): Step[] {
  const { call } = state;
  if (!call) return [];
  const { world: after, result, facts } = carryOut(universe, world, call, place);
  const arrived = comesBack(universe, after, place, result);
  const answered = universe.workflow.numberOf({ ...state, call: null, answer: result });
  const later = { after: withExecution(after, place, answered), facts };
  const isEnd = arrived.facts.length > 0;
  if (isEnd && changes(call)) return [{ ...later, name: `do${place + 1}` }];
  const atOnce = { name: `do${place + 1}`, after: arrived.after, facts: [...facts, ...arrived.facts] };
  const old = readLate(universe, world, call);
  if (old) {
    const seen = arrive(universe, world, place, old.result);
    return [atOnce, { name: `old${place + 1}`, after: seen.after, facts: [...old.facts, ...seen.facts] }];
  }
  const isSlow = !changes(call) && nextInstant(universe, world) !== undefined;
  return isSlow ? [atOnce, { ...later, name: `wait${place + 1}` }] : [atOnce];
}

/** The answer comes. An error that is no fault and leads to the same request again comes each time, to the last. */
function comesBack(universe: Universe, world: World, place: number, result: JobResult): Step {
  const arrived = arrive(universe, world, place, result);
  const before = world.executions[place] ?? -1;
  if (result.kind === 'succeeded' || arrived.after.executions[place] !== before) return arrived;
  return settle(universe, world, place, universe.workflow.exhausted(before, result.error, world.now));
}

function dispatcherSteps(universe: Universe, world: World, dispatcher: Dispatcher): Step[] {
  const locals = universe.dispatcher;
  const call = locals?.get(dispatcher.state).call;
  if (!locals || !call) return [];
  const name = `dispatch${dispatcher.delivery}`;
  const old = readLate(universe, world, call);
  return [
    dispatcherAnswered(universe, dispatcher, { call, name, ...carryOut(universe, world, call, -1) }),
    ...(old ? [dispatcherAnswered(universe, dispatcher, { call, name: `old-${name}`, ...old })] : []),
  ];
}

interface Answer extends CarriedOut {
  readonly call: Call;
  readonly name: string;
}

function dispatcherAnswered(universe: Universe, dispatcher: Dispatcher, answer: Answer): Step {
  const { call, name, world, result, facts } = answer;
  const state = universe.dispatcher?.answered(dispatcher.state, result, world.now) ?? dispatcher.state;
  const isDone = result.kind === 'succeeded';
  const isStarted = dispatcher.isStarted || (isDone && call.resource === 'states:startExecution');
  const isKept = dispatcher.isKept || (isDone && call.resource === 'sqs:sendMessage');
  const step = dispatched(universe, world, dispatcher, { ...dispatcher, state, isStarted, isKept });
  return { name, after: step.after, facts: [...facts, ...step.facts] };
}

/** What tells the runs of the step apart in step names. */
export function nameOfLambda({ execution, attempt }: Lambda): string {
  return `${execution + 1}.${attempt}`;
}

/** The answer of the business step when it has succeeded for the n-th time, cut-off runs apart. */
export function resultOf(n: number) {
  const output = { ExecutedVersion: '$LATEST', Payload: { charge: `charge-${n}` }, StatusCode: 200 };
  return { kind: 'succeeded' as const, output };
}

/** The world after a run has ended. */
export function withoutLambda(world: World, lambda: Lambda): World {
  return { ...world, lambdas: world.lambdas.filter(other => other !== lambda) };
}

// Of a run that nobody waits for, nobody can say whether it has had its effect.
function lambdaEnds(universe: Universe, world: World, lambda: Lambda): Step[] {
  const name = nameOfLambda(lambda);
  const ended = withoutLambda(world, lambda);
  if (!lambda.isAwaited) return [silent(`ends${name}`, ended)];
  const successes = world.past.successes + 1;
  const done = { ...ended, past: { ...world.past, successes } };
  return [{ ...arrive(universe, done, lambda.execution, resultOf(successes)), name: `works${name}` }];
}

function straySteps(universe: Universe, world: World): Step[] {
  return world.strays.flatMap((stray, index) => {
    const which = `${stray.execution + 1}${index === 0 ? '' : `.${index}`}`;
    const without = { ...world, strays: world.strays.filter(other => other !== stray) };
    return [comesLate(universe, without, stray, `late${which}`), silent(`never${which}`, without)];
  });
}

function comesLate(universe: Universe, world: World, stray: Stray, name: string): Step {
  const call = universe.calls.get(stray.call);
  if (isBusiness(call))
    return { ...invoke(world, { call, by: stray.execution, until: stray.until, isAwaited: false }), name };
  const { world: after, facts } = carryOut(universe, world, call, stray.execution);
  return { name, after, facts };
}

function timerFires(universe: Universe, world: World, place: number): Step {
  const { execution } = stateAt(universe, world, place);
  const waits = execution.root?.waits;
  const timerId = waits?.kind === 'task' ? `${WAIT_ID} timeout` : WAIT_ID;
  const number = universe.workflow.signalled(
    world.executions[place] ?? -1,
    { kind: 'timerDue', timerId },
    world.now,
  );
  return { ...settle(universe, world, place, number), name: `timer${place + 1}` };
}
