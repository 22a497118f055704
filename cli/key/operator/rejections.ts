import { STATUS } from '../../../state-machine/contract/index';
import { ownerNameIn } from '../../arns';
import { age, dateTime, printable } from '../../text';
import { KEYS_LISTED } from '../input/key-problem';
import type { JudgedKey } from '../judge';
import type { Owner } from '../judge-owner';
import type { KeyRecord } from '../record';
import { BOTH_BRANCHES, FOREIGN_REMEDY, nextInWords } from '../what-is-next';
import type { RedriveRejection } from './redrive-plan';
import type { ReleaseRejection } from './release-plan';
import { reservationOf, reservedInWords } from './reservation';

const NO_RECORD = `there is no record of this key. Check the key: ${KEYS_LISTED}`;

/** Why a key is not released, as a sentence with what an operator can do. */
export function releaseRejection(
  { workflow, record, owner, now, nextRecovery }: JudgedKey,
  reason: ReleaseRejection,
): string {
  if (record === undefined || reason === 'noRecord') return NO_RECORD;
  const name = printable(ownerNameIn(record.owner, workflow.stateMachineArn));
  const { ended, until } = endOf(owner);
  switch (reason) {
    case 'completed':
      return (
        'the step has succeeded, and duplicates get its result, so there is nothing to release. ' +
        'To run the step again, use a new key'
      );
    case 'notHeld':
      return (
        `its status is ${printable(record.status)}: only a key that is held for review can be completed by hand. ` +
        'See `onceflow show` for what happens next'
      );
    case 'unknownStatus':
      return `its status is ${record.status}, which this version does not know. Update onceflow`;
    case 'reservedToComplete':
      return `${reservationSaid(record)}. To release the key anyway, because its step has not taken effect, pass --force`;
    case 'foreign':
      return (
        `the record belongs to another workflow, and its owner is ${name}: ${FOREIGN_REMEDY}. ` +
        'To delete it anyway, pass --force with --delete'
      );
    case 'ownerRunning':
      return `its owner ${name} (attempt ${record.attempt}) is ${ended}. Stop it first (\`onceflow stop\`), or wait until it ends`;
    case 'ownerSucceeded':
      return (
        `its owner ${name} has succeeded, so the record will be completed soon: by the owner, or by recovery, which ` +
        'the next delivery starts. Check it with `onceflow show`'
      );
    case 'ownerMayStillWork':
      return (
        `its owner ${name} ended ${ended} so recently that the step it called might still be running, until ` +
        `${until}. Try again then, or pass a smaller --step-timeout if you know that the step has ended`
      );
    case 'ownerNotVisibleYet':
      return (
        `Step Functions does not know its owner ${name} yet. If it still does not know it at ${until}, ` +
        'you can release the key'
      );
    case 'redriveIsBetter':
      return (
        `its owner ${name} ended ${ended}, and can resume where it stopped. \`onceflow redrive\` is better, because it ` +
        'repeats only a step that was interrupted' +
        `${nextRecovery?.does === 'redrives' ? '; recovery does the same' : ''}. To release the key anyway, pass --force`
      );
    case 'leaseRunning': {
      const lease = record.leaseExpiry ?? now;
      return `its owner is an Express execution, which might be running until ${dateTime(lease)} (${age(lease, now)}). Try again then`;
    }
    case 'noLease':
      return 'its owner is an Express execution without a lease, so onceflow cannot know whether it is running. If you know that it has ended, pass --force';
  }
}

/** Why the owner of a key is not redriven, as a sentence with what an operator can do. */
export function redriveRejection(judged: JudgedKey, reason: RedriveRejection): string {
  const { workflow, record, owner } = judged;
  if (record === undefined || reason === 'noRecord') return NO_RECORD;
  const name = printable(ownerNameIn(record.owner, workflow.stateMachineArn));
  const next = nextInWords(judged, record);
  const { ended, until } = endOf(owner);
  switch (reason) {
    case 'expired':
      return 'the record has expired, and the next delivery claims the key again';
    case 'foreign':
      return `the record belongs to another workflow, and its owner is ${name}: ${FOREIGN_REMEDY}`;
    case 'reserved':
      return reservationSaid(record);
    case 'released':
      return `the key is released, so ${name} could run its step at the same time as the next owner; ${next}`;
    case 'inDoubt':
      return `the record is ${record.status}, in doubt: ${BOTH_BRANCHES}`;
    case 'nothingToFinish': {
      const again =
        record.leaseExpiry === undefined
          ? '`onceflow redeliver` redelivers the key'
          : 'its message comes again, or is in a dead-letter queue: `onceflow resend`';
      return record.status === STATUS.failed
        ? `the record is FAILED, so ${name} has nothing to finish; ${again}`
        : `the record is ${record.status}, so ${name} has nothing to finish`;
    }
    case 'ownerRunning':
      return `${name} is ${ended}, so it needs no redrive`;
    case 'ownerSucceeded':
      return `${name} has succeeded; if the record stays as it is, ${next}`;
    case 'ownerMayStillWork':
      return `${name} ended ${ended} so recently that its step might still be running, until ${until}. Try again then`;
    case 'ownerExpress':
      return 'Step Functions cannot redrive an Express execution; after its lease, the next delivery takes over';
    case 'ownerNotVisibleYet':
      return `Step Functions does not know ${name} yet. Try again at ${until}`;
    case 'ownerUnknown':
      return `Step Functions does not know ${name}; ${next}`;
    case 'ownerHasGivenUp':
      return `${name} failed before its step, and would fail there again; ${next}`;
    case 'ownerTooOld':
      return `${name} is too old for a redrive; ${next}`;
    case 'interruptedInStep':
      return (
        'it was interrupted in its step, which would run again. Find out what the step did; ' +
        'then pass --force, or run `onceflow release`'
      );
  }
}

function reservationSaid(record: KeyRecord): string {
  const reservation = reservationOf(record);
  return reservation === undefined ? '' : reservedInWords(reservation);
}

/** The status of an owner, and until when the workflow waits for it; empty if it has none. */
function endOf(owner: Owner): { readonly ended: string; readonly until: string } {
  return {
    ended: 'status' in owner ? owner.status : '',
    until: 'until' in owner ? dateTime(owner.until) : '',
  };
}
