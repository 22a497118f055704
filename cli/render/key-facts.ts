import { STATUS } from '../../state-machine/contract/index';
import type { Situation } from '../key/inspect';
import { nextDelivery, nextInWords } from '../key/judge';
import { failureInWords, failureOf, isGone, isParked, isReleased, type SeenRecord } from '../key/record';
import type { Owner } from '../owner';
import { HELD, isUnfinished } from '../release/held';
import { executionNameIn, printable, QUOTED_MAX, shortened } from '../text';
import { age, dateTime, duration } from '../time-text';

/** The record in words: each fact's name, and what it says. */
export function recordFacts(situation: Situation, record: SeenRecord) {
  const { workflow, now } = situation;
  const { claimedAt, finishedAt, expiry, leaseExpiry, result } = record;
  const failure = failureOf(record);
  const rows: (readonly [string, string])[] = [['status', statusInWords(situation, record)]];
  const owner = printable(executionNameIn(record.owner));
  rows.push(['owner', `${owner}, attempt ${record.attempt}${ownerInWords(situation, record)}`]);
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
  if (typeof result === 'string') rows.push(['result', shortened(result, QUOTED_MAX)]);
  if (result === null) rows.push(['result', "in the owner's output: too long, or not exact as text"]);
  // What is noted of a release that is not made yet is none.
  if (failure !== undefined && !isOpen)
    rows.push(['error', shortened(failureInWords(failure), 2 * QUOTED_MAX)]);
  if (isParked(record, workflow) || isAbandoned(situation, record)) {
    rows.push(['next', nextInWords(nextDelivery(situation), record)]);
  }
  return rows;
}

/** Whether nobody is at work, or about to be: then a person wants to know what may come. */
function isAbandoned({ owner, now }: Situation, { status, leaseExpiry }: SeenRecord): boolean {
  if (status !== STATUS.inProgress) return false;
  if (owner.kind === 'express') return leaseExpiry === undefined || leaseExpiry < now;
  return owner.kind === 'dead' || owner.kind === 'unknown' || owner.kind === 'succeeded';
}

function statusInWords({ workflow, now }: Situation, record: SeenRecord): string {
  const { status } = record;
  if (isGone(record, now))
    return `${status}, but expired: to the next delivery it is as if it were not there`;
  if (isParked(record, workflow))
    return 'FAILED, in doubt (parked): nobody knows whether the step has run; a person decides';
  if (isReleased(record)) return 'FAILED, released by a person: the next delivery runs the step again';
  switch (status) {
    case STATUS.inProgress:
      return 'IN_PROGRESS: an execution owns the key and has not finished';
    case STATUS.completed:
      return 'COMPLETED: the step has run; duplicates get its result';
    case STATUS.failed:
      return `FAILED: the step has failed; ${
        workflow.returnsStoredFailure ? 'later deliveries get its error' : 'the next delivery runs it again'
      }`;
    case HELD:
      return `${HELD}: held back by a release that is under way, or was broken off; \`onceflow release\` goes on from here`;
    default:
      return `${printable(status)}, which this version does not know`;
  }
}

/** How the owner is, where that matters to a person. */
function ownerInWords({ workflow, owner }: Situation, record: SeenRecord): string {
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
