import { ERROR, STATUS } from '../../state-machine/contract/index';
import type { JudgedKey, NextRecovery } from './judge';
import { heldFor, type KeyRecord } from './record';

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
    case 'lacksResult':
      return "the next delivery fails with Idempotency.ResultUnavailable: only the owner's execution has the result";
    case 'returnsFailure':
      return 'the next delivery gets the same failure';
    case 'takesOver':
      return `the next delivery takes over, and runs the step as attempt ${record.attempt + 1}`;
    case 'callsRecovery':
      return 'the next delivery starts recovery, and ends with Idempotency.InProgress, or waits';
    case 'redrives':
      return 'the next delivery redrives the owner; `onceflow redrive` does it now';
    case 'redrivesExhausted':
      return `deliveries end with ${EXHAUSTED}`;
    case 'holds':
      return 'the next delivery holds the record for review: find out what the step did; if it can run again, `onceflow release`';
    case 'isHeld':
      return `deliveries end with ${heldInWords(heldFor(record, key.workflow)).next}`;
    case 'isForeign':
      return `deliveries end with Idempotency.ForeignRecord: the record is another workflow's; ${FOREIGN_REMEDY}`;
    case 'isRefused':
      return `the next delivery ends with Idempotency.InProgress, or waits${remedyInProgress(key, record)}`;
  }
}

const EXHAUSTED =
  'Idempotency.RedrivesExhausted: the owner failed again after each redrive; find out why, then `onceflow redrive`, ' +
  'or `onceflow release` if the step can run again';

/** Why a record is held with this error, and what deliveries end with, and an operator does. */
export function heldInWords(error: string | undefined): { readonly why: string; readonly next: string } {
  switch (error) {
    case ERROR.redrivesExhausted:
      return { why: 'the owner failed again after each redrive', next: EXHAUSTED };
    case ERROR.resultUnavailable:
      return {
        why: 'the step has run, and its result is lost',
        next:
          'Idempotency.ResultUnavailable: look for the result in the history of the owner; if the step can run again, ' +
          '`onceflow release`',
      };
    default:
      return {
        why: 'the step might have run',
        next: 'Idempotency.InDoubt: find out what the step did; if it can run again, `onceflow release`',
      };
  }
}

/** Why a record stays in progress, and what can be done about it, where that is not recovery's. */
function remedyInProgress({ owner, workflow, nextRecovery }: JudgedKey, record: KeyRecord): string {
  if (record.status !== STATUS.inProgress) return '';
  switch (owner.kind) {
    case 'alive':
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

/** What the next delivery does, and then recovery, as a sentence. */
export function whatIsNext(key: JudgedKey, record: KeyRecord): string {
  const { nextRecovery } = key;
  const next = nextDeliveryInWords(key, record);
  return nextRecovery === undefined ? next : `${next}; recovery ${RECOVERY_DOES[nextRecovery.does]}`;
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
