import { redriveProblem } from '../../../packages/local/runtime/redrivability';
import type { JobResult } from '../../../packages/local/runtime/service';
import type { Call, LocalState } from './local-state';
import {
  arrive,
  carryOut,
  changes,
  dispatched,
  hasEndedByItself,
  isBusiness,
  isQuiet,
  settle,
  stateAt,
} from './moves';
import { type Fact, type Step, silent } from './step';
import { staleDescriptions } from './step-functions';
import { comparesPayload, deliveries, type Entry, nameOfLambda, withoutLambda } from './steps';
import { lateEnd, ownerIsGone, recordIsAboutToExpire } from './time';
import { type Dispatcher, type Lambda, type Stray, type Universe, type World, withExecution } from './world';

/** All faults that may happen next; each takes one from the budget. @throws Pending */
export function faultSteps(universe: Universe, world: World, entries: readonly Entry[]): Step[] {
  if (world.faults === 0) return [];
  const faulty = { ...world, faults: world.faults - 1 };
  return [
    ...(world.delivered > 0 && comparesPayload(universe) ? deliveries(universe, faulty, entries, 1) : []),
    ...redelivery(universe, faulty),
    ...world.executions.flatMap((_, place) => executionFaults(universe, faulty, place)),
    ...world.dispatchers.flatMap(dispatcher => dispatcherFaults(universe, faulty, dispatcher)),
    ...world.lambdas.flatMap(lambda => (lambda.isAwaited ? lambdaFaults(universe, faulty, lambda) : [])),
    ...ownerIsGone(universe, world),
    ...recordIsAboutToExpire(universe, world),
  ];
}

function redelivery(universe: Universe, world: World): Step[] {
  if (world.delivered < world.deliveries || !isQuiet(universe, world)) return [];
  return [silent('again', { ...world, deliveries: world.deliveries + 1 })];
}

function executionFaults(universe: Universe, world: World, place: number): Step[] {
  const state = stateAt(universe, world, place);
  if (state.execution.status !== 'RUNNING') return operatorRedrives(universe, world, place, state);
  return [...stops(universe, world, place, state), ...callFaults(universe, world, place, state)];
}

/** Somebody stops the execution, or its machine's time is over. What it has asked for may still happen. */
function stops(universe: Universe, world: World, place: number, state: LocalState): Step[] {
  const number = universe.workflow.signalled(world.executions[place] ?? -1, { kind: 'stopped' }, world.now);
  const left = abandoned(universe, world, place, state);
  const aborted = { ...settle(universe, left, place, number), name: `abort${place + 1}` };
  if (universe.subject.workflow.machine.definition.timeoutSeconds === undefined) return [aborted];
  const stopped = universe.workflow.get(number);
  const timedOut = universe.workflow.numberOf({
    ...stopped,
    execution: { ...stopped.execution, status: 'TIMED_OUT' },
  });
  return [aborted, { ...settle(universe, left, place, timedOut), name: `timeout${place + 1}` }];
}

function abandoned(universe: Universe, world: World, place: number, { call }: LocalState): World {
  const lambdas = world.lambdas.map(lambda =>
    lambda.execution === place ? { ...lambda, isAwaited: false } : lambda,
  );
  const isSent = call !== null && changes(call);
  if (!isSent) return { ...world, lambdas };
  const until = lateEnd(universe, world);
  return { ...world, lambdas, strays: [...world.strays, strayOf(universe, call, place, until)] };
}

function strayOf(universe: Universe, call: Call, execution: number, until: number): Stray {
  return { execution, call: universe.calls.numberOf(call), until };
}

function callFaults(universe: Universe, world: World, place: number, state: LocalState): Step[] {
  const { call } = state;
  if (!call) return [];
  const throttled = universe.workflow.exhausted(
    world.executions[place] ?? -1,
    throttling(call.resource),
    world.now,
  );
  const steps = [{ ...settle(universe, world, place, throttled), name: `throttle${place + 1}` }];
  if (isBusiness(call)) return steps;
  if (call.resource === 'aws-sdk:sfn:describeExecution') {
    const stale = staleDescriptions(universe, world, call);
    return [
      ...steps,
      ...stale.map(([how, result]) => ({
        ...arrive(universe, world, place, result),
        name: `stale${place + 1}:${how}`,
      })),
    ];
  }
  if (!changes(call)) return steps;
  const lost: JobResult = { kind: 'failed', error: connectionLost(call.resource), cause: '' };
  const { world: after, facts } = carryOut(universe, world, call, place);
  const told = arrive(universe, after, place, lost);
  // What this moment stands for may have been a moment later: the request may come when the next thing is due.
  const until = lateEnd(universe, world) + 1;
  const stray = strayOf(universe, call, place, until);
  const late = arrive(universe, { ...world, strays: [...world.strays, stray] }, place, lost);
  return [
    ...steps,
    { name: `lose${place + 1}`, after: told.after, facts: [...facts, ...told.facts, ...lostBy(place, call)] },
    { ...late, name: `delay${place + 1}`, facts: [...late.facts, ...lostBy(place, call)] },
    ...meetsLimits(universe, world, place, state),
  ];
}

function lostBy(execution: number, { resource }: Call): Fact[] {
  return resource.startsWith('dynamodb') ? [{ kind: 'lost', execution }] : [];
}

/** How often an evaluation meets a limit in one fault. */
const LIMITS = 3;

/** What follows the put of the claim cannot be evaluated within the service's limits, several times. */
function meetsLimits(universe: Universe, world: World, place: number, state: LocalState): Step[] {
  if (state.call?.resource !== 'dynamodb:putItem') return [];
  const result: JobResult = { kind: 'failed', error: 'States.QueryEvaluationError', cause: LIMIT_MET };
  let step: Step = silent('', world);
  for (let times = 0; times < LIMITS; times += 1) {
    const { call } = stateAt(universe, step.after, place);
    if (call?.resource !== 'dynamodb:putItem') break;
    const { world: after, facts, result: answer } = carryOut(universe, step.after, call, place);
    const met = arrive(universe, after, place, answer.kind === 'succeeded' ? result : answer);
    step = { name: '', after: met.after, facts: [...step.facts, ...facts, ...met.facts] };
  }
  return [{ ...step, name: `limit${place + 1}` }];
}

const LIMIT_MET =
  "The JSONata expression '...' specified for the field 'Assign/idempotencyKey' threw an error during evaluation: limit";

function throttling(resource: string): string {
  if (resource.startsWith('dynamodb')) return 'DynamoDB.ProvisionedThroughputExceededException';
  if (resource === 'lambda:invoke') return 'Lambda.TooManyRequestsException';
  return resource.startsWith('aws-sdk') ? 'Sfn.SfnException' : 'StepFunctions.ThrottlingException';
}

function connectionLost(resource: string): string {
  if (resource.startsWith('dynamodb')) return 'DynamoDB.SdkClientException';
  return resource.startsWith('aws-sdk') ? 'Sfn.SdkClientException' : 'StepFunctions.SdkClientException';
}

function dispatcherFaults(universe: Universe, world: World, dispatcher: Dispatcher): Step[] {
  const locals = universe.dispatcher;
  const call = locals?.get(dispatcher.state).call;
  if (!locals || !call) return [];
  const throttled = locals.exhausted(dispatcher.state, throttling(call.resource), world.now);
  const refused = dispatched(universe, world, dispatcher, { ...dispatcher, state: throttled });
  const steps = [{ ...refused, name: `throttle-dispatch${dispatcher.delivery}` }];
  if (call.resource !== 'states:startExecution') return steps;
  const { world: after, result } = carryOut(universe, world, call, -1);
  const lost: JobResult = { kind: 'failed', error: connectionLost(call.resource), cause: '' };
  const state = locals.answered(dispatcher.state, lost, world.now);
  const isStarted = dispatcher.isStarted || result.kind === 'succeeded';
  const told = dispatched(universe, after, dispatcher, { ...dispatcher, state, isStarted });
  return [...steps, { ...told, name: `lose-dispatch${dispatcher.delivery}` }];
}

/** What a caller is told where Lambda's answer does not come: the function may be working all the same. */
const ANSWER_LOST = [
  'SdkClientException',
  'ServiceException',
  'AWSLambdaException',
  'ClientExecutionTimeoutException',
] as const;

/** The step fails; its answer is lost, told or not; or the service ends it. */
function lambdaFaults(universe: Universe, world: World, lambda: Lambda): Step[] {
  const name = nameOfLambda(lambda);
  const place = lambda.execution;
  const told = (from: World, error: string) =>
    arrive(universe, from, place, { kind: 'failed', error, cause: '' });
  const goesOn = {
    ...world,
    lambdas: world.lambdas.map(other => (other === lambda ? { ...lambda, isAwaited: false } : other)),
  };
  const ended = withoutLambda(world, lambda);
  return [
    { ...told(ended, 'PaymentDeclined'), name: `fail${name}` },
    ...ANSWER_LOST.map(error => ({
      ...told(goesOn, `Lambda.${error}`),
      name: `lose-answer${name}:${error}`,
    })),
    silent(`silence${name}`, goesOn),
    { ...told(ended, 'Sandbox.Timedout'), name: `kill${name}` },
  ];
}

// The operators' rule: when nothing of the key is under way any more, and the step may not be working either.
function operatorRedrives(universe: Universe, world: World, place: number, state: LocalState): Step[] {
  const { status, end } = state.execution;
  const isTooSoon = !end || world.now < end.at + universe.subject.workflow.stepMs;
  const isRefused = redriveProblem(state.execution, world.now) !== undefined;
  if (
    !isQuiet(universe, world) ||
    status === 'SUCCEEDED' ||
    isTooSoon ||
    isRefused ||
    hasEndedByItself(universe, state)
  )
    return [];
  const number = universe.workflow.signalled(world.executions[place] ?? -1, { kind: 'redriven' }, world.now);
  return [silent(`redrive${place + 1}`, withExecution(world, place, number))];
}
