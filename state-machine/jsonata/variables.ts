import { expression } from '../contract/jsonata';

// Expressions that several states give or remember.

/** This execution's ARN: what `owner` holds while the execution owns the record. */
export const ME = expression('$states.context.Execution.Id');

/** Now, ISO-8601. */
export const NOW = expression('$now()');

/** How often this execution has been redriven so far; an Express one never is. */
export const REDRIVE_COUNT_NOW =
  '($exists($states.context.Execution.RedriveCount) ? $states.context.Execution.RedriveCount : 0)';

/** The same, to be remembered. */
export const REDRIVE_COUNT = expression(REDRIVE_COUNT_NOW);

/** The record just read, as DynamoDB's typed attributes; empty where there is none. */
export const RECORD_READ = expression('$exists($states.result.Item) ? $states.result.Item : {}');

/** How often this execution has been refused a write so far, this refusal included. */
export const REFUSALS = expression('$exists($refusals) ? $refusals + 1 : 1');

/** How often the expressions of this execution's claim could not be evaluated so far, this time included. */
export const FAILED_EVALUATIONS = expression('$exists($failedEvaluations) ? $failedEvaluations + 1 : 1');

/** What a service has said at last when a request to it was given up, as text. */
export const SERVICE_ERROR = expression("$states.errorOutput.Error & ': ' & $states.errorOutput.Cause");

/** The business step's error as `{Error, Cause}`, both always texts: an error may come without either. */
export const STEP_FAILURE = expression(
  "{'Error': $type($states.errorOutput.Error) = 'string' ? $states.errorOutput.Error : 'States.TaskFailed', " +
    "'Cause': $type($states.errorOutput.Cause) = 'string' ? $states.errorOutput.Cause : ''}",
);
