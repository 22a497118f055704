import type { Construct } from 'constructs';
import type { OnInProgress } from '../options/on-in-progress';
import type { Settings } from '../settings';
import type { BusinessStep } from './states/business-step';
import { claimRecord } from './states/claim';
import * as fail from './states/fail';
import { finalizeCompleted } from './states/finalize';
import { whileInProgress } from './states/in-progress';
import { readRecord } from './states/stored-record';
import { takeOver } from './states/take-over';

/** The states that both flows lead to. Each flow adds those that are its own. */
export type SharedStates = ReturnType<typeof defineSharedStates>;

/** Defines the states that both flows lead to. */
export function defineSharedStates(
  scope: Construct,
  settings: Settings,
  onInProgress: OnInProgress,
  step: BusinessStep,
) {
  const read = readRecord(scope, settings);
  return {
    scope,
    settings,
    step,
    read,
    claim: claimRecord(scope, settings),
    takeOver: takeOver(scope, settings),
    completed: finalizeCompleted(scope, settings),
    /** True where a delivery waits whose key is owned by another. */
    isWaiting: onInProgress.total !== undefined,
    inProgress: whileInProgress(scope, onInProgress, read, settings.variant.isFragment),
    resultUnavailable: fail.resultUnavailable(scope, settings),
    heldForReview: fail.heldForReview(scope, settings),
  };
}
