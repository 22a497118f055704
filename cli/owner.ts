import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { ERROR, GIVEN_UP_BEFORE_THE_STEP } from '../state-machine/contract/index';
import {
  AFTER_THE_STEP,
  BEFORE_THE_STEP,
  FAILS_AFTER_THE_STEP,
  REFUSALS_BEFORE_THE_STEP,
  STEP_STATE,
} from '../state-machine/contract/state-names';
import type { Aws } from './aws/aws';
import { describe, historyOf } from './aws/executions';
import { type Visit, visitsIn } from './key/history';
import type { SeenRecord } from './key/record';
import type { Workflow } from './workflow';

/** What became of the execution that a record names, judged as the workflow does. Times in epoch milliseconds. */
export type Owner =
  | { readonly kind: 'alive'; readonly status: string }
  /** Its record has been written before, or is about to be seen so. */
  | { readonly kind: 'succeeded' }
  /** Dead for so short a time that the step it called may still be working. */
  | { readonly kind: 'mayStillWork'; readonly status: string; readonly until: number }
  | DeadOwner
  /** Step Functions knows no such execution, and it would by now. */
  | { readonly kind: 'unknown' }
  /** Step Functions knows no such execution; it may have been started a moment ago. */
  | { readonly kind: 'notVisibleYet'; readonly until: number }
  /** An Express execution: nobody can ask about it. */
  | { readonly kind: 'express' };

/** An execution that has ended without finishing its record, or after having failed. */
export interface DeadOwner {
  readonly kind: 'dead';
  readonly status: string;
  readonly error: string | undefined;
  readonly isRedrivable: boolean;
  readonly redriveCount: number;
  /** True where it gave its claim up before the step: a redrive would only end it again. */
  readonly hasGivenUp: boolean;
}

/** How long an execution that was started may not be visible yet. */
const VISIBLE_WITHIN_MS = 15 * 60 * 1000;

/** Asks Step Functions about the owner of a record. @throws Refusal */
export async function ownerOf(aws: Aws, workflow: Workflow, record: SeenRecord): Promise<Owner> {
  if (isExpress(record.owner)) return { kind: 'express' };
  const seen = await describe(aws, record.owner);
  return judgeOwner(seen, record, aws.time.now(), graceOf(workflow, record));
}

/** The owner may have run another definition than there is now: the longer of the two times counts. */
function graceOf({ stepTimeoutMs, isStepTimeoutGiven }: Workflow, { stepTimeout }: SeenRecord): number {
  return isStepTimeoutGiven ? stepTimeoutMs : Math.max(stepTimeoutMs, (stepTimeout ?? 0) * 1000);
}

/** The judgement alone. */
export function judgeOwner(
  seen: DescribeExecutionOutput | undefined,
  { claimedAt }: Pick<SeenRecord, 'claimedAt'>,
  now: number,
  graceMs: number,
): Owner {
  if (seen === undefined) {
    const until = Date.parse(claimedAt ?? '') + VISIBLE_WITHIN_MS;
    return now < until ? { kind: 'notVisibleYet', until } : { kind: 'unknown' };
  }
  const { status = 'RUNNING', stopDate, error, redriveStatus, redriveCount = 0 } = seen;
  if (status === 'RUNNING' || status === 'PENDING_REDRIVE') return { kind: 'alive', status };
  if (status === 'SUCCEEDED') return { kind: 'succeeded' };
  const until = (stopDate?.getTime() ?? 0) + graceMs;
  // One that has parked its own record had waited for the end of its step before.
  const hasParkedItself = status === 'FAILED' && error === ERROR.inDoubt;
  if (now < until && !hasParkedItself) return { kind: 'mayStillWork', status, until };
  return {
    kind: 'dead',
    status,
    error,
    redriveCount,
    isRedrivable: redriveStatus === 'REDRIVABLE',
    hasGivenUp: status === 'FAILED' && GIVEN_UP.has(error ?? ''),
  };
}

const GIVEN_UP: ReadonlySet<string> = new Set(GIVEN_UP_BEFORE_THE_STEP);

/** Where a dead owner stopped, seen from the business step. `within` also where nobody can tell. */
export type Place = 'before' | 'within' | 'after';

/** Where the owner stopped, read from its history. @throws Refusal */
export async function placeOf(aws: Aws, { prefix }: Workflow, owner: string): Promise<Place> {
  const events = await historyOf(aws, owner);
  return placeIn(events ? visitsIn(events, prefix) : []);
}

/** The same, of an execution that stayed in these states. */
export function placeIn(visits: readonly Visit[]): Place {
  const last = visits.at(-1);
  if (!last?.isOurs) return 'within';
  if (last.name === STEP_STATE) return last.exitedAt === undefined ? 'within' : 'after';
  if (BEFORE.has(last.name)) return 'before';
  return AFTER.has(last.name) ? 'after' : 'within';
}

const BEFORE: ReadonlySet<string> = new Set([...BEFORE_THE_STEP, ...REFUSALS_BEFORE_THE_STEP]);
const AFTER: ReadonlySet<string> = new Set([...AFTER_THE_STEP, ...FAILS_AFTER_THE_STEP]);

function isExpress(executionArn: string): boolean {
  return executionArn.split(':')[5] === 'express';
}
