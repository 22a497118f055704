import { ERROR, PAYLOAD_OMITTED, resultObjectOf, STATUS } from '../../state-machine/contract/index';
import { executionNameIn, isOfPlace, ownerNameIn } from '../arns';
import { age, dateTime, duration, printable, QUOTED_MAX, shortened } from '../text';
import { failureInWords, failureOf } from './failure';
import type { JudgedKey } from './judge';
import { hasEnded, type Owner } from './judge-owner';
import type { KeyRecovery } from './key-state';
import {
  heldFor,
  isFailureReturned,
  isGone,
  isHeld,
  isUnfinished,
  type KeyRecord,
  releasedBy,
} from './record';
import { heldInWords, nextDeliveryInWords, RECOVERY_DOES } from './what-is-next';

/** Something that is known of a key, in words: its name, and what it says. */
export type KeyFact = readonly [name: string, text: string];

/** What is known of a key with a record, and of its recovery if that was read. */
export function keyFacts(key: JudgedKey, record: KeyRecord): readonly KeyFact[] {
  const { workflow, now } = key;
  const { claimedAt, finishedAt, expiry, leaseExpiry, payload, result } = record;
  const failure = failureOf(record);
  const rows: KeyFact[] = [['status', statusInWords(key, record)]];
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
      `in the owner's output, because it is too long, or not exact as text${remedyForOutput(key)}`,
    ]);
  }
  if (key.isResultUnsent) rows.push(['sent', 'no, or the answer was lost: `onceflow redrive` sends it']);
  // The error of a record that is not finished, or released, is the mark of a release.
  if (failure !== undefined && !isOpen && record.status !== STATUS.released)
    rows.push(['error', shortened(failureInWords(failure), 2 * QUOTED_MAX)]);
  const isOfInterest = key.nextRecovery !== undefined || key.nextDelivery === 'isForeign';
  if (isOfInterest || isHeld(record, workflow) || isAbandoned(key, record)) {
    rows.push(['next', nextDeliveryInWords(key, record)]);
  }
  return [...rows, ...recoveryFacts(key)];
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

/** True if no execution works on the key, or is about to: then an operator wants to know what comes. */
function isAbandoned({ owner, now }: JudgedKey, { status, leaseExpiry }: KeyRecord): boolean {
  if (status !== STATUS.inProgress) return false;
  if (owner.kind === 'express') return leaseExpiry === undefined || leaseExpiry < now;
  return owner.kind === 'dead' || owner.kind === 'unknown' || owner.kind === 'succeeded';
}

function remedyForOutput({ nextDelivery, owner }: JudgedKey): string {
  if (nextDelivery === 'lacksResult') return '';
  return owner.kind === 'dead'
    ? '; the owner ended without it: `onceflow redrive` resumes it'
    : ': `onceflow result` prints it';
}

function statusInWords({ workflow, now, nextDelivery }: JudgedKey, record: KeyRecord): string {
  const { status } = record;
  if (isGone(record, now)) return `${status}, but expired: the next delivery ignores it`;
  if (nextDelivery === 'isForeign') return `${printable(status)}, of another workflow`;
  const held = heldFor(record, workflow);
  if (held !== undefined) {
    return `${status}, held for review (${printable(held)}): ${heldInWords(held).why}; an operator decides`;
  }
  switch (status) {
    case STATUS.inProgress:
      return 'IN_PROGRESS: an execution owns the key and has not finished';
    case STATUS.completed:
      return nextDelivery === 'lacksResult'
        ? 'COMPLETED: the step has run; duplicates fail with Idempotency.ResultUnavailable, because the record does not have its result'
        : 'COMPLETED: the step has run; duplicates get its result';
    case STATUS.failed:
      return `FAILED: the step has failed; ${
        isFailureReturned(record, workflow)
          ? 'later deliveries get its error'
          : 'the next delivery runs it again'
      }`;
    case STATUS.released:
      return `RELEASED, by ${releasedBy(record)}: the next delivery runs the step as attempt ${record.attempt + 1}`;
    case STATUS.releasing:
      return (
        `${STATUS.releasing}: reserved by a release that is running or was interrupted; ` +
        '`onceflow release` continues it'
      );
    default:
      return `${printable(status)}, which this version does not know`;
  }
}

/** The state of the owner, if an operator needs it. */
function ownerInWords({ workflow, owner }: JudgedKey, record: KeyRecord): string {
  if (!isOfPlace(record.owner, workflow.stateMachineArn)) {
    return ': it is not an execution of this account and region, so Step Functions cannot be asked about it';
  }
  const held = heldFor(record, workflow);
  if (held === undefined && !isUnfinished(record)) return '';
  // That the owner of a key in doubt could be redriven is no advice.
  return held === ERROR.inDoubt && owner.kind === 'dead'
    ? `: it ended ${owner.status}`
    : `: ${stateOf(owner)}`;
}

function stateOf(owner: Owner): string {
  switch (owner.kind) {
    case 'alive':
      return `it is ${owner.status}`;
    case 'succeeded':
      return 'it has succeeded';
    case 'mayStillWork':
      return `it ended ${owner.status}, and its step might still be running until ${dateTime(owner.until)}`;
    case 'dead':
      return `it ended ${owner.status}${owner.isRedrivable ? ', and can be redriven' : ', and cannot be redriven'}`;
    case 'unknown':
      return 'Step Functions does not know it, or no longer knows it';
    case 'notVisibleYet':
      return 'Step Functions does not know it yet';
    case 'express':
      return 'an Express execution, which Step Functions does not keep';
  }
}

function moment(at: string | number, now: number): string {
  const ms = new Date(at).getTime();
  return Number.isNaN(ms) ? printable(String(at)) : `${dateTime(at)}, ${age(ms, now)}`;
}

/** What recovery does about the owner, and when, and the execution of it that a delivery has started. */
function recoveryFacts(judged: JudgedKey): readonly KeyFact[] {
  if (judged.recovery === undefined) return [];
  const { stateMachine, execution } = judged.recovery;
  const said = judged.workflow.prefix === '' ? recoveryOfWorkflow(judged) : recoveryOfTeamsMachine(judged);
  const name = printable(stateMachine);
  const started = execution && `a delivery has started ${startedInWords(execution)}`;
  if (said !== undefined) return [['recovery', `${name} ${said}${started ? `; ${started}` : ''}`]];
  return started === undefined ? [] : [['recovery', `${name}: ${started}`]];
}

function startedInWords({ executionArn = '', status, error }: NonNullable<KeyRecovery['execution']>): string {
  const ended = status === undefined ? 'which cannot be read' : `which is ${status}`;
  return `${executionNameIn(executionArn)} of it, ${ended}${error === undefined ? '' : ` with ${printable(error)}`}`;
}

function recoveryOfWorkflow({ owner, now, nextRecovery }: JudgedKey): string | undefined {
  if (nextRecovery === undefined) return undefined;
  const { does, from, isAutomatic } = nextRecovery;
  if (!isAutomatic) {
    const isStopped = 'error' in owner && owner.error === ERROR.stopped;
    const why = isStopped
      ? 'leaves the owner alone, because it was stopped for good, until a delivery starts recovery; then it '
      : '';
    return `${why}${RECOVERY_DOES[does]}${isStopped ? '' : ', when a delivery has started it'}`;
  }
  if (from === undefined) return RECOVERY_DOES[does];
  return from > now
    ? `${RECOVERY_DOES[does]}, some seconds after ${dateTime(from)}`
    : `${RECOVERY_DOES[does]}: due since ${dateTime(from)}; if it does not, the next delivery starts it again`;
}

function recoveryOfTeamsMachine({ owner }: JudgedKey): string | undefined {
  if (!hasEnded(owner)) return undefined;
  if (owner.error === ERROR.stopped) return 'leaves the owner alone: it was stopped for good';
  const when =
    owner.kind === 'mayStillWork'
      ? `some ten seconds after ${dateTime(owner.until)}`
      : 'some ten seconds after the timeout of its step, then after a minute, two, four, up to an hour';
  return `redelivers the input of the owner ${when}`;
}
