import { isDeepStrictEqual } from 'node:util';
import { statesOf } from '../model/definition-states';
import { inputOf } from '../model/inputs';
import type { HttpRequest, ModelState, SeenByRequest } from '../model/model-state';
import { resultText, storedErrorOf } from '../model/record';
import { executionAt, type StateSpace } from '../model/state-space';
import { isFailureReturned } from '../model/traits';
import { answerIn, CALL, isConsistent, ownOf } from '../transition/front-door';
import type { Fact, Step } from '../transition/step';
import { type FactOf, found, type Invariant, numberIn, ofKind } from './invariant';
import { isStored } from './remembered';

type Responded = FactOf<'responded'>;

/** What the front door has answered: the result, 202, or the last part of a problem's `type`. */
function wordIn(space: StateSpace, request: HttpRequest): string | undefined {
  const answer = answerIn(space, request);
  if (!answer) return undefined;
  if (answer.status === 202) return 'accepted';
  return answer.status === 200 ? 'result' : (problemIn(answer.body).type?.split('#')[1] ?? 'no problem');
}

function problemIn(body: string): { readonly type?: string; readonly error?: string } {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

/** A request in a few words. */
function nameOfRequest({ delivery, asks }: HttpRequest): string {
  return asks !== undefined ? `the question about request ${delivery}` : `request ${delivery}`;
}

/** The invariant over the requests that are answered with one of these words. */
function answersWith(
  words: readonly string[],
  wrong: (space: StateSpace, fact: Responded, models: { before: ModelState; after: ModelState }) => unknown,
): Invariant['brokenBy'] {
  return (space, before, { facts, after }) =>
    found(ofKind(facts, 'responded'), fact => {
      const { request } = fact;
      const word = wordIn(space, request);
      if (word === undefined || !words.includes(word) || !wrong(space, fact, { before, after }))
        return undefined;
      const seen = request.saw === undefined ? 'it has read no record' : `its record was ${request.saw}`;
      return `${nameOfRequest(request)} is answered "${word}", and ${seen}`;
    });
}

/** The answers that reject a request, with what the record can be that each is for. */
const REJECTING_ANSWERS: Readonly<Record<string, readonly SeenByRequest[]>> = {
  'payload-mismatch': ['mismatch'],
  'foreign-record': ['foreign'],
  'in-doubt': ['held', 'failed', 'failedThen', 'failedBefore'],
  'result-unavailable': ['elsewhere', 'held'],
  'in-progress': ['atWork'],
  'not-started': [],
  'not-found': ['absent', 'foreign', 'mismatch'],
};

/** What the record can be of a request that an Express workflow has not started: not taken over, whatever it is. */
const NOT_STARTED: readonly (SeenByRequest | undefined)[] = [
  'absent',
  'released',
  'failed',
  'failedThen',
  'failedBefore',
];

/** The answers to a request that can be carried out. */
const WORDS = ['result', 'accepted', 'step-failed', 'outcome-unknown', ...Object.keys(REJECTING_ANSWERS)];

/** What the record can be that an accepted request has read last. */
const ACCEPTED: readonly (SeenByRequest | undefined)[] = [
  undefined,
  'absent',
  'atWork',
  'released',
  'failedThen',
  'failedBefore',
  // Its owner's output could not be read.
  'elsewhere',
];

/** By how much a request may wait less than it may, milliseconds: in so short a time nothing is read again. */
const TOO_SHORT_MS = 500;

/** For how long a request waits, by the definition as it was deployed, milliseconds. */
function waitOf({ frontDoor }: StateSpace): number {
  const { explored } = frontDoor ?? {};
  const states = explored && statesOf((explored.deployed ?? explored).json);
  return numberIn(states?.['Parse the body']?.['Assign'], /: (\d+) \) %}"/) * 1000;
}

/** For how long a question whose record is not there is answered that it is under way, milliseconds. */
const RECORD_WITHIN_MS = 15 * 60_000;

/** What holds of each request by HTTP. */
export const FRONT_DOOR_INVARIANTS: readonly Invariant[] = [
  {
    name: 'requestsAreAnswered',
    says: 'A request ends with one answer, unless the front door is stopped; that comes before its time is over, and is one of those to a request that can be carried out.',
    brokenBy: (space, _, { facts }) =>
      found(ofKind(facts, 'responded'), ({ request }) => {
        const word = wordIn(space, request);
        if (word !== undefined && WORDS.includes(word)) return undefined;
        return `${nameOfRequest(request)} ${word === undefined ? 'has no answer' : `is answered "${word}"`}`;
      }) ??
      found(
        ofKind(facts, 'unanswered'),
        ({ request }) => `the time of ${nameOfRequest(request)} is over, and it has no answer`,
      ),
  },
  {
    name: 'decidesByConsistentReads',
    says: [
      'A read that need not be consistent answers a request only with its own result, or that it is accepted.',
      'Nothing is started by such a read.',
    ].join(' '),
    brokenBy: (space, _, { facts, after }) =>
      found(ofKind(facts, 'served'), ({ request, call }) => {
        if (call.resource !== 'dynamodb:getItem' || isConsistent(call)) return undefined;
        const wrong = answeredBy(space, after, facts, request) ?? startedBy(space, after, request);
        return wrong && `a read that may be old leads to ${wrong}`;
      }),
  },
  {
    name: 'answersWithTheResult',
    says: [
      'A request is answered with a result only if the record, as last read, was completed with its payload.',
      'The answer is the very text of the stored result.',
      'It is marked as a replay unless the execution is the owner that its start was answered with.',
    ].join(' '),
    brokenBy: answersWith(['result'], (space, fact, { after }) => {
      const { request, read } = fact;
      const { body } = answerIn(space, request) ?? { body: '' };
      if (request.saw !== 'completed' && request.saw !== 'elsewhere') return true;
      if (!isStored(body, after.past) || isMarkedWrong(space, fact, after)) return true;
      return request.saw === 'completed' && read?.record && resultText(read.record) !== body;
    }),
  },
  {
    name: 'failsAsRecorded',
    says: [
      'A request is answered that its step failed only if the record, as last read, says so, with its payload and that error.',
      'The record must have been claimed since the start of the request, unless failures are stored.',
    ].join(' '),
    brokenBy: answersWith(['step-failed'], (space, fact, { after }) => {
      const { request, read } = fact;
      const { error } = problemIn(answerIn(space, request)?.body ?? '');
      const isOlder = request.saw === 'failedBefore';
      const mayBeOlder =
        request.asks !== undefined || isFailureReturned(space.subject.workflow.traits, error);
      if (!request.saw?.startsWith('failed') || (isOlder && !mayBeOlder)) return true;
      if (isCalled(space) && !mayBeOlder && !isOwnRecord(space, after, request, read)) return true;
      return storedErrorOf(read?.record) !== error || isMarkedWrong(space, fact, after);
    }),
  },
  {
    name: 'rejectsByTheRecord',
    says: [
      'A request is rejected only for what its record was when last read.',
      'That is another payload, another workflow, held, without a result, or in progress.',
      'It is answered with `not-started` only if it knows of no start, and a request was rejected to the last retry.',
      'With an Express workflow the record says that instead, which is not its own.',
      'No request is answered with its own progress.',
      'A question about an unknown execution is answered so only after a quarter of an hour.',
    ].join(' '),
    brokenBy: answersWith(
      Object.keys(REJECTING_ANSWERS),
      (space, { request, read, isWornOut }, { before, after }) => {
        const word = wordIn(space, request) ?? '';
        const { saw, start, asks } = request;
        const isOwn = isOwnRecord(space, after, request, read);
        if (word === 'in-progress' && isOwn) return true;
        if (word === 'not-started' && isCalled(space)) return !NOT_STARTED.includes(saw) || isOwn;
        if (word === 'not-started') return !isWornOut || start !== undefined || asks !== undefined;
        if (saw === undefined || !REJECTING_ANSWERS[word]?.includes(saw)) return true;
        if (word !== 'not-found') return false;
        return asks === undefined || before.now < Math.floor(asks / 1000) * 1000 + RECORD_WITHIN_MS;
      },
    ),
  },
  {
    name: 'acceptsWhatIsUnderWay',
    says: [
      'A request is accepted only if its start was answered, and the record, as last read, says no end and no other payload.',
      'The time for which it may wait must be over, or a read rejected to the last retry.',
      'It was started then, or joined what was running, with its own input.',
    ].join(' '),
    brokenBy: answersWith(['accepted'], (space, { request, isWornOut }, { before, after }) => {
      const { saw, start, asks, payload } = request;
      // Only its sender continues it.
      if (isCalled(space)) return true;
      if (asks !== undefined) return ['completed', 'held', 'failed', 'failedThen'].includes(saw ?? '');
      if (!start || !ACCEPTED.includes(saw)) return true;
      if (!isWornOut && before.now < request.since + waitOf(space) - TOO_SHORT_MS) return true;
      const { input, end } = executionAt(space, after, start.execution).execution;
      const isBefore = end !== null && end.at < request.since;
      return isBefore || !isDeepStrictEqual(input.value, inputOf(payload, space.subject.orderId));
    }),
  },
  {
    name: 'unknownOnlyWhileUnfinished',
    says: [
      'The outcome of a request is unknown only if its own claim is unfinished, or a read was rejected to the last retry.',
      'The time after which it may be sent again is that at which the lease is over, to the second.',
    ].join(' '),
    brokenBy: answersWith(['outcome-unknown'], (space, { request, read, isWornOut }, { after }) => {
      if (!isCalled(space)) return true;
      if (!read) return !isWornOut;
      if (request.saw !== 'atWork' || !isOwnRecord(space, after, request, read)) return true;
      const due = after.now + Number(answerIn(space, request)?.headers['Retry-After']) * 1000;
      const lease = Number(read.record?.['leaseExpiry']?.['N']);
      return !(due > lease && due <= Math.max(lease, after.now) + 1000);
    }),
  },
  {
    name: 'onlyReadsAndStarts',
    says: 'The front door reads, and starts the workflow with the input of its request; it writes nothing. For a question it starts nothing.',
    brokenBy: (space, before, step) =>
      found(ofKind(step.facts, 'served'), ({ request, call }) => {
        if (READS.includes(call.resource)) return undefined;
        if (call.resource === CALL && isCalled(space)) {
          const isAgain = request.start && step.after.executions.length > before.executions.length;
          if (isAgain) return `${nameOfRequest(request)} calls the workflow twice`;
          return startsAnother(space, before, step, request);
        }
        if (call.resource !== 'states:startExecution' || request.asks !== undefined)
          return `${nameOfRequest(request)} leads to ${call.resource}`;
        return startsAnother(space, before, step, request);
      }),
  },
];

/** What a read has answered a request with, unless it is its own result, or that it is accepted. */
function answeredBy(
  space: StateSpace,
  model: ModelState,
  facts: readonly Fact[],
  { delivery }: HttpRequest,
): string | undefined {
  const responded = ofKind(facts, 'responded').find(({ request }) => request.delivery === delivery);
  if (!responded) return undefined;
  const { request, read } = responded;
  const word = wordIn(space, request);
  const isOwn = read?.record?.['owner']?.['S'] === ownOf(space, model, request);
  return word === 'accepted' || (word === 'result' && isOwn) ? undefined : `the answer "${word}"`;
}

function startedBy(
  space: StateSpace,
  { requests }: ModelState,
  { delivery }: HttpRequest,
): string | undefined {
  const next = requests.find(request => request.delivery === delivery);
  const call = next && space.frontDoor?.get(next.state).call;
  return call?.resource === 'states:startExecution' ? 'a start' : undefined;
}

const READS = ['dynamodb:getItem', 'aws-sdk:sfn:describeExecution', 'aws-sdk:s3:getObject'];

function startsAnother(
  space: StateSpace,
  before: ModelState,
  { after }: Step,
  request: HttpRequest,
): string | undefined {
  const expected = inputOf(request.payload, space.subject.orderId);
  const isAnother = after.executions
    .slice(before.executions.length)
    .some(number => !isDeepStrictEqual(space.workflow.get(number).execution.input.value, expected));
  return isAnother ? `${nameOfRequest(request)} starts the workflow with another input` : undefined;
}

/** Whether the front door calls the workflow, which is Express. */
function isCalled({ subject }: StateSpace): boolean {
  return subject.workflow.traits.isExpress;
}

/** Whether the execution that a request has started owns the record that it has read. */
function isOwnRecord(
  space: StateSpace,
  model: ModelState,
  request: HttpRequest,
  read: Responded['read'],
): boolean {
  const own = ownOf(space, model, request);
  return own !== undefined && read?.record?.['owner']?.['S'] === own;
}

/** Whether an answer that was given before does not say so, or one says so that was not. */
function isMarkedWrong(space: StateSpace, { request, read }: Responded, model: ModelState): boolean {
  if (!read) return false;
  const isMarked = answerIn(space, request)?.headers['Idempotent-Replayed'] === 'true';
  const isOwn = read.record?.['owner']?.['S'] === ownOf(space, model, request);
  return isMarked === (request.asks === undefined && isOwn);
}
