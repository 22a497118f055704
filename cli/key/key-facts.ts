import { ERROR, PAYLOAD_OMITTED, resultObjectOf, STATUS } from '../../state-machine/contract/index';
import { isInAccountOf, ownerNameIn } from '../arns';
import { age, dateTime, duration, printable, QUOTED_MAX, shortened } from '../text';
import { errorNamedIn, failureInWords, failureOf } from './failure';
import type { JudgedKey } from './judge';
import type { Owner } from './judge-owner';
import { completedBy } from './operator/completion';
import { reservationOf, reservedInWords } from './operator/reservation';
import {
  heldFor,
  isFailureReturned,
  isGone,
  isHeld,
  isUnfinished,
  type KeyRecord,
  releasedBy,
} from './record';
import { type KeyFact, nextFacts, STOPPED_FOR_GOOD } from './what-is-next';

/** The facts of a key with a record, and of its recovery if that was read, without absent ones, in this order. */
export function keyFacts(key: JudgedKey, record: KeyRecord): readonly KeyFact[] {
  const { now } = key;
  const { claimedAt, leaseExpiry, expiry, payload } = record;
  const isOpen = isUnfinished(record);
  const facts: readonly (readonly [name: string, text: string | undefined])[] = [
    ['status', statusInWords(key, record)],
    ['owner', ownerInWords(key, record)],
    ['claimed', claimedAt === undefined ? undefined : moment(claimedAt, now)],
    ['finished', finishInWords(key, record)],
    ['lease', isOpen && leaseExpiry !== undefined ? `until ${moment(leaseExpiry, now)}` : undefined],
    ['expires', expiry !== undefined ? moment(expiry * 1000, now) : isOpen ? undefined : 'never'],
    ['key', uncheckedInWords(key)],
    ['payload', payload === undefined ? undefined : payloadInWords(payload)],
    ['result', resultInWords(key, record)],
    ['sent', key.isResultUnsent ? 'no, or the answer was lost: `onceflow redrive` sends it' : undefined],
    ['error', errorInWords(key, record)],
  ];
  const known = facts.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]));
  return [...known, ...nextFacts(key, record)];
}

function uncheckedInWords({ workflow: { uncheckedKey } }: JudgedKey): string | undefined {
  return uncheckedKey === undefined ? undefined : `unchecked: ${printable(uncheckedKey)}`;
}

function finishInWords({ now }: JudgedKey, { claimedAt, finishedAt }: KeyRecord): string | undefined {
  if (finishedAt === undefined) return undefined;
  const took = Date.parse(finishedAt) - Date.parse(claimedAt ?? '');
  return `${moment(finishedAt, now)}${took >= 0 ? `, ${duration(took)} after the claim` : ''}`;
}

function resultInWords(key: JudgedKey, record: KeyRecord): string | undefined {
  const { recordKey, result } = record;
  const object = resultObjectOf({ ...record, idempotencyKey: recordKey, result: result ?? undefined });
  if (object) return `${printable(`s3://${object.bucket}/${object.key}`)}: \`onceflow result\` prints it`;
  if (result !== null) return result === undefined ? undefined : shortened(result, QUOTED_MAX);
  return `in the owner's output, because it is too long, or not exact as text${remedyForOutput(key)}`;
}

/**
 * The error that the record holds. That of an unfinished or released record is the mark of a release. The status has
 * that of a held record, and says what to do: its cause only names the error of the step.
 */
function errorInWords({ workflow }: JudgedKey, record: KeyRecord): string | undefined {
  const failure = failureOf(record);
  const isMark = isUnfinished(record) || record.status === STATUS.released;
  if (isHeld(record, workflow)) return failure && errorNamedIn(failure.cause);
  return failure === undefined || isMark ? undefined : shortened(failureInWords(failure), 2 * QUOTED_MAX);
}

function payloadInWords(payload: string): string {
  switch (payload) {
    case PAYLOAD_OMITTED.tooLong:
      return 'not stored: too long';
    case PAYLOAD_OMITTED.notExact:
      return 'not stored: a number in it has more than 15 digits';
    case PAYLOAD_OMITTED.notRedacted:
      return 'not stored: its redaction expression returned nothing';
    default:
      return shortened(payload, 2 * QUOTED_MAX);
  }
}

function remedyForOutput({ nextDelivery, owner }: JudgedKey): string {
  if (nextDelivery === 'resultUnavailable') return '';
  return owner.kind === 'ended'
    ? '; the owner ended without it: `onceflow redrive` resumes it'
    : ': `onceflow result` prints it';
}

function statusInWords({ workflow, now, nextDelivery }: JudgedKey, record: KeyRecord): string {
  const { status } = record;
  if (isGone(record, now)) return `${status}, but expired: the next delivery ignores it`;
  if (nextDelivery === 'foreignRecord') {
    return `${printable(status)}, of another ${record.form === undefined ? 'workflow' : 'version'}`;
  }
  const held = heldFor(record, workflow);
  if (held !== undefined) {
    return `${status}, held for review (${printable(held)}): ${whyHeld(held)}; an operator decides`;
  }
  switch (status) {
    case STATUS.inProgress:
      return 'IN_PROGRESS: an execution owns the key and has not finished';
    case STATUS.completed: {
      const by = completedBy(record);
      if (by !== undefined) return `COMPLETED by ${printable(by)}; duplicates get the result`;
      return nextDelivery === 'resultUnavailable'
        ? 'COMPLETED: the step has run; duplicates fail with Idempotency.ResultUnavailable, because the record does not have its result'
        : 'COMPLETED: the step has run; duplicates get its result';
    }
    case STATUS.failed:
      return `FAILED: the step has failed; ${
        isFailureReturned(record, workflow)
          ? 'later deliveries get its error'
          : 'the next delivery runs it again'
      }`;
    case STATUS.released:
      return `RELEASED, by ${releasedBy(record)}: the next delivery runs the step as attempt ${record.attempt + 1}`;
    default: {
      const reservation = reservationOf(record);
      return reservation === undefined
        ? `${printable(status)}, which this version does not know`
        : `${status}: ${reservedInWords(reservation)}`;
    }
  }
}

function ownerInWords(key: JudgedKey, record: KeyRecord): string {
  const name = printable(ownerNameIn(record.owner, key.workflow.stateMachineArn));
  return `${name}, attempt ${record.attempt}${ownerStateInWords(key, record)}`;
}

/** Why a record is held with this error. */
export function whyHeld(error: string): string {
  if (error === ERROR.redrivesExhausted) return 'the owner failed again after each redrive';
  return error === ERROR.resultUnavailable
    ? 'the step has run, and its result is lost'
    : 'the step might have run';
}

/** The state of the owner, if an operator needs it. */
function ownerStateInWords({ workflow, owner }: JudgedKey, record: KeyRecord): string {
  if (!isInAccountOf(record.owner, workflow.stateMachineArn)) {
    return ': it is not an execution of this account and region, so Step Functions cannot be asked about it';
  }
  const held = heldFor(record, workflow);
  if (held === undefined && !isUnfinished(record)) return '';
  // A possible redrive of the owner of a key in doubt is not advice.
  return held === ERROR.inDoubt && owner.kind === 'ended'
    ? `: it ended ${owner.status}`
    : `: ${stateOf(owner)}`;
}

function stateOf(owner: Owner): string {
  switch (owner.kind) {
    case 'running':
      return `it is ${owner.status}`;
    case 'succeeded':
      return 'it has succeeded';
    case 'mayStillWork':
      return `it ended ${owner.status}, and its step might still be running until ${dateTime(owner.until)}${forGood(owner)}`;
    case 'ended':
      return `it ended ${owner.status}, and ${owner.isRedrivable ? 'can' : 'cannot'} be redriven${forGood(owner)}`;
    case 'unknown':
      return 'Step Functions does not know it, or no longer knows it';
    case 'notVisibleYet':
      return 'Step Functions does not know it yet';
    case 'express':
      return 'an Express execution, which Step Functions does not keep';
  }
}

function forGood({ error }: { readonly error: string | undefined }): string {
  return error === ERROR.stopped ? `; it is ${STOPPED_FOR_GOOD}` : '';
}

function moment(at: string | number, now: number): string {
  const ms = new Date(at).getTime();
  return Number.isNaN(ms) ? printable(String(at)) : `${dateTime(at)}, ${age(ms, now)}`;
}
