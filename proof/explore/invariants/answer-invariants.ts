import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type Json } from '../../../packages/local/json/json';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { statesOf } from '../model/definition-states';
import { nameOfEntry } from '../model/entries';
import { currentState, leafOf } from '../model/execution-state';
import { payloadOf } from '../model/inputs';
import type { ModelState } from '../model/model-state';
import { counts, EXHAUSTED, recordText, resultText, statusOf, storedErrorOf, textOf } from '../model/record';
import { entriesAt, executionAt, type StateSpace } from '../model/state-space';
import { isOfAnotherWorkflow } from '../transition/another-workflow';
import { STEP_ERROR } from '../transition/faults';
import type { Step } from '../transition/step';
import { found, type Invariant, isUnevaluated, ofKind, REJECTIONS } from './invariant';
import { heardBy, isStored } from './remembered';

const MISMATCH = 'Idempotency.PayloadMismatch';
const FOREIGN = 'Idempotency.ForeignRecord';
const IN_PROGRESS = 'Idempotency.InProgress';

/** The errors that may follow from a record of one's own payload, by its status. */
const ERRORS_OF: Readonly<Record<string, readonly string[]>> = {
  IN_PROGRESS: [IN_PROGRESS],
  // An entry of a fragment decides about an owner itself.
  'IN_PROGRESS, in a fragment': [IN_PROGRESS, 'Idempotency.InDoubt', EXHAUSTED],
  // A release holds it first.
  RELEASING: [IN_PROGRESS],
  FAILED: [],
  RELEASED: [],
  COMPLETED: [],
  // The owner may have ended before its output was the result: it is resumed.
  'COMPLETED, without its result': ['Idempotency.ResultUnavailable', IN_PROGRESS],
};

/** How many rejected writes end a delivery as in progress, whatever it reads. */
const REJECTIONS_MAX = 10;

/** What a delivery is answered, and what becomes of its event, by what the record says. */
export const ANSWER_INVARIANTS: readonly Invariant[] = [
  {
    name: 'oneResult',
    says: 'An execution that succeeds returns the result that the record stores.',
    brokenBy: (space, _, { facts, after }) =>
      found(ofKind(facts, 'ended'), ({ execution }) => {
        const { end, status } = executionAt(space, after, execution).execution;
        if (status !== 'SUCCEEDED') return undefined;
        const output = end?.output?.text ?? '';
        if (isStored(output, after.past)) return undefined;
        const stored = after.past.results.join(', ') || 'nothing';
        return `execution ${nameOfEntry(execution)} answers ${output}; stored: ${stored}`;
      }),
  },
  {
    name: 'rejectedPayloadNeverRuns',
    says: 'Another payload than the one that its key was claimed with neither reaches the step nor gets its result.',
    brokenBy: (space, { past }, { facts, after }) =>
      found(ofKind(facts, 'invoked'), ({ by, payload }) =>
        past.payload === null || past.payload === payload
          ? undefined
          : `execution ${nameOfEntry(by)} runs the step with another payload`,
      ) ??
      found(ofKind(facts, 'ended'), ({ execution }) => {
        const { status, input } = executionAt(space, after, execution).execution;
        const { payload, finishers } = after.past;
        // An entry that ran the step itself has its own payload's result; so may an entry whose record has expired
        // meanwhile.
        if (status !== 'SUCCEEDED' || payload === null || finishers.includes(execution)) return undefined;
        if (payloadOf(input.value) === payload) return undefined;
        return `execution ${nameOfEntry(execution)} succeeds with another payload`;
      }),
  },
  {
    name: 'samePayloadIsNotRejected',
    says: 'An execution with the payload that its key was claimed with is not rejected for its payload.',
    brokenBy: (space, _, { facts, after }) =>
      found(ofKind(facts, 'ended'), ({ execution }) => {
        const { end, input } = executionAt(space, after, execution).execution;
        if (end?.error !== MISMATCH || payloadOf(input.value) !== after.past.payload) return undefined;
        return `execution ${nameOfEntry(execution)} is rejected as one with another payload`;
      }),
  },
  {
    name: 'noDeliveryIsDropped',
    says: [
      "A dispatcher ends without a start only if the record is its workflow's and COMPLETED, with the same payload,",
      'if a running execution with the same payload owns the record, or has no record yet and began a minute ago,',
      'so that recovery delivers it again; without recovery only if it began since the dispatcher did,',
      'or if it has failed and the event is in the dead-letter queue.',
    ].join(' '),
    brokenBy: (space, before, { facts }) =>
      found(ofKind(facts, 'dispatched'), fact => {
        if (fact.isStarted || (fact.isDeadLettered && !fact.hasSucceeded)) return undefined;
        // A list that has failed comes again; what it keeps is judged below.
        if (fact.isOfList && (fact.isDeadLettered || !fact.hasSucceeded)) return undefined;
        const record = space.recordOf(before);
        const isDone =
          fact.hasSucceeded &&
          counts(record, before.now - before.skewMs) &&
          statusOf(record) === 'COMPLETED' &&
          !isOfAnotherWorkflow(record);
        if (isDone && isSamePayload(space, before, fact.delivery)) return undefined;
        if (fact.hasSucceeded && isTakenCareOf(space, before, fact.delivery)) return undefined;
        return `delivery ${fact.delivery} has ended without a start, while the record is ${recordText(record)}`;
      }),
  },
  {
    name: 'rejectedOnce',
    says: 'A delivery of an event without a key starts one execution, which rejects it: no retry of its start does again.',
    brokenBy: ({ claim }, _, { after: { executions, delivered } }) =>
      claim !== undefined || executions.length <= delivered
        ? undefined
        : `${delivered} deliveries without a key have started ${executions.length} executions`,
  },
  {
    name: 'keepsWhatNoDeliveryChanges',
    says: 'Of a list, an event is kept only if no other delivery could start it, and then it is not delivered again.',
    brokenBy: (_, __, { facts }) =>
      found(ofKind(facts, 'dispatched'), ({ delivery, isOfList, isDeadLettered, hasSucceeded }) => {
        const isChangedByNone = ofKind(facts, 'tooLong').length > 0;
        if (!isOfList || isChangedByNone === (isDeadLettered && hasSucceeded)) return undefined;
        return `delivery ${delivery} ${isChangedByNone ? 'comes again, and' : 'is kept, and no'} other one could start it`;
      }),
  },
  {
    name: 'judgesTheRecord',
    says: 'A read returns the record, and a record that is absent or expired neither answers nor rejects a delivery.',
    brokenBy: (space, before, step) =>
      found(ofKind(step.facts, 'read'), ({ seen, actual }) => {
        const { now, skewMs } = before;
        const { facts, after } = step;
        if (seen !== actual) return `${recordText(seen)} was read when the record was ${recordText(actual)}`;
        const [ended] = ofKind(facts, 'ended');
        if (!ended || counts(actual, now - skewMs)) return undefined;
        // Whose claim could not be evaluated is not judged by a record.
        if (isUnevaluated(step, ended.execution)) return undefined;
        const { status, end } = executionAt(space, after, ended.execution).execution;
        if (hasBeenRejectedTooOften(space, before, ended.execution)) return undefined;
        const how = status === 'SUCCEEDED' ? 'answers' : `ends with ${end?.error}`;
        return `execution ${nameOfEntry(ended.execution)} ${how}, by a record that is absent or has expired`;
      }),
  },
  {
    name: 'noResultIsLost',
    says: "No execution learns after its step that the record is another one's, before the record has held its result.",
    brokenBy: (space, _, { facts, after }) =>
      found(ofKind(facts, 'ended'), ({ execution }) => {
        const { end } = executionAt(space, after, execution).execution;
        if (end?.error !== 'Idempotency.ClaimLost' || after.past.finishers.includes(execution))
          return undefined;
        return `execution ${nameOfEntry(execution)} has run the step and lost its claim`;
      }),
  },
  {
    name: 'rejectedForWhatIs',
    says: [
      'A rejected execution ends with the error that stands for what it read.',
      "Another workflow's record is always ForeignRecord, another payload PayloadMismatch.",
      'A held record gives the error that it is held for.',
      'InProgress is about an unfinished record, or after too many rejected writes.',
      'If its claim could not be evaluated, it ends with InvalidEvent.',
    ].join(' '),
    brokenBy: (space, before, step) =>
      found(decidedIn(space, before, step), ({ execution, error }) => {
        // An entry that has run its step ends as the answer of the step says.
        if (heardBy(before, step.facts, execution)) return undefined;
        const isRejected = isUnevaluated(step, execution);
        if (isRejected && error === 'Idempotency.InvalidEvent') return undefined;
        if (error === IN_PROGRESS && hasBeenRejectedTooOften(space, before, execution)) return undefined;
        const judged = judgedBy(space, before, step, execution);
        const expected = possibleRecords(before, step, judged).flatMap(record =>
          errorsFor(space, before, execution, record),
        );
        if (!isRejected && expected.some(other => other === error)) return undefined;
        return `execution ${nameOfEntry(execution)} ends with ${error}, and what it read is ${recordText(judged)}`;
      }),
  },
  {
    name: 'keepsTheEvent',
    says: 'What a dispatcher keeps is the event as it came, in the dead-letter queue that was deployed.',
    brokenBy: (space, _, { facts }) =>
      found(ofKind(facts, 'kept'), ({ event, queue, body }) => {
        if (queue !== deadLetterQueueOf(space)) return `the event goes to the queue ${JSON.stringify(queue)}`;
        const isEvent = isDeepStrictEqual(typeof body === 'string' ? parsed(body) : body, event);
        return isEvent ? undefined : `what is kept is ${JSON.stringify(body)}`;
      }),
  },
];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A COMPLETED record has the payload that the step has run with.
function isSamePayload(space: StateSpace, model: ModelState, delivery: number): boolean {
  return payloadOfDelivery(space, model, delivery) === model.past.payload;
}

/** Whether a running execution with the payload of a delivery owns the record, or is about to claim. */
function isTakenCareOf(space: StateSpace, model: ModelState, delivery: number): boolean {
  const record = space.recordOf(model);
  const isAbsent = !counts(record, model.now - model.skewMs);
  const dispatcher = model.dispatchers.find(one => one.delivery === delivery);
  const called = dispatcher && space.dispatcher?.get(dispatcher.state).execution.startedAt;
  const calledAt = called ?? Number.POSITIVE_INFINITY;
  return model.executions.some(number => {
    const { arn, status, startedAt, input } = space.workflow.get(number).execution;
    if (status !== 'RUNNING' || payloadOf(input.value) !== payloadOfDelivery(space, model, delivery))
      return false;
    if (isAbsent) {
      const isAwaited = space.subject.recovery !== undefined || startedAt >= calledAt - CLOCKS_DIFFER_MS;
      return isAwaited && model.now < startedAt + CLAIM_WITHIN_MS;
    }
    return statusOf(record) === 'IN_PROGRESS' && textOf(record, 'owner') === arn;
  });
}

/** The time in which an execution claims its key, by the guide. */
const CLAIM_WITHIN_MS = 60_000;
/** By how much the clocks of executions differ, by the guide. */
const CLOCKS_DIFFER_MS = 100;

function payloadOfDelivery(
  space: StateSpace,
  { dispatchers }: ModelState,
  delivery: number,
): number | undefined {
  const state = dispatchers.find(dispatcher => dispatcher.delivery === delivery)?.state;
  return state === undefined
    ? undefined
    : payloadOf(space.dispatcher?.get(state).execution.input.value ?? null);
}

/** The record that an execution has last judged: what it reads in this step, or has read before and still goes by. */
function judgedBy(
  space: StateSpace,
  before: ModelState,
  { facts }: Step,
  execution: number,
): Item | undefined {
  const [read] = ofKind(facts, 'read');
  if (read) return read.seen;
  const record = leafOf(executionAt(space, before, execution).execution)?.variables['record'];
  return isJsonObject(record) && record['status'] !== undefined ? (record as unknown as Item) : undefined;
}

/** The errors with which an execution may end after reading this record, which counted; undefined: none did. */
function errorsFor(
  space: StateSpace,
  model: ModelState,
  execution: number,
  record: Item | undefined,
): readonly string[] {
  if (!record) return [];
  if (isOfAnotherWorkflow(record)) return [FOREIGN];
  if (!isOwnPayload(space, model, execution, record)) return [MISMATCH];
  if (statusOf(record) === 'HELD') return [String(storedErrorOf(record))];
  const isWithout = statusOf(record) === 'COMPLETED' && resultText(record) === '';
  const isJudged = statusOf(record) === 'IN_PROGRESS' && space.subject.workflow.traits.isFragment;
  const more = isWithout ? ', without its result' : isJudged ? ', in a fragment' : '';
  return ERRORS_OF[`${statusOf(record)}${more}`] ?? [];
}

/** An execution, and the error that it ends with, or that it begins to send. */
interface Decided {
  readonly execution: number;
  readonly error: string | undefined;
}

/** The executions whose error is decided in a step: those that end, and those that begin to send a rejection. */
function decidedIn(space: StateSpace, before: ModelState, { facts, after }: Step): readonly Decided[] {
  const stateIn = (model: ModelState, entry: number) => currentState(executionAt(space, model, entry));
  const ended = ofKind(facts, 'ended').flatMap(({ execution }) => {
    const { status, end } = executionAt(space, after, execution).execution;
    const isOfOthers = isErrorOfOthers(end?.error, stateIn(after, execution));
    const isSent = end?.error !== undefined && REJECTIONS[stateIn(before, execution)] === end.error;
    return status !== 'FAILED' || isOfOthers || isSent ? [] : [{ execution, error: end?.error }];
  });
  if (!space.subject.workflow.traits.sendsFailures) return ended;
  const sending = before.executions.flatMap((_, index) =>
    entriesAt(space, before, index).flatMap(execution => {
      const error = REJECTIONS[stateIn(after, execution)];
      const isBegun = error !== undefined && stateIn(before, execution) !== stateIn(after, execution);
      return isBegun ? [{ execution, error }] : [];
    }),
  );
  return [...ended, ...sending];
}

/** Whether so many writes of an execution have failed their condition that it ends. */
function hasBeenRejectedTooOften(space: StateSpace, before: ModelState, execution: number): boolean {
  const rejections = leafOf(executionAt(space, before, execution).execution)?.variables['rejections'];
  return Number(rejections ?? 0) >= REJECTIONS_MAX;
}

/** Whether a record was claimed with the payload of an execution; true if payloads are not compared. */
function isOwnPayload(space: StateSpace, model: ModelState, execution: number, record: Item): boolean {
  const hash = space.payloadHashes[payloadOf(executionAt(space, model, execution).execution.input.value)];
  return hash === undefined || textOf(record, 'payloadHash') === hash;
}

/**
 * Whether an error is a service's, or the step's own, which the workflow passes on. Not if a question about an
 * owner has no answer: that is as if the owner were running.
 */
function isErrorOfOthers(error: string | undefined, state: string): boolean {
  if (state === 'Ask about the owner') return false;
  const isOfService = /^(DynamoDB|SQS|S3|Sfn|StepFunctions|States|Lambda|Sandbox)\./;
  return error === undefined || error === STEP_ERROR || isOfService.test(error);
}

/** The queue for events that cannot be started, by the dispatcher as it is deployed. */
function deadLetterQueueOf({ subject: { dispatcher } }: StateSpace): Json | undefined {
  const state = dispatcher && statesOf((dispatcher.deployed ?? dispatcher).json)['Keep the event'];
  return isJsonObject(state?.['Arguments']) ? state['Arguments']['QueueUrl'] : undefined;
}

/** What a record that was read can have been when it was judged: itself, or none, as it had expired. */
function possibleRecords(
  { now, skewMs }: ModelState,
  step: Step,
  judged: Item | undefined,
): (Item | undefined)[] {
  if (counts(judged, now + skewMs)) return [judged];
  // A record that was read a while ago may have expired only since then, and clocks may differ about a record that is
  // read now.
  const isGone = !counts(judged, now - skewMs) && ofKind(step.facts, 'read').length > 0;
  return isGone ? [undefined] : [judged, undefined];
}
