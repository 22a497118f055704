import { ERROR, STATUS } from '../../state-machine/contract/index';
import type { Visit } from '../key/history';
import { failureOf } from '../key/record';
import { executionNameIn, QUOTED_MAX, shortened } from '../text';
import { duration, timeOfDay } from '../time-text';
import type { Chapter, Entry, EntryKind, RecordRead } from './events';
import { businessStep, lastFailure, plural } from './words';

type Teller = (visit: Visit, chapter: Chapter) => Told | undefined;
type Told = readonly [kind: EntryKind, text: string];

/** What a stay in a state means, in words; a Choice is told by where it leads. */
export function sentencesFor(visit: Visit, chapter: Chapter): readonly Entry[] {
  const teller = visit.isOurs ? TELLERS[visit.name] : undefined;
  const told = teller?.(visit, chapter);
  if (told === undefined)
    return visit.isOurs ? [] : [entry(visit, ['passed', `went through "${visit.name}"`])];
  return [entry(visit, told)];
}

// A thing that was done is told when it was done, one that was not ended when it was begun.
function entry(visit: Visit, [kind, text]: Told): Entry {
  return { at: visit.exitedAt ?? visit.enteredAt, kind, text };
}

/** Said of an owner that is dead still. */
const NOT_REDRIVEN = 'NOT_REDRIVEN';
const CONDITION_FAILED = 'DynamoDB.ConditionalCheckFailedException';

function wasRefused(visit: Visit): boolean {
  return visit.failures.at(-1)?.error === CONDITION_FAILED;
}

/** Its last try failed, for good: the error led elsewhere. */
function wasLeftByAnError({ failures, hasSucceeded, exitedAt }: Visit): boolean {
  return exitedAt !== undefined && failures.length > 0 && hasSucceeded !== true;
}

/** Faults that went before: a write that was tried several times may have been made by any of them. */
function afterFaults({ failures }: Visit): string {
  const faults = failures.filter(({ error }) => error !== CONDITION_FAILED);
  const last = faults.at(-1);
  return last === undefined
    ? ''
    : `, after ${plural(faults.length, 'failed try', 'failed tries')} (${last.error})`;
}

/** A finalizing write: what it says when it was made, refused, or not brought to its end. */
function written(kind: EntryKind, done: string, refused: string): Teller {
  return visit => {
    if (visit.exitedAt === undefined) return [kind, `was to write that ${done}${afterFaults(visit)}`];
    if (wasRefused(visit)) return ['refused', refused];
    return wasLeftByAnError(visit)
      ? ['refused', `could not write that ${done}${lastFailure(visit)}`]
      : [kind, `wrote that ${done}${afterFaults(visit)}`];
  };
}

const TELLERS: Readonly<Record<string, Teller>> = {
  'Claim record': (visit, chapter) => {
    if (visit.exitedAt === undefined) return ['claimed', `was claiming the key${lastFailure(visit)}`];
    if (visit.variables['attempt'] !== undefined) {
      chapter.attempt = Number(visit.variables['attempt']);
      return ['claimed', `claimed the key as attempt ${chapter.attempt}${afterFaults(visit)}`];
    }
    if (wasRefused(visit)) return ['refused', `was refused the key: it has a record${afterFaults(visit)}`];
    return ['refused', `could not claim a key${lastFailure(visit)}`];
  },
  'Read record': (visit, chapter) => {
    if (visit.exitedAt === undefined) return ['read', `was reading the record${lastFailure(visit)}`];
    chapter.record = visit.variables['record'] as RecordRead | undefined;
    chapter.owner = undefined;
    return ['read', `read the record: ${recordInWords(chapter)}${afterFaults(visit)}`];
  },
  'Ask about the owner': (visit, chapter) => {
    const owner = ownerIn(chapter);
    if (visit.exitedAt === undefined)
      return ['asked', `was asking about the owner ${owner}${lastFailure(visit)}`];
    const seen = ownerSeen(visit);
    chapter.owner = String(seen['status'] ?? '');
    return ['asked', `asked about the owner ${owner}: ${ownerInWords(seen)}`];
  },
  "Read the owner's history": visit => {
    const place = visit.variables['place'] as
      | { readonly state?: string; readonly isLeft?: boolean }
      | undefined;
    if (place?.state === undefined)
      return ['asked', "read the owner's history, which does not tell where it stopped"];
    return [
      'asked',
      `saw in its history that the owner stopped ${place.isLeft ? 'after' : 'in'} "${place.state}"`,
    ];
  },
  'Redrive the owner': (visit, chapter) => {
    const owner = ownerIn(chapter);
    if (visit.exitedAt === undefined)
      return ['redrove', `was redriving the owner ${owner}${lastFailure(visit)}`];
    if (/NotRedrivable/.test(visit.failures.at(-1)?.error ?? '')) {
      chapter.owner = 'RUNNING';
      return ['redrove', `did not redrive the owner ${owner}: somebody else had, or it had finished`];
    }
    chapter.owner = wasLeftByAnError(visit) ? NOT_REDRIVEN : 'RUNNING';
    return chapter.owner === NOT_REDRIVEN
      ? ['redrove', `could not redrive the owner ${owner}${lastFailure(visit)}`]
      : ['redrove', `redrove the owner ${owner}${afterFaults(visit)}`];
  },
  'Park the record': (visit, chapter) =>
    written(
      'parked',
      `the key is in doubt (parked): its owner ${ownerIn(chapter)} died within the step`,
      'did not park the record: it had changed meanwhile',
    )(visit, chapter),
  'Take over': (visit, chapter) => {
    const from = ownerIn(chapter);
    if (visit.exitedAt === undefined)
      return ['tookOver', `was taking over from ${from}${lastFailure(visit)}`];
    if (wasRefused(visit))
      return ['refused', `did not get to take over from ${from}: the record had changed`];
    chapter.attempt = Number(visit.variables['attempt'] ?? 0);
    return ['tookOver', `took over from ${from} as attempt ${chapter.attempt}${afterFaults(visit)}`];
  },
  'Business step': businessStep,
  'Let the step end': visit =>
    visit.exitedAt === undefined
      ? ['waited', 'was waiting until the step had certainly ended']
      : ['waited', `waited ${lasted(visit)} until the step had certainly ended`],
  'Wait for the owner': visit =>
    visit.exitedAt === undefined
      ? ['waited', 'was waiting for the owner']
      : ['waited', `waited ${lasted(visit)} for the owner`],
  'Finalize: completed': written(
    'finalized',
    'the key is COMPLETED, with the result',
    'could not write its result: the record has another owner',
  ),
  'Finalize: result elsewhere': written(
    'finalized',
    'the key is COMPLETED, its result in the output of this execution',
    'could not write that it is done: the record has another owner',
  ),
  'Finalize for the owner': (visit, chapter) =>
    written(
      'finalized',
      `the key is COMPLETED, for ${ownerIn(chapter)}, which had succeeded and left it IN_PROGRESS`,
      'did not finish the record for its owner: it had changed meanwhile',
    )(visit, chapter),
  'Finalize: failed': written(
    'finalized',
    'the key has FAILED',
    'did not write its failure: the record has another owner',
  ),
  'Finalize: in doubt': written(
    'parked',
    'the key is in doubt (parked)',
    'did not park the record: somebody else had changed it',
  ),
  'Return stored result': () => ['returned', 'returned the stored result'],
  "Return the owner's result": (visit, chapter) =>
    visit.exitedAt === undefined || visit.failures.length > 0
      ? ['returned', `could not read the result in the output of ${ownerIn(chapter)}${lastFailure(visit)}`]
      : ['returned', `returned the result out of the output of ${ownerIn(chapter)}`],
  'Return stored failure': () => ['returned', 'returned the stored failure'],
  'Payload mismatch': () => ['refused', 'refused the delivery: the key was used before with another payload'],
  'In progress': (_, chapter) => ['refused', `refused the delivery: ${whyInProgress(chapter)}`],
  'In doubt': () => [
    'refused',
    'refused the delivery: nobody knows whether the step has run; a person decides',
  ],
  'Missing key': () => ['refused', 'refused the delivery: it has no usable key'],
  'Invalid payload': () => ['refused', 'refused the delivery: its payload cannot be hashed'],
  'Claim contended': () => ['refused', 'gave up: the claim did not settle'],
  'Claim lost': () => ['refused', 'had run the step, but the record has another owner now'],
  'Stored result unavailable': () => [
    'refused',
    "could not answer: the result is in the owner's output, and unreadable",
  ],
};

function lasted({ enteredAt, exitedAt }: Visit): string {
  return duration((exitedAt?.getTime() ?? 0) - enteredAt.getTime());
}

function ownerIn({ record, me }: Chapter): string {
  const owner = record?.['owner']?.S;
  if (owner === undefined) return 'the owner';
  return owner === me ? 'this execution' : executionNameIn(owner);
}

function recordInWords(chapter: Chapter): string {
  const { record } = chapter;
  const status = record?.['status']?.S;
  if (record === undefined || status === undefined) return 'there is none';
  const attempt = record['attempt']?.N ?? '?';
  const claimedAt = record['claimedAt']?.S;
  const since = claimedAt === undefined ? '' : `, claimed ${timeOfDay(claimedAt)}`;
  const failure = status === STATUS.failed ? failureOf({ error: record['error']?.S }) : undefined;
  const what = failure === undefined ? status : `${status} with ${shortened(failure.error, QUOTED_MAX)}`;
  const parked = failure?.error === ERROR.inDoubt ? ' (parked)' : '';
  return `${what}${parked}, owner ${ownerIn(chapter)}, attempt ${attempt}${since}`;
}

function whyInProgress(chapter: Chapter): string {
  const owner = ownerIn(chapter);
  switch (chapter.owner) {
    case undefined:
    case '':
      return `${owner} owns the key, and is not done`;
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

function ownerSeen({ variables }: Visit): Readonly<Record<string, unknown>> {
  return (variables['owner'] ?? {}) as Readonly<Record<string, unknown>>;
}

function ownerInWords(owner: Readonly<Record<string, unknown>>): string {
  const status = String(owner['status'] ?? 'nothing is known');
  if (status === 'NOT_FOUND') return 'Step Functions does not know it';
  const stopped = typeof owner['stopDate'] === 'string' ? ` at ${timeOfDay(owner['stopDate'])}` : '';
  const error = typeof owner['error'] === 'string' ? ` with ${shortened(owner['error'], QUOTED_MAX)}` : '';
  const redrives = Number(owner['redriveCount'] ?? 0);
  const before = redrives > 0 ? `, redriven ${plural(redrives, 'time', 'times')}` : '';
  const canGoOn = owner['redriveStatus'] === 'REDRIVABLE' ? ', can be redriven' : '';
  return `${status}${error}${stopped}${before}${canGoOn}`;
}
