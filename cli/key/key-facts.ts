import { PAYLOAD_OMITTED, resultObjectOf, STATUS } from '../../state-machine/contract/index';
import { age, dateTime, duration, isOfPlace, ownerNameIn, printable, QUOTED_MAX, shortened } from '../text';
import type { JudgedKey, NextDelivery, Owner } from './judge';
import {
  failureInWords,
  failureOf,
  isGone,
  isParked,
  isReleased,
  isUnfinished,
  type KeyRecord,
  RELEASING,
} from './record';
import { isResultUnsent } from './redrive-plan';

/** What is known of a key with a record, in words: each fact's name, and what it says. */
export function keyFacts(key: JudgedKey, record: KeyRecord) {
  const { workflow, now } = key;
  const { claimedAt, finishedAt, expiry, leaseExpiry, payload, result } = record;
  const failure = failureOf(record);
  const rows: (readonly [string, string])[] = [['status', statusInWords(key, record)]];
  const owner = printable(ownerNameIn(record.owner, workflow.stateMachineArn));
  rows.push(['owner', `${owner}, attempt ${record.attempt}${ownerInWords(key, record)}`]);
  if (claimedAt !== undefined) rows.push(['claimed', moment(claimedAt, now)]);
  if (finishedAt !== undefined) {
    const took = Date.parse(finishedAt) - Date.parse(claimedAt ?? '');
    rows.push([
      'finished',
      `${moment(finishedAt, now)}${took >= 0 ? `, ${duration(took)} after the claim` : ''}`,
    ]);
  }
  const isOpen = isUnfinished(record);
  if (isOpen && leaseExpiry !== undefined) rows.push(['lease', `until ${moment(leaseExpiry, now)}`]);
  if (expiry !== undefined) rows.push(['expires', moment(expiry * 1000, now)]);
  else if (!isOpen) rows.push(['expires', 'never']);
  if (payload !== undefined) rows.push(['payload', payloadInWords(payload)]);
  const object = resultObjectOf({ ...record, idempotencyKey: record.recordKey, result: result ?? undefined });
  if (object)
    rows.push([
      'result',
      `${printable(`s3://${object.bucket}/${object.key}`)}: \`onceflow result\` prints it`,
    ]);
  else if (typeof result === 'string') rows.push(['result', shortened(result, QUOTED_MAX)]);
  else if (result === null) {
    rows.push([
      'result',
      `in the owner's output, as it is too long, or not exact as text${remedyForOutput(key)}`,
    ]);
  }
  if (isResultUnsent(key)) rows.push(['sent', 'no, or the answer was lost: `onceflow redrive` sends it']);
  // The error of a record that is not finished is the mark of a release that is under way.
  if (failure !== undefined && !isOpen)
    rows.push(['error', shortened(failureInWords(failure), 2 * QUOTED_MAX)]);
  if (isParked(record, workflow) || isAbandoned(key, record) || key.nextDelivery === 'isForeign') {
    rows.push(['next', nextInWords(key.nextDelivery, record)]);
  }
  return rows;
}

function payloadInWords(payload: string): string {
  switch (payload) {
    case PAYLOAD_OMITTED.tooLong:
      return 'not kept: too long';
    case PAYLOAD_OMITTED.notRedacted:
      return 'not kept: its redaction gave nothing';
    default:
      return shortened(payload, 2 * QUOTED_MAX);
  }
}

/** What to do about a record of another workflow. */
export const FOREIGN_REMEDY =
  'give each workflow a `scope` of its own, or list the state machine in `formerStateMachines` where it was this ' +
  "workflow's";

/** What the next delivery of a key does, as a sentence, with what a person can do. */
export function nextDeliveryInWords(key: JudgedKey, record: KeyRecord): string {
  const isLeftAlone =
    key.nextDelivery === 'isRefused' && !isParked(record, key.workflow) && isAtWork(key.owner);
  return isLeftAlone
    ? 'the next delivery fails with Idempotency.InProgress, or waits: the owner is left alone'
    : nextInWords(key.nextDelivery, record);
}

/** Whether an owner lives, or its step may still be running: deliveries leave it alone. */
function isAtWork({ kind }: Owner): boolean {
  return kind === 'alive' || kind === 'mayStillWork' || kind === 'notVisibleYet' || kind === 'express';
}

/** What the next delivery does to an unfinished or parked record, as a sentence, with what a person can do. */
export function nextInWords(next: NextDelivery, { attempt }: KeyRecord): string {
  switch (next) {
    case 'claims':
      return 'the next delivery claims the key anew';
    case 'returnsResult':
      return 'the next delivery gets the result';
    case 'lacksResult':
      return "the next delivery fails with Idempotency.ResultUnavailable: the result is in the owner's execution alone";
    case 'returnsFailure':
      return 'the next delivery gets the same failure';
    case 'takesOver':
      return `the next delivery takes over, and runs the step as attempt ${attempt + 1}`;
    case 'redrives':
      return 'the next delivery redrives the owner; `onceflow redrive` does it now';
    case 'redrivesExhausted':
      return (
        'deliveries fail with Idempotency.RedrivesExhausted: the owner has died after each redrive; find out why, ' +
        'then `onceflow redrive`, or `onceflow release` where the step may run again'
      );
    case 'finishes':
      return "the next delivery finishes the record: the owner's output is the result";
    case 'parks':
      return 'the next delivery parks the key: find out what the step did; if it may run again: `onceflow release`';
    case 'isForeign':
      return `deliveries fail with Idempotency.ForeignRecord: the record is another workflow's; ${FOREIGN_REMEDY}`;
    case 'isRefused':
      return 'deliveries are refused until a person frees the key: find out what the step did; then `onceflow release`';
  }
}

/** Whether nobody is at work, or about to be: then a person wants to know what may come. */
function isAbandoned({ owner, now }: JudgedKey, { status, leaseExpiry }: KeyRecord): boolean {
  if (status !== STATUS.inProgress) return false;
  if (owner.kind === 'express') return leaseExpiry === undefined || leaseExpiry < now;
  return owner.kind === 'dead' || owner.kind === 'unknown' || owner.kind === 'succeeded';
}

function remedyForOutput({ nextDelivery, owner }: JudgedKey): string {
  if (nextDelivery === 'lacksResult') return '';
  return owner.kind === 'dead'
    ? '; that ended without it: `onceflow redrive` brings it back'
    : ': `onceflow result` prints it';
}

function statusInWords({ workflow, now, nextDelivery }: JudgedKey, record: KeyRecord): string {
  const { status } = record;
  if (isGone(record, now))
    return `${status}, but expired: to the next delivery it is as if it were not there`;
  if (nextDelivery === 'isForeign') return `${printable(status)}, of another workflow`;
  if (isParked(record, workflow))
    return 'FAILED, in doubt (parked): nobody knows whether the step has run; a person decides';
  if (isReleased(record)) return 'FAILED, released by a person: the next delivery runs the step again';
  switch (status) {
    case STATUS.inProgress:
      return 'IN_PROGRESS: an execution owns the key and has not finished';
    case STATUS.completed:
      return nextDelivery === 'lacksResult'
        ? 'COMPLETED: the step has run; duplicates fail with Idempotency.ResultUnavailable, as its result is not in the record'
        : 'COMPLETED: the step has run; duplicates get its result';
    case STATUS.failed:
      return `FAILED: the step has failed; ${
        workflow.returnsStoredFailure ? 'later deliveries get its error' : 'the next delivery runs it again'
      }`;
    case RELEASING:
      return (
        `${RELEASING}: reserved by a release that is under way, or was broken off; ` +
        '`onceflow release` goes on from here'
      );
    default:
      return `${printable(status)}, which this version does not know`;
  }
}

/** How the owner is, where that matters to a person. */
function ownerInWords({ workflow, owner }: JudgedKey, record: KeyRecord): string {
  if (!isOfPlace(record.owner, workflow.stateMachineArn)) {
    return ': that is no execution of this account and region, so nobody can be asked about it';
  }
  const parked = isParked(record, workflow);
  if (!parked && !isUnfinished(record)) return '';
  // That the owner of a parked key could be redriven is no advice.
  return parked && owner.kind === 'dead' ? `: it ended ${owner.status}` : `: ${stateOf(owner)}`;
}

function stateOf(owner: Owner): string {
  switch (owner.kind) {
    case 'alive':
      return `it is ${owner.status}`;
    case 'succeeded':
      return 'it has succeeded';
    case 'mayStillWork':
      return `it ended ${owner.status}, and its step may still be working until ${dateTime(owner.until)}`;
    case 'dead':
      return `it ended ${owner.status}${owner.isRedrivable ? ', and can be redriven' : ', and cannot be redriven'}`;
    case 'unknown':
      return 'Step Functions does not know it (any more)';
    case 'notVisibleYet':
      return 'Step Functions does not know it yet';
    case 'express':
      return 'an Express execution, which nobody can ask about';
  }
}

function moment(at: string | number, now: number): string {
  const ms = new Date(at).getTime();
  return Number.isNaN(ms) ? printable(String(at)) : `${dateTime(at)}, ${age(ms, now)}`;
}
