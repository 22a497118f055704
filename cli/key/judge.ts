import { judgeNextDelivery, type NextDelivery } from './judge-delivery';
import { type JudgedOwnership, judgeOwner, judgeStop } from './judge-owner';
import { judgeNextRecovery, type NextRecovery } from './judge-recovery';
import type { KeyState } from './key-state';

/** A key, and what follows from what was read of it. */
export interface JudgedKey extends JudgedOwnership, Pick<KeyState, 'key' | 'recordKey'> {
  readonly nextDelivery: NextDelivery;
  /** What recovery does about the owner; undefined: nothing, or the workflow has no recovery. */
  readonly nextRecovery: NextRecovery | undefined;
}

/** Judges a key as the workflow does. Pure. */
export function judgeKey(state: KeyState): JudgedKey {
  const { workflow, key, recordKey, record, now } = state;
  const owner = judgeOwner(state);
  const stoppedAt = judgeStop(state, owner);
  const judged = { workflow, record, now, owner, stoppedAt };
  const nextDelivery = judgeNextDelivery(judged);
  const nextRecovery = judgeNextRecovery(judged);
  return { ...judged, key, recordKey, nextDelivery, nextRecovery };
}
