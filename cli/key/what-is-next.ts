import { ERROR, STATUS } from '../../state-machine/contract/index';
import { executionNameIn } from '../arns';
import { dateTime, duration, printable } from '../text';
import type { JudgedKey, NextRecovery } from './judge';
import { endedWithoutSuccess } from './judge-owner';
import type { KeyRecovery } from './key-state';
import { reservationOf } from './operator/reservation';
import { heldFor, isHeld, type KeyRecord } from './record';

/** Something that is known of a key, in words: its name, and what it says. */
export type KeyFact = readonly [name: string, text: string];

/** What the next delivery and recovery do about a key, as facts: only what an operator wants to know. */
export function nextFacts(key: JudgedKey, record: KeyRecord): readonly KeyFact[] {
  const { workflow, nextDelivery, nextRecovery } = key;
  const isOfInterest = nextRecovery !== undefined || nextDelivery === 'foreignRecord';
  const isReserved = record.status === STATUS.releasing;
  const isNextSaid = isOfInterest || isReserved || isHeld(record, workflow) || isAbandoned(key, record);
  const recovery = recoveryInWords(key);
  return [
    ...(isNextSaid ? [['next', nextDeliveryInWords(key, record)] as const] : []),
    ...(recovery === undefined ? [] : [['recovery', recovery] as const]),
  ];
}

/** True if no execution works on the key, or is about to. */
function isAbandoned({ owner, now }: JudgedKey, { status, leaseExpiry }: KeyRecord): boolean {
  if (status !== STATUS.inProgress) return false;
  if (owner.kind === 'express') return leaseExpiry === undefined || leaseExpiry < now;
  return owner.kind === 'ended' || owner.kind === 'unknown' || owner.kind === 'succeeded';
}

/** What to do about a record of another workflow. */
export const FOREIGN_REMEDY =
  'give each workflow its own `scope`; if the state machine is a former one of this workflow, list it in ' +
  '`formerStateMachines`';

/** What the next delivery of a key does, as a sentence, with what an operator can do. */
export function nextDeliveryInWords(key: JudgedKey, record: KeyRecord): string {
  switch (key.nextDelivery) {
    case 'claims':
      return 'the next delivery claims the key again';
    case 'returnsResult':
      return 'the next delivery gets the result';
    case 'resultUnavailable':
      return "the next delivery fails with Idempotency.ResultUnavailable: only the owner's execution has the result";
    case 'returnsFailure':
      return 'the next delivery gets the same failure';
    case 'takesOver':
      return `the next delivery takes over, and runs the step as attempt ${record.attempt + 1}`;
    case 'callsRecovery':
      return `the next delivery starts recovery, and ${inProgressInWords(key)}`;
    case 'redrives':
      return 'the next delivery redrives the owner; `onceflow redrive` does it now';
    case 'redrivesExhausted':
      return `deliveries end with ${EXHAUSTED}`;
    case 'holds':
      return `the next delivery holds the record for review: ${BOTH_BRANCHES}`;
    case 'heldForReview':
      return `deliveries end with ${remedyForHeld(heldFor(record, key.workflow))}`;
    case 'foreignRecord':
      return `deliveries end with Idempotency.ForeignRecord: the record is ${whoseForeign(record)}`;
    case 'inProgress':
      return `the next delivery ${inProgressInWords(key)}${remedyInProgress(key, record)}`;
  }
}

/** How a delivery ends that finds its key in progress, by the workflow's `onDuplicateInProgress`. */
function inProgressInWords({ workflow: { waitSeconds } }: JudgedKey): string {
  return waitSeconds === undefined
    ? 'ends with Idempotency.InProgress'
    : `waits up to ${duration(waitSeconds * 1000)} for the owner, and else ends with Idempotency.InProgress`;
}

/** The remedy for a step that might have taken effect. */
export const BOTH_BRANCHES =
  'find out what the step did; if it took effect, `onceflow complete`; if not, `onceflow release`';

const EXHAUSTED =
  'Idempotency.RedrivesExhausted: the owner failed again after each redrive; find out why, then `onceflow redrive`, ' +
  'or `onceflow release` if the step can run again';

function whoseForeign({ form }: KeyRecord): string {
  return form === undefined
    ? `another workflow's; ${FOREIGN_REMEDY}`
    : `a later version's (form ${form}), which this version cannot compare; deploy that version`;
}

/** The error that deliveries end with while a record is held with it, and what an operator can do. */
function remedyForHeld(error: string | undefined): string {
  if (error === ERROR.redrivesExhausted) return EXHAUSTED;
  return error === ERROR.resultUnavailable
    ? 'Idempotency.ResultUnavailable: look for the result in the history of the owner, and pass it to ' +
        '`onceflow complete`; if the step can run again, `onceflow release`'
    : `Idempotency.InDoubt: ${BOTH_BRANCHES}`;
}

/** Why a record stays in progress, and the remedy, if that is not recovery's. */
function remedyInProgress({ owner, workflow, nextRecovery }: JudgedKey, record: KeyRecord): string {
  const reservation = reservationOf(record);
  if (reservation !== undefined) return `, until an operator has continued to ${reservation.purpose} the key`;
  if (record.status !== STATUS.inProgress) return '';
  switch (owner.kind) {
    case 'running':
    case 'mayStillWork':
    case 'notVisibleYet':
      return ': the owner is left alone';
    case 'express':
      return record.leaseExpiry === undefined ? ': see `onceflow release` with --force' : '';
    default:
      return nextRecovery || workflow.recoveryArn || workflow.prefix !== ''
        ? ''
        : ', until an operator redrives the owner or releases the key: `onceflow redrive`, `onceflow release`';
  }
}

/** What happens next to a key, as one sentence without its period: recovery if it acts automatically, and the next delivery. */
export function nextInWords(key: JudgedKey, record: KeyRecord): string {
  const { nextRecovery, now } = key;
  const delivery = nextDeliveryInWords(key, record);
  if (nextRecovery === undefined) return delivery;
  const { does, from = now, isAutomatic } = nextRecovery;
  if (!isAutomatic) return `${delivery}; recovery then ${RECOVERY_DOES[does]}`;
  const when = from > now ? `, some seconds after ${dateTime(from)}` : ' soon';
  return `recovery ${RECOVERY_DOES[does]}${when}; ${delivery}`;
}

/** What recovery does about an owner, going on from its name. */
export const RECOVERY_DOES: Readonly<Record<NextRecovery['does'], string>> = {
  redrives: 'redrives the owner, which resumes where it stopped',
  completes: "completes the record: the owner's output is the result",
  releases: 'releases the key, and redelivers its event',
  holdsExhausted: 'holds the record for review: the owner failed again after each redrive',
  holdsInDoubt: 'holds the record for review: the step might have run',
  holdsLost: 'holds the record for review: the step has run, and its result is lost',
};

/** What recovery does about the owner, and when, and its execution that a delivery has started; undefined: nothing. */
function recoveryInWords(key: JudgedKey): string | undefined {
  if (key.recovery === undefined) return undefined;
  const { stateMachine, execution } = key.recovery;
  const does = key.workflow.prefix === '' ? recoveryOfWorkflow(key) : recoveryOfTeamsMachine(key);
  const name = printable(stateMachine);
  const started = execution && `a delivery has started ${startedInWords(execution)}`;
  if (does !== undefined) return `${name} ${does}${started ? `; ${started}` : ''}`;
  return started && `${name}: ${started}`;
}

function startedInWords({ executionArn = '', status, error }: NonNullable<KeyRecovery['execution']>): string {
  const ended = status === undefined ? 'which cannot be read' : `which is ${status}`;
  return `${executionNameIn(executionArn)} of it, ${ended}${error === undefined ? '' : ` with ${printable(error)}`}`;
}

/** What becomes of an execution that an operator has stopped for good, going on from "it is". */
export const STOPPED_FOR_GOOD =
  'stopped for good, so recovery leaves it alone until a redrive or the next delivery of its key';

function recoveryOfWorkflow({ now, nextRecovery }: JudgedKey): string | undefined {
  if (nextRecovery === undefined) return undefined;
  const { from, isAutomatic } = nextRecovery;
  const does = RECOVERY_DOES[nextRecovery.does];
  if (!isAutomatic) return `${does}, when a delivery has started it`;
  if (from === undefined) return does;
  return from > now
    ? `${does}, some seconds after ${dateTime(from)}`
    : `${does}: due since ${dateTime(from)}; if it does not, the next delivery starts it again`;
}

function recoveryOfTeamsMachine({ owner }: JudgedKey): string | undefined {
  if (!endedWithoutSuccess(owner) || owner.error === ERROR.stopped) return undefined;
  const when =
    owner.kind === 'mayStillWork'
      ? `some ten seconds after ${dateTime(owner.until)}`
      : 'some ten seconds after the timeout of its step, then after a minute, two, four, up to an hour';
  return `redelivers the input of the owner ${when}`;
}
