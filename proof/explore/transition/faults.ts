import { connectionLost } from '../../../packages/local/explore/kernel/index';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import { redriveProblem } from '../../../packages/local/runtime/executions/redrivability';
import { itemIndexOf, nameOfEntry } from '../model/entries';
import { type Call, currentState, type ExecutionState } from '../model/execution-state';
import type { ExecutionStates } from '../model/execution-states';
import { type Dispatcher, type Lambda, type ModelState, numberAt, withExecution } from '../model/model-state';
import { entriesAt, executionAt, type StateSpace } from '../model/state-space';
import { anotherWorkflowClaims } from './another-workflow';
import { ownerIsDeleted } from './deletion';
import {
  arrive,
  carryOut,
  changes,
  dispatched,
  hasEndedByItself,
  isBusiness,
  isQuiet,
  listComesAgain,
  moveTo,
  takesList,
  told,
  withFacts,
  wornOut,
} from './effects';
import { carriedOutFor } from './front-door';
import { requestFaults } from './front-door-faults';
import { meetsLimits } from './limits';
import { recoveryFaults } from './recovery-faults';
import { releases } from './release';
import { answerOf, isRun, runs } from './runs';
import { tampers } from './s3';
import { throttling } from './service-errors';
import { type Fact, type Step, silent } from './step';
import { isDeleted, staleDescriptions, unknownExecution } from './step-functions';
import { type Channel, comparesPayload, deliveries, hasStarted, nameOfLambda, withoutLambda } from './steps';
import { aborted, orphanOf, restarts, timedOut } from './stops';
import { heldUp, lastUnknown, lateEnd, ownerIsGone, recordIsAboutToExpire, slowRequests } from './time';

/** All faults that may happen next; each takes one from the budget. */
export function faultSteps(space: StateSpace, model: ModelState, channels: readonly Channel[]): Step[] {
  if (model.faults === 0) return [];
  const faulty = { ...model, faults: model.faults - 1 };
  return [
    ...(model.delivered > 0 && comparesPayload(space) ? deliveries(space, faulty, channels, 1) : []),
    ...redelivery(space, faulty),
    ...model.executions.flatMap((_, index) => executionFaults(space, faulty, index)),
    // Deliveries find its name in use; one that runs the workflow gives it none.
    ...(channels.includes('dispatcher') && space.dispatcher && !runs(space.dispatcher)
      ? model.executions.flatMap((_, index) => heldUp(space, faulty, index))
      : []),
    ...model.dispatchers.flatMap(dispatcher => dispatcherFaults(space, faulty, dispatcher)),
    ...model.lambdas.flatMap(lambda => (lambda.isAwaited ? lambdaFaults(space, faulty, lambda) : [])),
    ...requestFaults(space, faulty),
    ...recoveryFaults(space, faulty),
    ...ownerIsGone(space, model),
    ...releases(space, model),
    ...tampers(space, model),
    ...anotherWorkflowClaims(space, model),
    ...recordIsAboutToExpire(space, model),
  ];
}

function redelivery(space: StateSpace, model: ModelState): Step[] {
  if (model.delivered < model.deliveries || !isQuiet(space, model)) return [];
  return [silent('again', { ...model, deliveries: model.deliveries + 1 })];
}

function executionFaults(space: StateSpace, model: ModelState, index: number): Step[] {
  const state = space.workflow.get(model.executions[index] ?? -1);
  if (state.execution.status !== 'RUNNING') return operatorRedrives(space, model, index, state);
  return [
    ...stops(space, model, index),
    ...ownerIsDeleted(space, model, index),
    ...slowRequests(space, model, index),
    ...entriesAt(space, model, index).flatMap(entry =>
      callFaults(space, model, entry, executionAt(space, model, entry)),
    ),
  ];
}

/** An operator stops the execution, or its machine times out; an Express execution may run from its beginning again. */
function stops(space: StateSpace, model: ModelState, index: number): Step[] {
  const { type, machine } = space.subject.workflow;
  const hasTimeout = machine.definition.timeoutSeconds !== undefined;
  return [
    ...(type === 'STANDARD' ? [{ ...aborted(space, model, index), name: `abort${index + 1}` }] : []),
    ...(hasTimeout ? [{ ...timedOut(space, model, index), name: `timeout${index + 1}` }] : []),
    ...restarts(space, model, index),
  ];
}

function callFaults(space: StateSpace, model: ModelState, index: number, state: ExecutionState): Step[] {
  const { call } = state;
  if (!call) return [];
  const who = nameOfEntry(index);
  const worn = wornOut(space, model, index, throttling(call.resource));
  const steps = [{ ...withFacts(deniedAsOften(model, index, call), worn), name: `throttle${who}` }];
  if (isBusiness(call)) return rejections(space, model, index, steps);
  steps.push(...denied(space, model, index, call));
  if (call.resource === 'aws-sdk:sfn:describeExecution') {
    const stale = staleDescriptions(space, model, call);
    const late = lastUnknown(space, model, call.arguments['ExecutionArn']);
    return [
      ...steps,
      ...(late
        ? [
            {
              ...arrive(space, late, index, unknownExecution()),
              name: `stale${who}:unknown-to-the-last`,
            },
          ]
        : []),
      ...stale.map(([how, result]) => ({
        ...arrive(space, model, index, result),
        name: `stale${who}:${how}`,
      })),
    ];
  }
  if (!changes(call)) return [...steps, ...meetsLimits(space, model, index, state)];
  const lost: JobResult = { kind: 'failed', error: connectionLost(call.resource), cause: '' };
  const { model: after, facts } = carryOut(space, model, call, index);
  const answered = arrive(space, after, index, lost);
  // What this moment stands for may have been a moment later: the request may come when the next thing is due.
  const until = lateEnd(space, model, index) + 1;
  const orphan = orphanOf(space, call, index, until);
  const late = arrive(space, { ...model, orphans: [...model.orphans, orphan] }, index, lost);
  return [
    ...steps,
    {
      name: `lose${who}`,
      after: answered.after,
      facts: [...facts, ...answered.facts, ...lostBy(index, call, true)],
    },
    { ...late, name: `delay${who}`, facts: [...late.facts, ...lostBy(index, call, false)] },
    ...meetsLimits(space, model, index, state),
  ];
}

/** What Lambda rejects before the function runs: for good, by name, or with what it calls by no name. */
export const REJECTIONS: Readonly<
  Record<string, Pick<Extract<JobResult, { kind: 'failed' }>, 'error' | 'cause'>>
> = {
  missing: { error: 'Lambda.ResourceNotFoundException', cause: '' },
  permission: {
    error: 'Lambda.AWSLambdaException',
    cause:
      'is not authorized to perform: lambda:InvokeFunction (Service: AWSLambda; Status Code: 403; ' +
      'Error Code: AccessDeniedException; Request ID: 1; Proxy: null)',
  },
};

/** The step is rejected before it runs, too: these, and the throttling in `steps`. */
function rejections(space: StateSpace, model: ModelState, index: number, steps: readonly Step[]): Step[] {
  const rejected = Object.entries(REJECTIONS).map(([why, rejection]) => ({
    ...arrive(space, model, index, { kind: 'failed', ...rejection }),
    name: `reject${nameOfEntry(index)}:${why}`,
  }));
  return [...steps, ...rejected].map(step => {
    const fact: Fact = { kind: 'rejected', execution: index, isByName: !step.name.endsWith(':permission') };
    return { ...step, facts: [fact, ...step.facts] };
  });
}

/** How DynamoDB's rejections are called that have no name of their own, as that for a missing permission. */
const DENIED = 'DynamoDB.AmazonDynamoDBException';

/** The model retries a denied request to the table as well, as often, if the retry leads to the same state. */
function deniedAsOften(model: ModelState, index: number, { resource }: Call): Fact[] {
  if (!resource.startsWith('dynamodb')) return [];
  const [number, itemIndex] = [numberAt(model, index), itemIndexOf(index)];
  return [{ kind: 'wornOut', of: 'workflow', number, itemIndex, error: DENIED }];
}

/** The table rejects the request to the last, if the definition tells that from throttling. */
function denied(space: StateSpace, model: ModelState, index: number, { resource }: Call): Step[] {
  if (!resource.startsWith('dynamodb')) return [];
  const step = wornOut(space, model, index, DENIED);
  if (executionAt(space, step.after, index).execution.end?.error === DENIED) return [];
  return [{ ...step, name: `deny${nameOfEntry(index)}` }];
}

function lostBy(execution: number, { resource }: Call, isMade: boolean): Fact[] {
  return /^(dynamodb|sqs|aws-sdk:s3):/.test(resource) ? [{ kind: 'lost', execution, isMade }] : [];
}

function dispatcherFaults(space: StateSpace, model: ModelState, dispatcher: Dispatcher): Step[] {
  const machine = space.dispatcher;
  const call = machine?.get(dispatcher.state).call;
  if (!machine || !call) return [];
  if (isRun(call) && dispatcher.isStarted) return runFaults(space, model, machine, dispatcher);
  const throttled = machine.exhausted(dispatcher.state, throttling(call.resource), model.now, 0);
  const rejected = dispatched(space, model, dispatcher, { ...dispatcher, state: throttled });
  const worn: Fact = {
    kind: 'wornOut',
    of: 'dispatcher',
    number: dispatcher.state,
    itemIndex: 0,
    error: throttling(call.resource),
  };
  const steps = [{ ...withFacts([worn], rejected), name: `throttle-dispatch${dispatcher.delivery}` }];
  if (takesList(machine) && call.resource === 'states:startExecution') {
    const state = machine.answeredByName(dispatcher.state, TOO_LONG, model.now, 0);
    const tooLong = dispatched(space, model, dispatcher, { ...dispatcher, state });
    const fact: Fact = { kind: 'tooLong', delivery: dispatcher.delivery };
    steps.push({ ...withFacts([fact], tooLong), name: `too-long-dispatch${dispatcher.delivery}` });
  }
  // A run loses only its answer: see below.
  if (!changes(call) || isRun(call)) return steps;
  const { model: after, result } = carriedOutFor(space, model, call, 'dispatcher');
  const lost: JobResult = { kind: 'failed', error: connectionLost(call.resource), cause: '' };
  const state = machine.answered(dispatcher.state, lost, model.now, 0);
  const isDone = result.kind === 'succeeded';
  const isStarted = dispatcher.isStarted || hasStarted(model, { call, model: after, result });
  const isDeadLettered = dispatcher.isDeadLettered || (isDone && call.resource === 'sqs:sendMessage');
  const answered = dispatched(space, after, dispatcher, { ...dispatcher, state, isStarted, isDeadLettered });
  return [...steps, { ...answered, name: `lose-dispatch${dispatcher.delivery}` }];
}

/** Faults of a run: its source does not wait any longer, or its answer is lost, or too long. The execution goes on. */
function runFaults(
  space: StateSpace,
  model: ModelState,
  machine: ExecutionStates,
  dispatcher: Dispatcher,
): Step[] {
  const { delivery, state } = dispatcher;
  if (!answerOf(space, model, dispatcher))
    return [silent(`leave-dispatch${delivery}`, listComesAgain(machine, model, dispatcher))];
  const lost = { ...dispatcher, state: machine.answeredByName(state, TOO_LONG, model.now, 0) };
  return [{ ...dispatched(space, model, dispatcher, lost), name: `lose-dispatch${delivery}` }];
}

/** What a caller is answered where Lambda's answer does not come: the function may be working all the same. */
const ANSWER_LOST = [
  'SdkClientException',
  'ServiceException',
  'AWSLambdaException',
  'ClientExecutionTimeoutException',
] as const;

/** The error of a step whose result is beyond the quota. */
const TOO_LONG = 'States.DataLimitExceeded';

/** The error of a step that has failed. */
export const STEP_ERROR = 'PaymentDeclined';

/** The step fails; its answer is lost, with an error or without; or the service ends it. */
function lambdaFaults(space: StateSpace, model: ModelState, lambda: Lambda): Step[] {
  const name = nameOfLambda(lambda);
  const index = lambda.execution;
  const answered = (from: ModelState, error: string) =>
    arrive(space, from, index, { kind: 'failed', error, cause: '' });
  const goesOn = {
    ...model,
    lambdas: model.lambdas.map(other => (other === lambda ? { ...lambda, isAwaited: false } : other)),
  };
  const ended = withoutLambda(model, lambda);
  const byName = space.workflow.answeredByName(
    numberAt(ended, index),
    TOO_LONG,
    space.clockOf(model, index),
    itemIndexOf(index),
  );
  const tooLongTold = told(space, ended, index, { kind: 'failed', error: TOO_LONG, cause: '' });
  const named = withFacts(tooLongTold, moveTo(space, ended, index, byName));
  const tooLong = answered(ended, TOO_LONG);
  const heard: Fact = { kind: 'answered', execution: index };
  const declined = answered(ended, STEP_ERROR);
  const isRetried = space.subject.workflow.traits.stepRetries > 0;
  const failed: Fact = { kind: 'failed', execution: index, ...(isRetried && { mayBeRetried: true }) };
  return [
    { ...declined, facts: [failed, ...declined.facts], name: `fail${name}` },
    ...ANSWER_LOST.map(error => ({
      ...answered(goesOn, `Lambda.${error}`),
      name: `lose-answer${name}:${error}`,
    })),
    { ...tooLong, facts: [heard, ...tooLong.facts], name: `too-long${name}:by-any` },
    { ...named, facts: [heard, ...named.facts], name: `too-long${name}:by-name` },
    silent(`silence${name}`, goesOn),
    { ...answered(ended, 'Sandbox.Timedout'), name: `kill${name}` },
  ];
}

// The operators' rule: when nothing of the key is under way any more, and the step may not be working either.
function operatorRedrives(
  space: StateSpace,
  model: ModelState,
  index: number,
  state: ExecutionState,
): Step[] {
  const { status, end } = state.execution;
  const { isExpress, isAtMostOnce } = space.subject.workflow.traits;
  const isTooSoon = !end || model.now < end.at + space.workflow.stepMsOf(model.executions[index] ?? -1);
  const isRejected =
    isExpress || isDeleted(state.execution) || redriveProblem(state.execution, model.now) !== undefined;
  if (
    !isQuiet(space, model) ||
    status === 'SUCCEEDED' ||
    isTooSoon ||
    isRejected ||
    hasEndedByItself(space, state)
  )
    return [];
  const number = space.workflow.signalled(model.executions[index] ?? -1, { kind: 'redriven' }, model.now);
  // At most once the step of one that was cut off in it runs again at once: the operator has said so.
  const isCutOff = isAtMostOnce && currentState(state) === 'Business step';
  const past = isCutOff ? { ...model.past, isAllowedAgain: true as const } : model.past;
  return [silent(`redrive${index + 1}`, { ...withExecution(model, index, number), past })];
}
