import { STATUS } from '../../state-machine/contract/index';
import { age, dateTime, ownerNameIn, printable } from '../text';
import type { JudgedKey, Owner } from './judge';
import { FOREIGN_REMEDY, whatIsNext } from './key-facts';
import type { RedriveRefusal } from './redrive-plan';
import type { ReleaseRefusal } from './release-plan';

/** Why a key is not released, as a sentence with what an operator can do. */
export function releaseRefusal(
  { workflow, record, owner, now, nextRecovery }: JudgedKey,
  reason: ReleaseRefusal,
): string {
  if (record === undefined) return 'there is no record of this key: nothing holds it';
  const name = printable(ownerNameIn(record.owner, workflow.stateMachineArn));
  const { ended, until } = endOf(owner);
  switch (reason) {
    case 'noRecord':
      return 'there is no record of this key: nothing holds it';
    case 'completed':
      return (
        'the step has succeeded, and duplicates get its result: there is nothing to release. ' +
        'A new run needs a new key'
      );
    case 'unknownStatus':
      return `its status is ${record.status}, which this version does not know`;
    case 'foreign':
      return (
        `it is the record of another workflow, owned by ${name}: ${FOREIGN_REMEDY}. ` +
        '--force with --delete deletes it all the same'
      );
    case 'ownerAlive':
      return `its owner ${name} (attempt ${record.attempt}) is ${ended}. Stop it first, or wait for its end`;
    case 'ownerSucceeded':
      return (
        `its owner ${name} has succeeded: the record is about to say so, or recovery completes it, which the next ` +
        'delivery starts; look again'
      );
    case 'ownerMayStillWork':
      return (
        `its owner ${name} ended ${ended} so short a time ago that the step it called may still be running, until ` +
        `${until}; try again then, or pass a smaller --step-timeout if you know better`
      );
    case 'ownerNotVisibleYet':
      return (
        `Step Functions does not know its owner ${name} yet; if it still does not at ${until}, ` +
        'the key can be released'
      );
    case 'redriveIsBetter':
      return (
        `its owner ${name} ended ${ended}, and can resume where it stopped: \`onceflow redrive\` is better, as it ` +
        'repeats nothing but a step that was interrupted' +
        `${nextRecovery?.does === 'redrives' ? '; recovery does the same' : ''}. --force releases the key all the same`
      );
    case 'leaseRunning': {
      const lease = record.leaseExpiry ?? now;
      return `its owner is an Express execution, which may be running until ${dateTime(lease)} (${age(lease, now)})`;
    }
    case 'noLease':
      return 'its owner is an Express execution without a lease, which nobody can ask about; see --force';
  }
}

/** Why the owner of a key is not redriven, as a sentence with what an operator can do. */
export function redriveRefusal(judged: JudgedKey, reason: RedriveRefusal): string {
  const { workflow, record, owner } = judged;
  if (record === undefined) return 'there is no record of this key';
  const name = printable(ownerNameIn(record.owner, workflow.stateMachineArn));
  const next = whatIsNext(judged, record);
  const { ended, until } = endOf(owner);
  switch (reason) {
    case 'noRecord':
      return 'there is no record of this key';
    case 'expired':
      return 'the record has expired, and the next delivery claims the key anew';
    case 'foreign':
      return `it is the record of another workflow, owned by ${name}: ${FOREIGN_REMEDY}`;
    case 'reserved':
      return 'a release has reserved the record, or was interrupted: `onceflow release` goes on from there';
    case 'released':
      return `the key is released, and ${name} would run its step beside the next owner; ${next}`;
    case 'inDoubt':
      return `the record is ${record.status}, in doubt: find out what the step did; if it may run again: \`onceflow release\``;
    case 'nothingToFinish':
      return record.status === STATUS.failed
        ? `the record is FAILED: there is nothing that ${name} could finish; \`onceflow redeliver\` delivers the key again`
        : `the record is ${record.status}: there is nothing that ${name} could finish`;
    case 'ownerAlive':
      return `${name} is ${ended}`;
    case 'ownerSucceeded':
      return `${name} has succeeded; if the record stays as it is, ${next}`;
    case 'ownerMayStillWork':
      return `${name} ended ${ended} so short a time ago that its step may still be running, until ${until}`;
    case 'ownerExpress':
      return 'an Express execution cannot be redriven';
    case 'ownerNotVisibleYet':
      return `Step Functions does not know ${name} yet; look again at ${until}`;
    case 'ownerUnknown':
      return `Step Functions does not know ${name}; ${next}`;
    case 'ownerHasGivenUp':
      return `${name} ended in a Fail state before its step, and would end there again; ${next}`;
    case 'ownerTooOld':
      return `${name} cannot be redriven (it is too old); ${next}`;
    case 'cutOffInStep':
      return (
        'it was interrupted in its step, which would run again: find out what the step did; ' +
        'then --force, or `onceflow release`'
      );
  }
}

/** The status that an owner ended with, and until when it is waited for; empty where there is none. */
function endOf(owner: Owner): { readonly ended: string; readonly until: string } {
  return {
    ended: 'status' in owner ? owner.status : '',
    until: 'until' in owner ? dateTime(owner.until) : '',
  };
}
