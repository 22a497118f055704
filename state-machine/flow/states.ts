import type { Construct } from 'constructs';
import type { OnInProgress } from '../options';
import type { Settings } from '../settings';
import * as claiming from '../stages/claim';
import * as failing from '../stages/fail';
import * as finalizing from '../stages/finalize';
import { whileInProgress } from '../stages/in-progress';
import * as inspecting from '../stages/inspect';
import type { BusinessStep } from '../stages/run';

/** The states that several flows lead to. Each flow adds those that are its own. */
export type States = ReturnType<typeof defineStates>;

/** Defines the states that several flows lead to. */
export function defineStates(
  scope: Construct,
  settings: Settings,
  onInProgress: OnInProgress,
  step: BusinessStep,
) {
  const read = inspecting.readRecord(scope, settings);
  return {
    scope,
    settings,
    step,
    read,
    claim: claiming.claimRecord(scope, settings),
    takeOver: claiming.takeOver(scope, settings),
    completed: finalizing.finalizeCompleted(scope, settings),
    inProgress: whileInProgress(scope, onInProgress, read),
    contended: failing.claimContended(scope),
    resultUnavailable: failing.resultUnavailable(scope, settings),
  };
}
