import { OWNER_NOT_FOUND } from '../../state-machine/contract/conditions';
import { STATUS } from '../../state-machine/contract/index';
import { executionNameIn } from '../arns';
import { failureInWords, failureOf } from '../key/failure';
import type { StateVisit } from '../key/history';
import { duration, plural, QUOTED_MAX, shortened, timeOfDay } from '../text';
import type { RecordRead, TimelineContext } from './events';

const CONDITION_FAILED = 'DynamoDB.ConditionalCheckFailedException';

/** Whether the condition of a state's write failed: the record was not as expected. */
export function hasConditionFailed({ failures }: StateVisit): boolean {
  return failures.at(-1)?.error === CONDITION_FAILED;
}

/** Whether the last try of a state failed for good: the error led elsewhere. */
export function wasLeftByAnError({ failures, hasSucceeded, exitedAt }: StateVisit): boolean {
  return exitedAt !== undefined && failures.length > 0 && hasSucceeded !== true;
}

/** Failed tries that went before: a write that was tried several times may have been made by any of them. */
export function afterFaults({ failures }: StateVisit): string {
  const faults = failures.filter(({ error }) => error !== CONDITION_FAILED);
  const last = faults.at(-1);
  return last === undefined
    ? ''
    : `, after ${plural(faults.length, 'failed try', 'failed tries')} (${last.error})`;
}

/** The last error of a state, and how many there were; empty if there was none. */
export function lastFailure({ failures }: StateVisit): string {
  const last = failures.at(-1);
  if (last === undefined) return '';
  const times = failures.length > 1 ? ` (${failures.length} tries)` : '';
  return `: ${shortened(failureInWords(last), QUOTED_MAX)}${times}`;
}

/** How long a state lasted. */
export function lasted({ enteredAt, exitedAt }: StateVisit): string {
  return duration((exitedAt?.getTime() ?? enteredAt.getTime()) - enteredAt.getTime());
}

/** The value of a variable that is an object; undefined where the history does not have it, or not whole. */
export function objectIn<Value extends object>({ variables }: StateVisit, name: string): Value | undefined {
  const value = variables[name];
  return typeof value === 'object' && value !== null ? (value as Value) : undefined;
}

/** The attempt that a state has assigned. */
export function attemptIn({ variables }: StateVisit): number | undefined {
  const { attempt } = variables;
  return typeof attempt === 'number' ? attempt : undefined;
}

/** The owner of the record that was read last, by its name. */
export function ownerIn({ record, executionArn }: TimelineContext): string {
  const owner = record?.['owner']?.S;
  if (owner === undefined) return 'the owner';
  return owner === executionArn ? 'this execution' : executionNameIn(owner);
}

export function recordInWords(record: RecordRead, context: TimelineContext): string {
  const status = record['status']?.S;
  if (status === undefined) return 'there is none';
  const attempt = record['attempt']?.N;
  const claimedAt = record['claimedAt']?.S;
  const hasFailed = status === STATUS.failed || status === STATUS.held;
  const failure = hasFailed ? failureOf({ error: record['error']?.S }) : undefined;
  const what = failure === undefined ? status : `${status} with ${shortened(failure.error, QUOTED_MAX)}`;
  return [
    what,
    `owner ${ownerIn(context)}`,
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    ...(claimedAt === undefined ? [] : [`claimed ${timeOfDay(claimedAt)}`]),
  ].join(', ');
}

/** What DescribeExecution said of an owner, as the workflow has it in a variable. */
export type OwnerSeen = Readonly<Record<string, unknown>>;

/** How an owner was when Step Functions was asked about it. */
export function ownerSeenInWords(owner: OwnerSeen): string {
  const { status, stopDate, error, redriveStatus } = owner;
  if (typeof status !== 'string') return 'its status is not in the history';
  if (status === OWNER_NOT_FOUND) return 'Step Functions does not know it';
  const redrives = Number(owner['redriveCount'] ?? 0);
  return [
    status,
    typeof error === 'string' ? ` with ${shortened(error, QUOTED_MAX)}` : '',
    typeof stopDate === 'string' ? ` at ${timeOfDay(stopDate)}` : '',
    redrives > 0 ? `, redriven ${plural(redrives, 'time')}` : '',
    redriveStatus === 'REDRIVABLE' ? ', can be redriven' : '',
  ].join('');
}
