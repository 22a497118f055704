import type { Fail, TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { SERVICE_ERROR } from '../jsonata/variables';
import type { OnInProgress } from '../options';
import { type Settings, TABLE_REFUSED } from '../settings';
import type { BusinessStep } from './states/business-step';
import { claimRecord, takeOver } from './states/claim';
import * as fail from './states/fail';
import { finalizeCompleted } from './states/finalize';
import { whileInProgress } from './states/in-progress';
import { readRecord } from './states/stored-record';

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
    inProgress: whileInProgress(scope, onInProgress, read),
    contended: fail.claimContended(scope),
    tableRefused: fail.tableRefused(scope),
    resultUnavailable: fail.resultUnavailable(scope, settings),
    /** Where at-most-once delivery ends when nobody knows whether the step has run; undefined: the step runs again. */
    inDoubt: settings.variant.isAtMostOnce ? fail.inDoubt(scope) : undefined,
  };
}

/**
 * Ends an execution by name whose request the table has refused for a quarter of an hour. Not for the write that
 * records the end of its own step: behind that a redrive must find the way back to it.
 */
export function catchTableRefused(task: TaskStateBase, tableRefused: Fail): void {
  task.addCatch(tableRefused, { errors: [TABLE_REFUSED], assign: { serviceError: SERVICE_ERROR } });
}
