import { OWNER_NOT_FOUND } from '../../state-machine/contract/conditions';
import { STATE } from '../../state-machine/contract/state-names';
import { type Failure, failureInWords } from '../key/failure';
import type { StateVisit } from '../key/history';
import { duration, QUOTED_MAX, shortened, timeOfDay } from '../text';
import type { RecordRead, TimelineContext, TimelineEventKind } from './events';
import {
  afterFaults,
  attemptIn,
  hasConditionFailed,
  lasted,
  lastFailure,
  type OwnerSeen,
  objectIn,
  ownerIn,
  ownerSeenInWords,
  recordInWords,
  wasLeftByAnError,
} from './words';

/** What an execution did, and what kind of thing that was. */
type Sentence = readonly [kind: TimelineEventKind, text: string];
/** What a visit of one state means; what it says of the execution is added to the context. */
type Describe = (visit: StateVisit, context: TimelineContext) => Sentence;

/** What a visit of a state means, in words; undefined for a Choice, which is seen by where it leads. */
export function sentenceFor(visit: StateVisit, context: TimelineContext): Sentence | undefined {
  if (!visit.isOurs) return ['passed', `went through "${visit.name}"`];
  const sentence = SENTENCES[visit.name]?.(visit, context);
  if (visit.name === STATE.step) context.hasOwned = true;
  // An owner that recovery or its own last state held ends where rejected deliveries do.
  return sentence?.[0] === 'rejected' && context.hasOwned ? ['passed', ofOwner(sentence[1])] : sentence;
}

function ofOwner(text: string): string {
  return text.replace(/^rejected the delivery/, 'did not complete the key');
}

/** The facts about an owner that could not be redriven. */
const NOT_REDRIVEN = 'NOT_REDRIVEN';
/** The facts about an owner for which a delivery has called recovery. */
const OVERDUE = 'OVERDUE';

/** A finalizing write: what it says if it was made, its condition failed, or it was not completed. */
function written(kind: TimelineEventKind, done: string, notDone: string): Describe {
  return visit => {
    if (visit.exitedAt === undefined) return [kind, `was to write that ${done}${afterFaults(visit)}`];
    if (hasConditionFailed(visit)) return ['conditionFailed', notDone];
    return wasLeftByAnError(visit)
      ? ['requestFailed', `could not write that ${done}${lastFailure(visit)}`]
      : [kind, `wrote that ${done}${afterFaults(visit)}`];
  };
}

/** The write that finishes the record, which only its owner can make. */
function finished(done: string, notDone: string): Describe {
  return written('finalized', done, `${notDone}: the record has another owner`);
}

/** The write that holds the record for review. */
function held(why: string): Describe {
  return written(
    'held',
    `the record is held for review: ${why}`,
    'did not hold the record: it had changed meanwhile',
  );
}

const COMPLETED = finished('the key is COMPLETED, with the result', 'could not write its result');

/** How the state is left, well, with a result that the record does not hold: it goes on to where that is kept. */
const EVALUATION_FAILED = 'States.QueryEvaluationError';

/** A state that sends to a destination: of what it tells. */
function sent(what: string, to: 'failure' | 'success' = 'failure'): Describe {
  return visit => [
    'sent',
    visit.exitedAt === undefined
      ? `was to notify the ${to} destination ${what}${lastFailure(visit)}`
      : `notified the ${to} destination ${what}${afterFaults(visit)}`,
  ];
}

/** A Wait state: for what it waits. */
function waited(what: string): Describe {
  return visit => [
    'waited',
    visit.exitedAt === undefined ? `was waiting ${what}` : `waited ${lasted(visit)} ${what}`,
  ];
}

/** The same for the end of a step: while it waits, until when. */
function waitedForStep(what: string): Describe {
  return (visit, context) => {
    const [kind, text] = waited(what)(visit, context);
    const until = visit.enteredAt.getTime() + context.stepMs;
    return [kind, visit.exitedAt === undefined ? `${text}, at ${timeOfDay(until)}` : text];
  };
}

/** A state that can mean one thing only. */
function always(kind: TimelineEventKind, text: string): Describe {
  return () => [kind, text];
}

const SENTENCES: Readonly<Record<string, Describe>> = {
  [STATE.claim]: claim,
  [STATE.read]: (visit, context) => {
    if (visit.exitedAt === undefined) return ['read', `was reading the record${lastFailure(visit)}`];
    if (wasLeftByAnError(visit)) return ['requestFailed', `could not read the record${lastFailure(visit)}`];
    context.record = objectIn<RecordRead>(visit, 'record');
    context.owner = undefined;
    return context.record === undefined
      ? ['read', `read the record, which is not in the history${afterFaults(visit)}`]
      : ['read', `read the record: ${recordInWords(context.record, context)}${afterFaults(visit)}`];
  },
  [STATE.askAboutOwner]: (visit, context) => {
    const owner = ownerIn(context);
    if (visit.exitedAt === undefined)
      return ['asked', `was asking about the owner ${owner}${lastFailure(visit)}`];
    const seen = objectIn<OwnerSeen>(visit, 'owner');
    if (seen === undefined && wasLeftByAnError(visit))
      return ['requestFailed', `got no answer about the owner ${owner}${lastFailure(visit)}`];
    context.owner = typeof seen?.['status'] === 'string' ? seen['status'] : undefined;
    return ['asked', `asked about the owner ${owner}: ${ownerSeenInWords(seen ?? {})}`];
  },
  [STATE.redrive]: redrive,
  [STATE.callRecovery]: callRecovery,
  [STATE.ownerInDoubt]: (visit, context) =>
    held(`whether the step of its owner ${ownerIn(context)} has run is not known`)(visit, context),
  [STATE.takeOver]: takeOver,
  [STATE.step]: businessStep,
  [STATE.letStepEnd]: waitedForStep('until the step had certainly ended'),
  [STATE.letOwnersStepEnd]: waitedForStep(
    'until the step of an owner that Step Functions does not know had certainly ended',
  ),
  [STATE.wait]: waited('for the owner'),
  [STATE.completed]: (visit, context) =>
    wasLeftByAnError(visit) && visit.failures.at(-1)?.error === EVALUATION_FAILED
      ? ['passed', 'did not put the result into the record: it is too long for that, or not exact as text']
      : COMPLETED(visit, context),
  [STATE.storeResult]: written(
    'finalized',
    'the result is in the bucket',
    'could not put its result into the bucket',
  ),
  [STATE.resultStored]: finished(
    'the key is COMPLETED, its result in the bucket',
    'could not write its result',
  ),
  [STATE.resultElsewhere]: finished(
    'the key is COMPLETED, its result in the output of this execution',
    'could not write that it is done',
  ),
  [STATE.sendResult]: sent('of the result', 'success'),
  [STATE.sendPlaceOfResult]: sent('of the place of the result', 'success'),
  [STATE.failed]: finished('the key has FAILED', 'did not write its failure'),
  [STATE.inDoubt]: held('whether the step has run is not known'),
  [STATE.sendFailure]: sent('of the failure'),
  [STATE.sendDoubt]: sent('that an operator must decide'),
  [STATE.sendOwnersDoubt]: sent('that an operator must decide'),
  [STATE.sendInvalidEvent]: sent('of a delivery without a usable key or payload'),
  [STATE.sendForeignRecord]: sent("of a delivery that meets another workflow's record"),
  [STATE.sendPayloadMismatch]: sent('of a delivery with another payload'),
  [STATE.returnResult]: always('returned', 'returned the stored result'),
  [STATE.returnOwnersResult]: (visit, context) => resultRead(visit, `the output of ${ownerIn(context)}`),
  [STATE.readResult]: visit => resultRead(visit, 'the bucket'),
  [STATE.returnFailure]: always('returned', 'returned the stored failure'),
  [STATE.foreignRecord]: always('rejected', "rejected the delivery: the record is another workflow's"),
  [STATE.nameFields]: visit =>
    wasLeftByAnError(visit)
      ? ['requestFailed', 'could not find out in which fields the payload differs']
      : ['passed', 'found out in which fields the payload differs'],
  [STATE.payloadMismatch]: always(
    'rejected',
    'rejected the delivery: the key was used before with another payload',
  ),
  [STATE.inProgress]: (_, context) => ['rejected', `rejected the delivery: ${whyInProgress(context)}`],
  [STATE.heldForReview]: always(
    'rejected',
    'rejected the delivery: the record is held for review; an operator decides',
  ),
  [STATE.invalidEvent]: always('rejected', 'rejected the delivery: it has no usable key or payload'),
  [STATE.redrivesExhausted]: always(
    'rejected',
    'rejected the delivery: the owner failed again after each redrive; an operator decides',
  ),
  [STATE.claimLost]: always('conditionFailed', 'had run the step, but the record has another owner now'),
  [STATE.resultUnavailable]: always(
    'rejected',
    'could not answer: the record does not contain the result, and the stored result cannot be read',
  ),
};

/** The stored result is read from a place outside of the record. */
function resultRead(visit: StateVisit, place: string): Sentence {
  if (visit.failures.length > 0 && !visit.hasSucceeded)
    return ['requestFailed', `could not read the result in ${place}${lastFailure(visit)}`];
  return visit.exitedAt === undefined
    ? ['returned', `was reading the result in ${place}`]
    : ['returned', `returned the result out of ${place}`];
}

const NO_ATTEMPT = 'the attempt is not in the history';

function claim(visit: StateVisit, context: TimelineContext): Sentence {
  if (visit.exitedAt === undefined) return ['claimed', `was claiming the key${lastFailure(visit)}`];
  context.attempt = attemptIn(visit);
  if (context.attempt !== undefined)
    return ['claimed', `claimed the key as attempt ${context.attempt}${afterFaults(visit)}`];
  if (hasConditionFailed(visit))
    return ['conditionFailed', `did not get the key: it has a record${afterFaults(visit)}`];
  if (wasLeftByAnError(visit)) return ['requestFailed', `could not claim a key${lastFailure(visit)}`];
  return visit.hasSucceeded
    ? ['claimed', `claimed the key; ${NO_ATTEMPT}${afterFaults(visit)}`]
    : ['passed', 'ended its claim; whether it got the key is not in the history'];
}

function takeOver(visit: StateVisit, context: TimelineContext): Sentence {
  const from = ownerIn(context);
  if (visit.exitedAt === undefined) return ['tookOver', `was taking over from ${from}${lastFailure(visit)}`];
  if (hasConditionFailed(visit))
    return ['conditionFailed', `did not get to take over from ${from}: the record had changed`];
  if (wasLeftByAnError(visit))
    return ['requestFailed', `could not take over from ${from}${lastFailure(visit)}`];
  context.attempt = attemptIn(visit);
  const as = context.attempt === undefined ? `; ${NO_ATTEMPT}` : ` as attempt ${context.attempt}`;
  return ['tookOver', `took over from ${from}${as}${afterFaults(visit)}`];
}

function redrive(visit: StateVisit, context: TimelineContext): Sentence {
  const owner = ownerIn(context);
  if (visit.exitedAt === undefined)
    return ['redrove', `was redriving the owner ${owner}${lastFailure(visit)}`];
  if (/NotRedrivable/.test(visit.failures.at(-1)?.error ?? '')) {
    context.owner = 'RUNNING';
    return ['redrove', `did not redrive the owner ${owner}: it had been redriven before, or had finished`];
  }
  context.owner = wasLeftByAnError(visit) ? NOT_REDRIVEN : 'RUNNING';
  return context.owner === NOT_REDRIVEN
    ? ['requestFailed', `could not redrive the owner ${owner}${lastFailure(visit)}`]
    : ['redrove', `redrove the owner ${owner}${afterFaults(visit)}`];
}

/** The call of recovery: an execution of its name that is there already is as good as one that was started. */
function callRecovery(visit: StateVisit, context: TimelineContext): Sentence {
  const owner = ownerIn(context);
  const { Name } = (visit.request ?? {}) as { readonly Name?: unknown };
  const name = typeof Name === 'string' ? ` ${Name}` : '';
  if (visit.exitedAt === undefined)
    return ['calledRecovery', `was starting recovery for ${owner}${lastFailure(visit)}`];
  context.owner = OVERDUE;
  if (/ExecutionAlreadyExists/.test(visit.failures.at(-1)?.error ?? ''))
    return ['calledRecovery', `found recovery${name} for ${owner}, which another delivery had started`];
  return wasLeftByAnError(visit)
    ? ['requestFailed', `could not start recovery for ${owner}${lastFailure(visit)}`]
    : ['calledRecovery', `started recovery${name} for ${owner}${afterFaults(visit)}`];
}

/** The business step: its result, its error, or that it was interrupted. */
function businessStep(visit: StateVisit, context: TimelineContext): Sentence {
  const attempt = attemptOfRequest(visit) ?? context.attempt;
  const again = visit.isRedriven ? ' again' : '';
  const as = attempt === undefined ? '' : `, attempt ${attempt}`;
  if (visit.exitedAt === undefined) return ['ran', `began the step${again}${as}${lastFailure(visit)}`];
  const took = duration(visit.exitedAt.getTime() - visit.enteredAt.getTime());
  const failure = failureIn(visit);
  if (failure !== undefined) {
    const words = shortened(failureInWords(failure), QUOTED_MAX);
    return ['ran', `ran the step${again}${as}: it failed after ${took} with ${words}`];
  }
  const retried = visit.failures.length === 0 ? '' : `, at try ${visit.failures.length + 1}`;
  const result =
    visit.output === undefined
      ? `it returned after ${took}; its result is not in the history`
      : `it returned after ${took} ${shortened(visit.output, QUOTED_MAX)}`;
  return ['ran', `ran the step${again}${as}${retried}: ${result}`];
}

/** How the step failed: as the workflow has assigned it, or, where the history lacks that, as its last try ended. */
function failureIn(visit: StateVisit): Failure | undefined {
  const assigned = objectIn<{ readonly Error?: string; readonly Cause?: string }>(visit, 'failure');
  if (assigned !== undefined) return { error: assigned.Error ?? '', cause: assigned.Cause ?? '' };
  return wasLeftByAnError(visit) ? visit.failures.at(-1) : undefined;
}

function attemptOfRequest({ request }: StateVisit): number | undefined {
  const payload = (request as { readonly Payload?: { readonly attempt?: unknown } } | undefined)?.Payload;
  return typeof payload?.attempt === 'number' ? payload.attempt : undefined;
}

function whyInProgress(context: TimelineContext): string {
  const owner = ownerIn(context);
  switch (context.owner) {
    case undefined:
      return `${owner} owns the key, and has not finished`;
    case 'RUNNING':
    case 'PENDING_REDRIVE':
      return `${owner} owns the key, and is running`;
    case NOT_REDRIVEN:
      return `${owner} owns the key; it has ended, and could not be redriven`;
    case OVERDUE:
      return `${owner} owns the key, and should have finished: recovery decides what becomes of it`;
    case OWNER_NOT_FOUND:
      return `${owner} owns the key, and might not be visible yet`;
    default:
      return `${owner} ended so recently that the step it called might still be running`;
  }
}
