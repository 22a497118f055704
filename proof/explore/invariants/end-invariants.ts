import { operationOf } from '../../../packages/local/explore/kernel/index';
import { statesOf } from '../model/definition-states';
import { nameOfEntry } from '../model/entries';
import { currentState, leafOf } from '../model/execution-state';
import type { ExecutionStates } from '../model/execution-states';
import type { ModelState } from '../model/model-state';
import type { Heard } from '../model/past';
import { attemptOf } from '../model/record';
import { cachePerSpace, executionAt, type StateSpace } from '../model/state-space';
import type { ExploredMachine } from '../model/subject';
import { isFailureReturned } from '../model/traits';
import type { Fact, Step } from '../transition/step';
import { type FactOf, found, type Invariant, ofKind, REJECTED_FOR_GOOD } from './invariant';
import { heardBy, REJECTED } from './remembered';
import { catches, retriesOf } from './retries-and-catches';

/** The errors of the workflow's own that an execution may end with which has run its step. */
const CLAIM_LOST = 'Idempotency.ClaimLost';
const IN_DOUBT = 'Idempotency.InDoubt';

/** How an execution ends by what its step and the services have answered: so, after all retries, and when it has sent it. */
export const END_INVARIANTS: readonly Invariant[] = [
  {
    name: 'endsAsTold',
    says: [
      'An execution ends as its answers say: with the error of its step, or of a service that answered so.',
      'It ends as ClaimLost only if a write after its successful step was rejected.',
      'It ends as InDoubt only at most once, and only if its step has not succeeded.',
      'It succeeds only if its step has not failed.',
    ].join(' '),
    brokenBy: (space, before, step) =>
      found(ofKind(step.facts, 'ended'), ({ execution }) => {
        const { status, end } = executionAt(space, step.after, execution).execution;
        if (status !== 'SUCCEEDED' && status !== 'FAILED') return undefined;
        const heard = heardBy(before, step.facts, execution);
        const isRight =
          status === 'SUCCEEDED'
            ? heard?.error === undefined || space.subject.workflow.traits.isChain
            : mayEndWith(space, before, step.facts, { execution, error: end?.error, heard });
        if (isRight) return undefined;
        const how = status === 'SUCCEEDED' ? 'succeeds' : `ends with ${end?.error}`;
        return `execution ${nameOfEntry(execution)} ${how}, and ${wordsOf(heard)}`;
      }),
  },
  {
    name: 'lostAnswersAreHarmless',
    says: 'A request to DynamoDB, or to a queue, whose answer was lost is made again, and is answered as it was: one lost answer fails no execution, and leads it nowhere else.',
    brokenBy: (space, before, { facts, after }) =>
      found(ofKind(facts, 'lost'), ({ execution, isMade }) => {
        const [was, is] = [before, after].map(model => executionAt(space, model, execution));
        if (!is?.call || is.call.stateName !== was?.call?.stateName)
          return `execution ${nameOfEntry(execution)} ${is?.execution.end ? 'has failed' : 'goes another way'}`;
        if (!isMade || operationOf(is.call.resource) === undefined) return undefined;
        const first = space.perform(before.table, was.call);
        const second = space.perform(after.table, is.call);
        return first.result.kind === 'succeeded' && second.result.kind === 'failed'
          ? `the request of execution ${nameOfEntry(execution)} is rejected because of itself`
          : undefined;
      }),
  },
  {
    name: 'isPatient',
    says: 'A request that is rejected, or cannot be evaluated, is made again as often as the deployed definition says: one limit or one failed request rejects no delivery for good.',
    brokenBy: (space, before, { facts }) =>
      found(ofKind(facts, 'wornOut'), fact => impatience(space, before.now, fact)),
  },
  {
    name: 'sentBeforeItsEnd',
    says: 'If failures or results are sent, an execution that is rejected for good, or whose end its record has said, ends so when the destination has accepted that.',
    brokenBy: (space, before, step) =>
      found(ofKind(step.facts, 'ended'), ({ execution }) => {
        if (!owesANotice(space, before, step, execution) || hasJustSent(space, before, execution))
          return undefined;
        const { end } = executionAt(space, step.after, execution).execution;
        return `execution ${nameOfEntry(execution)} ends with ${end?.error ?? 'success'}, and has not sent that`;
      }),
  },
];

interface Ended {
  readonly execution: number;
  readonly error: string | undefined;
  readonly heard: Heard | undefined;
}

/** Whether an execution may fail so. If an entry got no answer of a step, its record decides about errors of ours. */
function mayEndWith(
  space: StateSpace,
  before: ModelState,
  facts: readonly Fact[],
  { execution, error, heard }: Ended,
): boolean {
  const { traits } = space.subject.workflow;
  const { isAtMostOnce, isChain } = traits;
  const isPassedOn = isTold(facts, execution, error) && !isCaught(space, before, execution, error);
  const hasSucceeded = heard !== undefined && heard.error === undefined;
  if (error === CLAIM_LOST)
    return (hasSucceeded || (isChain && heard !== undefined)) && isTold(facts, execution, REJECTED);
  if (!heard) return error?.startsWith('Idempotency.') || isFailureReturned(traits, error) || isPassedOn;
  if (error === IN_DOUBT && isAtMostOnce && !hasSucceeded) return true;
  if (error === undefined || error.startsWith('Idempotency.')) return false;
  // What a chain makes of an error is its own.
  return isChain || error === heard.error || isPassedOn;
}

/** Whether the deployed definition catches this error in the state of the execution. */
function isCaught(
  space: StateSpace,
  before: ModelState,
  execution: number,
  error: string | undefined,
): boolean {
  const state = executionAt(space, before, execution);
  const { json } = deployedOf(space.workflow.definitionOf(state));
  return error !== undefined && catches(statesOf(json)[currentState(state)], error);
}

function wordsOf(heard: Heard | undefined): string {
  if (!heard) return 'no service has said so';
  return heard.error === undefined ? 'its step has succeeded' : `its step has ended with ${heard.error}`;
}

/**
 * Whether an execution hears now that its write is rejected, and the record is that of another one, or of another
 * attempt: what it has said before is not its news any more.
 */
function hasLostItsRecord(
  space: StateSpace,
  before: ModelState,
  facts: readonly Fact[],
  { execution, attempt }: Heard,
): boolean {
  const record = space.recordOf(before);
  const isOwner = record?.['owner']?.['S'] === executionAt(space, before, execution).execution.arn;
  return isTold(facts, execution, REJECTED) && !(isOwner && attemptOf(record) === attempt);
}

function isTold(facts: readonly Fact[], execution: number, error: string | undefined): boolean {
  return facts.some(fact => fact.kind === 'told' && fact.execution === execution && fact.error === error);
}

/** Whether what an execution hears now is that a queue has taken its message. */
function hasJustSent(space: StateSpace, before: ModelState, execution: number): boolean {
  const state = executionAt(space, before, execution);
  const task = space.workflow.definitionOf(state).machine.definition.states.get(currentState(state));
  return (
    state.answer?.kind === 'succeeded' &&
    task?.kind === 'task' &&
    task.resource.integration === 'sqs:sendMessage'
  );
}

/** The most rejections in a row that are tried. */
const TRIES_MAX = 3;

/** The faults in the number of retries of a request, by caller and error; empty if there are none. */
const patienceOf = cachePerSpace(() => new Map<string, string>());

/** Which request gives up earlier than the deployed definition does; undefined: it does not. */
function impatience(
  space: StateSpace,
  now: number,
  { of, number, itemIndex, error }: FactOf<'wornOut'>,
): string | undefined {
  const machine = space[of];
  if (!machine) return undefined;
  const key = `${of} ${number} ${itemIndex} ${error}`;
  const patience = patienceOf(space);
  const known = patience.get(key);
  if (known !== undefined) return known === '' ? undefined : known;
  const seen = givenUp(machine, { number, itemIndex, error, now }) ?? '';
  patience.set(key, seen);
  return seen === '' ? undefined : seen;
}

function givenUp(
  machine: ExecutionStates,
  { number, itemIndex, error, now }: { number: number; itemIndex: number; error: string; now: number },
): string | undefined {
  const state = machine.entry(number, itemIndex);
  const { call } = state;
  // An execution whose request failed before has fewer tries left.
  if (!call || leafOf(state.execution)?.retries.some(used => used > 0)) return undefined;
  const deployed = deployedOf(machine.definitionOf(state));
  const most = Math.min(TRIES_MAX, retriesOf(statesOf(deployed.json)[call.stateName], error));
  let at = number;
  for (let tried = 1; tried <= most; tried += 1) {
    at = machine.answered(at, { kind: 'failed', error, cause: '\u2026' }, now, itemIndex);
    if (machine.entry(at, itemIndex).call?.stateName !== call.stateName)
      return `"${call.stateName}" gives up after ${tried} times ${error}`;
  }
  return undefined;
}

function deployedOf(machine: ExploredMachine): ExploredMachine {
  return machine.deployed ?? machine;
}

/** Whether an execution must send its end: that of its own step, or a rejection for good. */
function owesANotice(space: StateSpace, before: ModelState, step: Step, execution: number): boolean {
  const { sendsFailures, sendsRejections, sendsResults } = space.subject.workflow.traits;
  const { status, end } = executionAt(space, step.after, execution).execution;
  const heard = heardBy(before, step.facts, execution);
  const isOwn =
    heard?.status !== undefined &&
    (end?.error === heard.error || end?.error === IN_DOUBT) &&
    !hasLostItsRecord(space, before, step.facts, heard);
  if (status === 'SUCCEEDED') return sendsResults && isOwn;
  const isRejection = sendsRejections && !heard && REJECTED_FOR_GOOD.includes(end?.error ?? '');
  return status === 'FAILED' && sendsFailures && (isOwn || isRejection);
}
