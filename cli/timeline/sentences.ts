import { STATE } from '../../state-machine/contract/state-names';
import type { StateVisit } from '../key/history';
import { type Failure, failureInWords } from '../key/record';
import { duration, QUOTED_MAX, shortened } from '../text';
import type { RecordRead, TimelineContext, TimelineEventKind } from './events';
import {
  afterFaults,
  attemptIn,
  lasted,
  lastFailure,
  type OwnerSeen,
  objectIn,
  ownerIn,
  ownerSeenInWords,
  recordInWords,
  wasLeftByAnError,
  wasRefused,
} from './words';

/** What an execution did, and what kind of thing that was. */
type Sentence = readonly [kind: TimelineEventKind, text: string];
/** What a stay in one state means; what it says of the execution is added to the context. */
type Describe = (visit: StateVisit, context: TimelineContext) => Sentence;

/** What a stay in a state means, in words; undefined for a Choice, which is seen by where it leads. */
export function sentenceFor(visit: StateVisit, context: TimelineContext): Sentence | undefined {
  if (!visit.isOurs) return ['passed', `went through "${visit.name}"`];
  return SENTENCES[visit.name]?.(visit, context);
}

/** What is known of an owner that could not be redriven: it is still dead. */
const NOT_REDRIVEN = 'NOT_REDRIVEN';

/** A finalizing write: what it says when it was made, refused, or not brought to its end. */
function written(kind: TimelineEventKind, done: string, refused: string): Describe {
  return visit => {
    if (visit.exitedAt === undefined) return [kind, `was to write that ${done}${afterFaults(visit)}`];
    if (wasRefused(visit)) return ['refused', refused];
    return wasLeftByAnError(visit)
      ? ['refused', `could not write that ${done}${lastFailure(visit)}`]
      : [kind, `wrote that ${done}${afterFaults(visit)}`];
  };
}

const COMPLETED = written(
  'finalized',
  'the key is COMPLETED, with the result',
  'could not write its result: the record has another owner',
);

/** How the state is left, well, with a result that the record does not hold: it goes on to where that is kept. */
const EVALUATION_FAILED = 'States.QueryEvaluationError';

/** A state that sends to a destination: of what it tells. */
function sent(what: string, to: 'failure' | 'success' = 'failure'): Describe {
  return visit => [
    'sent',
    visit.exitedAt === undefined
      ? `was to tell the ${to} destination ${what}${lastFailure(visit)}`
      : `told the ${to} destination ${what}${afterFaults(visit)}`,
  ];
}

/** A Wait state: for what it waits. */
function waited(what: string): Describe {
  return visit => [
    'waited',
    visit.exitedAt === undefined ? `was waiting ${what}` : `waited ${lasted(visit)} ${what}`,
  ];
}

/** A state that can mean one thing only. */
function always(kind: TimelineEventKind, text: string): Describe {
  return () => [kind, text];
}

const SENTENCES: Readonly<Record<string, Describe>> = {
  [STATE.claim]: claim,
  [STATE.checkKey]: visit => {
    if (visit.exitedAt === undefined) return ['read', `was reading its key again${lastFailure(visit)}`];
    return wasLeftByAnError(visit)
      ? ['refused', `could not read its key${lastFailure(visit)}`]
      : ['read', 'could read its key: something else of the claim could not be evaluated'];
  },
  [STATE.read]: (visit, context) => {
    if (visit.exitedAt === undefined) return ['read', `was reading the record${lastFailure(visit)}`];
    if (wasLeftByAnError(visit)) return ['refused', `could not read the record${lastFailure(visit)}`];
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
      return ['asked', `was not told about the owner ${owner}${lastFailure(visit)}`];
    context.owner = typeof seen?.['status'] === 'string' ? seen['status'] : undefined;
    return ['asked', `asked about the owner ${owner}: ${ownerSeenInWords(seen ?? {})}`];
  },
  [STATE.readHistory]: visit => {
    const seen = objectIn<{ readonly state?: string; readonly isLeft?: boolean }>(visit, 'place');
    if (seen === undefined)
      return ['asked', "read the owner's history; what it says is not in the history of this execution"];
    return seen.state === undefined
      ? ['asked', "read the owner's history, which does not say where it stopped"]
      : [
          'asked',
          `saw in its history that the owner stopped ${seen.isLeft ? 'after' : 'in'} "${seen.state}"`,
        ];
  },
  [STATE.redrive]: redrive,
  [STATE.ownerInDoubt]: (visit, context) =>
    written(
      'parked',
      `the key is in doubt (parked): its owner ${ownerIn(context)} died within the step`,
      'did not park the record: it had changed meanwhile',
    )(visit, context),
  [STATE.takeOver]: takeOver,
  [STATE.step]: businessStep,
  [STATE.letStepEnd]: waited('until the step had certainly ended'),
  [STATE.letOwnersStepEnd]: waited('until the step of an owner that nobody knows had certainly ended'),
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
  [STATE.resultStored]: written(
    'finalized',
    'the key is COMPLETED, its result in the bucket',
    'could not write its result: the record has another owner',
  ),
  [STATE.resultElsewhere]: written(
    'finalized',
    'the key is COMPLETED, its result in the output of this execution',
    'could not write that it is done: the record has another owner',
  ),
  [STATE.sendResult]: sent('of the result', 'success'),
  [STATE.sendPlaceOfResult]: sent('where the result is', 'success'),
  [STATE.ownerCompleted]: (visit, context) =>
    written(
      'finalized',
      `the key is COMPLETED, for ${ownerIn(context)}, which had succeeded and left it IN_PROGRESS`,
      'did not finish the record for its owner: it had changed meanwhile',
    )(visit, context),
  [STATE.failed]: written(
    'finalized',
    'the key has FAILED',
    'did not write its failure: the record has another owner',
  ),
  [STATE.inDoubt]: written(
    'parked',
    'the key is in doubt (parked)',
    'did not park the record: somebody else had changed it',
  ),
  [STATE.sendFailure]: sent('of the failure'),
  [STATE.sendDoubt]: sent('that a person has to decide'),
  [STATE.sendOwnersDoubt]: sent('that a person has to decide'),
  [STATE.sendMissingKey]: sent('of a delivery without a usable key'),
  [STATE.sendInvalidPayload]: sent('of a delivery whose payload cannot be hashed'),
  [STATE.sendForeignRecord]: sent("of a delivery that meets another workflow's record"),
  [STATE.sendPayloadMismatch]: sent('of a delivery with another payload'),
  [STATE.returnResult]: always('returned', 'returned the stored result'),
  [STATE.returnOwnersResult]: (visit, context) =>
    visit.exitedAt === undefined || visit.failures.length > 0
      ? ['returned', `could not read the result in the output of ${ownerIn(context)}${lastFailure(visit)}`]
      : ['returned', `returned the result out of the output of ${ownerIn(context)}`],
  [STATE.readResult]: visit =>
    visit.exitedAt === undefined || wasLeftByAnError(visit)
      ? ['returned', `could not read the result in the bucket${lastFailure(visit)}`]
      : ['returned', 'returned the result out of the bucket'],
  [STATE.returnFailure]: always('returned', 'returned the stored failure'),
  [STATE.foreignRecord]: always('refused', "refused the delivery: the record is another workflow's"),
  [STATE.payloadMismatch]: always(
    'refused',
    'refused the delivery: the key was used before with another payload',
  ),
  [STATE.inProgress]: (_, context) => ['refused', `refused the delivery: ${whyInProgress(context)}`],
  [STATE.refuseInDoubt]: always(
    'refused',
    'refused the delivery: nobody knows whether the step has run; a person decides',
  ),
  [STATE.missingKey]: always('refused', 'refused the delivery: it has no usable key'),
  [STATE.invalidPayload]: always('refused', 'refused the delivery: its payload cannot be hashed'),
  [STATE.redrivesExhausted]: always(
    'refused',
    'refused the delivery: the owner has died after each redrive; a person decides',
  ),
  [STATE.claimContended]: always('refused', 'gave up: the claim did not settle'),
  [STATE.tableRefused]: always('refused', 'gave up: the table refused its request'),
  [STATE.claimLost]: always('refused', 'had run the step, but the record has another owner now'),
  [STATE.resultUnavailable]: always(
    'refused',
    'could not answer: the record does not hold the result, and where it is kept it cannot be read',
  ),
};

function claim(visit: StateVisit, context: TimelineContext): Sentence {
  if (visit.exitedAt === undefined) return ['claimed', `was claiming the key${lastFailure(visit)}`];
  context.attempt = attemptIn(visit);
  if (context.attempt !== undefined)
    return ['claimed', `claimed the key as attempt ${context.attempt}${afterFaults(visit)}`];
  if (wasRefused(visit)) return ['refused', `was refused the key: it has a record${afterFaults(visit)}`];
  if (wasLeftByAnError(visit)) return ['refused', `could not claim a key${lastFailure(visit)}`];
  return visit.hasSucceeded
    ? ['claimed', `claimed the key; the attempt is not in the history${afterFaults(visit)}`]
    : ['passed', 'ended its claim; whether it got the key is not in the history'];
}

function takeOver(visit: StateVisit, context: TimelineContext): Sentence {
  const from = ownerIn(context);
  if (visit.exitedAt === undefined) return ['tookOver', `was taking over from ${from}${lastFailure(visit)}`];
  if (wasRefused(visit)) return ['refused', `did not get to take over from ${from}: the record had changed`];
  if (wasLeftByAnError(visit)) return ['refused', `could not take over from ${from}${lastFailure(visit)}`];
  context.attempt = attemptIn(visit);
  const as =
    context.attempt === undefined ? '; the attempt is not in the history' : ` as attempt ${context.attempt}`;
  return ['tookOver', `took over from ${from}${as}${afterFaults(visit)}`];
}

function redrive(visit: StateVisit, context: TimelineContext): Sentence {
  const owner = ownerIn(context);
  if (visit.exitedAt === undefined)
    return ['redrove', `was redriving the owner ${owner}${lastFailure(visit)}`];
  if (/NotRedrivable/.test(visit.failures.at(-1)?.error ?? '')) {
    context.owner = 'RUNNING';
    return ['redrove', `did not redrive the owner ${owner}: somebody else had, or it had finished`];
  }
  context.owner = wasLeftByAnError(visit) ? NOT_REDRIVEN : 'RUNNING';
  return context.owner === NOT_REDRIVEN
    ? ['redrove', `could not redrive the owner ${owner}${lastFailure(visit)}`]
    : ['redrove', `redrove the owner ${owner}${afterFaults(visit)}`];
}

/** The business step: its result, its error, or that it was cut off. */
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
      return `${owner} owns the key, and the time of its step is not over`;
    case 'RUNNING':
    case 'PENDING_REDRIVE':
      return `${owner} owns the key, and is at work`;
    case NOT_REDRIVEN:
      return `${owner} owns the key; it is dead, and could not be redriven`;
    case 'NOT_FOUND':
      return `${owner} owns the key, and may not be visible yet`;
    default:
      return `${owner} ended so short a time ago that the step it called might still be working`;
  }
}
