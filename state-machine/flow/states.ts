import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Delivery, OnFailed, OnInProgress } from '../options';
import type { Settings } from '../settings';
import * as claiming from '../stages/claim';
import * as failing from '../stages/fail';
import * as finalizing from '../stages/finalize';
import { whileInProgress } from '../stages/in-progress';
import * as inspecting from '../stages/inspect';
import type { BusinessStep } from '../stages/run';

/** How a workflow answers where the record alone does not decide. */
export interface Policy {
  readonly onInProgress: OnInProgress;
  readonly onFailed: OnFailed;
  readonly delivery: Delivery;
  /** The function that redrives an owner; undefined: the direct integration does. */
  readonly redriveFunction: IFunction | undefined;
}

/** The states that several flows lead to. Each flow adds those that are its own. */
export type States = ReturnType<typeof defineStates>;

/** Defines the states that several flows lead to. */
export function defineStates(scope: Construct, settings: Settings, policy: Policy, step: BusinessStep) {
  const read = inspecting.readRecord(scope, settings);
  return {
    scope,
    settings,
    policy,
    step,
    read,
    claim: claiming.claimRecord(scope, settings),
    takeOver: claiming.takeOver(scope, settings),
    completed: finalizing.finalizeCompleted(scope, settings),
    inProgress: whileInProgress(scope, policy.onInProgress, read),
    contended: failing.claimContended(scope),
    resultUnavailable: failing.resultUnavailable(scope, settings),
  };
}
