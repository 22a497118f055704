import { RECORD, STATUS } from '../contract/record';
import { expression, literal } from './jsonata';

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

/** True where the record just read is absent or no longer counts. */
export const IS_GONE =
  `$not($exists($record.${RECORD.status})) or ` +
  `($exists($record.${RECORD.expiry}) and $number($record.${RECORD.expiry}.N) <= $floor($millis() / 1000))`;

/** True where an unfinished record's lease is over, so that its owner and the step it called have certainly ended. */
export const IS_LEASE_OVER = `${hasStatus(STATUS.inProgress)} and $number($record.${RECORD.leaseExpiry}.N) < $millis()`;

/** True where an unfinished record has a lease: its owner is an Express execution, of which nobody can be asked. */
export const HAS_LEASE = `${hasStatus(STATUS.inProgress)} and $exists($record.${RECORD.leaseExpiry})`;

/** Until when a claim that is made now counts, in epoch milliseconds, as a DynamoDB number. */
export function leaseExpiry(leaseMs: number): string {
  return expression(`$formatBase($millis() + ${leaseMs}, 10)`);
}

/** True where the record was claimed with another payload than this execution's. */
export const IS_OTHER_PAYLOAD = `$record.${RECORD.payloadHash}.S != $payloadHash`;

/** True where the record says that the business step succeeded. */
export const IS_COMPLETED = hasStatus(STATUS.completed);

/** True where the record itself holds the result's text. */
export const HAS_RESULT_TEXT = `$exists($record.${RECORD.result}.S)`;

/** True where the record says that the business step failed. */
export const IS_FAILED = hasStatus(STATUS.failed);

/** True where an execution owns the record and has not finished it. */
export const IS_IN_PROGRESS = hasStatus(STATUS.inProgress);

function hasStatus(status: string): string {
  return `$record.${RECORD.status}.S = ${literal(status)}`;
}

/** How often this execution has been refused a write so far, this refusal included. */
export const REFUSALS = expression('$exists($refusals) ? $refusals + 1 : 1');

/** True where the execution has been refused as often as it may. */
export function isRefusedTooOften(refusalsMax: number): string {
  return `$refusals >= ${refusalsMax}`;
}
