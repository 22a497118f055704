import type { EpochMs } from '../../state-machine/contract/index';
import { STATUS } from '../../state-machine/contract/index';
import type { Owner } from '../owner';
import { failureOf, isGone, isParked, isReleased, type SeenRecord } from '../record';
import { HELD } from '../release/plan';
import { executionNameIn, printable, QUOTED_MAX, shortened } from '../text';
import { age, dateTime, duration } from '../time-text';

/** The record in words: each fact's name, and what it says. */
export function recordFacts(record: SeenRecord, owner: Owner | undefined, now: EpochMs) {
  const { claimedAt, finishedAt, expiry, leaseExpiry, result } = record;
  const failure = failureOf(record);
  const rows: (readonly [string, string])[] = [['status', statusInWords(record, now)]];
  const ownerText = owner === undefined ? '' : `: ${ownerInWords(owner)}`;
  rows.push(['owner', `${printable(executionNameIn(record.owner))}, attempt ${record.attempt}${ownerText}`]);
  if (claimedAt !== undefined) rows.push(['claimed', moment(claimedAt, now)]);
  if (finishedAt !== undefined) {
    const took = Date.parse(finishedAt) - Date.parse(claimedAt ?? '');
    rows.push([
      'finished',
      `${moment(finishedAt, now)}${took >= 0 ? `, ${duration(took)} after the claim` : ''}`,
    ]);
  }
  if (leaseExpiry !== undefined) rows.push(['lease', `until ${moment(leaseExpiry, now)}`]);
  if (expiry !== undefined) rows.push(['expires', moment(expiry * 1000, now)]);
  else if (record.status !== STATUS.inProgress) rows.push(['expires', 'never']);
  if (typeof result === 'string') rows.push(['result', shortened(result, QUOTED_MAX)]);
  if (result === null) rows.push(['result', "in the owner's output: too long, or not exact as text"]);
  if (failure !== undefined) {
    const said = [failure.error, failure.cause].filter(text => text !== '').join(': ');
    rows.push(['error', shortened(said, 2 * QUOTED_MAX)]);
  }
  const advice = adviceOn(record, owner);
  if (advice !== undefined) rows.push(['next', advice]);
  return rows;
}

function adviceOn(record: SeenRecord, owner: Owner | undefined): string | undefined {
  if (isParked(record)) return 'find out what the step did; if it may run again: `onceflow release`';
  if (owner?.kind !== 'dead') return undefined;
  return owner.isRedrivable && !owner.hasGivenUp
    ? 'the next delivery redrives the owner; `onceflow redrive` does it now'
    : 'the next delivery takes over';
}

function statusInWords(record: SeenRecord, now: EpochMs): string {
  const { status } = record;
  if (isGone(record, now))
    return `${status}, but expired: to the next delivery it is as if it were not there`;
  if (isParked(record))
    return 'FAILED, in doubt (parked): nobody knows whether the step has run; a person decides';
  if (isReleased(record)) return 'FAILED, released by a person: the next delivery runs the step again';
  switch (status) {
    case STATUS.inProgress:
      return 'IN_PROGRESS: an execution owns the key and has not finished';
    case STATUS.completed:
      return 'COMPLETED: the step has run; duplicates get its result';
    case STATUS.failed:
      return 'FAILED: the step has not succeeded';
    case HELD:
      return `${HELD}: held back by a release that is under way, or was broken off; \`onceflow release\` goes on from here`;
    default:
      return `${printable(status)}, which this version does not know`;
  }
}

function ownerInWords(owner: Owner): string {
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
