import { NOTHING_TO_RECOVER } from '../../state-machine/contract/error-names';
import { RECOVERY_SUFFIX } from '../../state-machine/contract/execution-name';
import { STATUS } from '../../state-machine/contract/index';
import type { JudgedOwner } from '../../state-machine/contract/judged';
import { judge, recoveryRules } from '../../state-machine/contract/judgement';
import { ACTS_MAX, delayAfter } from '../../state-machine/contract/recovery-timing';
import type { Workflow } from '../aws/workflow';
import { judgeNextDelivery, variantOf } from './judge-delivery';
import { type JudgedOwnership, ownerAsSeen, type StoppedAt } from './judge-owner';

/** What recovery does about the owner of a record, by its rules. */
export interface NextRecovery {
  readonly does: 'redrives' | 'completes' | 'releases' | 'holdsExhausted' | 'holdsInDoubt' | 'holdsLost';
  /** When it decides at the earliest, epoch milliseconds; undefined: a short time after it is started. */
  readonly from: number | undefined;
  /** False if recovery does not start by itself for such an owner: a delivery has to start it. */
  readonly isAutomatic: boolean;
}

/** What recovery does about the owner of a record; undefined: nothing, or the workflow has no recovery. */
export function judgeNextRecovery(key: JudgedOwnership): NextRecovery | undefined {
  const { workflow, record, owner } = key;
  if (record === undefined || workflow.recoveryArn === undefined) return undefined;
  if (judgeNextDelivery(key) === 'isForeign') return undefined;
  const does = recoveryOfCompleted(key) ?? recoveryOfUnfinished(key);
  if (does === undefined) return undefined;
  if (owner.kind !== 'dead' && owner.kind !== 'mayStillWork') {
    return { does, from: owner.kind === 'notVisibleYet' ? owner.until : undefined, isAutomatic: false };
  }
  const deliveries = Number(RECOVERED.exec(record.owner)?.[1] ?? 0);
  return {
    does,
    from: owner.until + delayAfter(owner.redriveCount + deliveries) * 1000,
    isAutomatic: !NOTHING_TO_RECOVER.some(error => error === owner.error),
  };
}

/** The end of the name of an execution that recovery has started: how often the event had been delivered again. */
const RECOVERED = new RegExp(`${RECOVERY_SUFFIX.replace('[0-9]+', '([0-9]+)')}$`);

/** If only the owner itself can give what is missing, and has ended before: its result, or the notice of it. */
function recoveryOfCompleted({
  workflow,
  record,
  owner,
}: JudgedOwnership): 'redrives' | 'holdsLost' | undefined {
  if (record?.status !== STATUS.completed) return undefined;
  if (owner.kind !== 'dead' && owner.kind !== 'mayStillWork') return undefined;
  const isOnlyInOutput = record.result === null && record.resultLocation === undefined;
  if (isOnlyInOutput && (!owner.isRedrivable || owner.redriveCount >= ACTS_MAX)) return 'holdsLost';
  return workflow.sendsResults || isOnlyInOutput ? 'redrives' : undefined;
}

function recoveryOfUnfinished({
  workflow,
  record,
  owner,
  stoppedAt,
  now,
}: JudgedOwnership): NextRecovery['does'] | undefined {
  const known = ownerAsSeen(owner);
  if (known === undefined || record?.status !== STATUS.inProgress) return undefined;
  const { verdict } = judge(recoveryRules(variantOf(workflow)), { record: undefined, owner: known, now });
  switch (verdict) {
    case 'complete':
      return 'completes';
    case 'redrive':
      return 'redrives';
    case 'release':
      return 'releases';
    case 'holdExhausted':
      return 'holdsExhausted';
    case 'holdInDoubt':
      return 'holdsInDoubt';
    case 'locate':
      return recoveryByStop(stoppedAt, known, workflow);
    case 'leave':
      return undefined;
  }
}

/** The same at most once, by where the owner stopped. */
function recoveryByStop(
  stoppedAt: StoppedAt | undefined,
  { redriveStatus, redriveCount = 0 }: JudgedOwner,
  { maxRedrives }: Workflow,
): NextRecovery['does'] {
  const isOutside = stoppedAt === 'before' || stoppedAt === 'after';
  const isRedrivable = redriveStatus === 'REDRIVABLE';
  if (isOutside && isRedrivable && redriveCount < maxRedrives) return 'redrives';
  if (stoppedAt === 'before') return 'releases';
  return isOutside && isRedrivable ? 'holdsExhausted' : 'holdsInDoubt';
}
