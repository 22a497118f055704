import { expression } from '../contract/jsonata';

/** This execution's ARN: what `owner` holds while the execution owns the record. */
export const ME = expression('$states.context.Execution.Id');

/** Now, in epoch seconds, as a DynamoDB number: for comparison with `expiry`. */
export const NOW_SECONDS = expression('$string($floor($millis() / 1000))');

/** Now, ISO-8601. */
export const NOW = expression('$now()');

/** When this state was entered, ISO-8601: the same in each try of its Task. */
export const ENTERED = expression('$states.context.State.EnteredTime');

/** How often this execution has been redriven so far; an Express one never is. */
export const REDRIVE_COUNT_NOW =
  '($exists($states.context.Execution.RedriveCount) ? $states.context.Execution.RedriveCount : 0)';

/** The same, to be remembered. */
export const REDRIVE_COUNT = expression(REDRIVE_COUNT_NOW);

/** Now plus the retention, in epoch seconds, as a DynamoDB number. */
export function expiryAfter(retentionSeconds: number): string {
  return expression(`$string($floor($millis() / 1000) + ${retentionSeconds})`);
}

/** The record just read, as DynamoDB's typed attributes; empty where there is none. */
export const RECORD_READ = expression('$exists($states.result.Item) ? $states.result.Item : {}');

/** The attempt of a takeover: one more than the record's. */
export const NEXT_ATTEMPT = '$number($record.attempt.N) + 1';

/** Until when a claim that is made now counts, in epoch milliseconds, as a DynamoDB number. */
export function leaseExpiry(leaseMs: number): string {
  return expression(`$formatBase($millis() + ${leaseMs}, 10)`);
}

/** How often this execution has been refused a write so far, this refusal included. */
export const REFUSALS = expression('$exists($refusals) ? $refusals + 1 : 1');
