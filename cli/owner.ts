import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import {
  GAVE_UP,
  HAS_SUCCEEDED,
  IS_NOT_VISIBLE_YET,
  IS_REDRIVABLE,
  IS_RUNNING,
  type JudgedOwner,
  OWNER_NOT_FOUND,
  stepEndsBy,
  visibleBy,
} from '../state-machine/contract/conditions';
import { type EpochMs, ERROR } from '../state-machine/contract/index';
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

/** The judgement alone, by the conditions of the workflow. */
export function judgeOwner(
  described: DescribeExecutionOutput | undefined,
  { claimedAt }: Pick<SeenRecord, 'claimedAt'>,
  now: EpochMs,
  graceMs: number,
): Owner {
  const owner = judgedOwner(described);
  const known = { record: { status: undefined, claimedAt }, owner, now };
  const { status, error, redriveCount = 0 } = owner;
  if (IS_NOT_VISIBLE_YET.holds(known)) return { kind: 'notVisibleYet', until: visibleBy({ claimedAt }) };
  if (status === OWNER_NOT_FOUND) return { kind: 'unknown' };
  if (IS_RUNNING.holds(known)) return { kind: 'alive', status };
  if (HAS_SUCCEEDED.holds(known)) return { kind: 'succeeded' };
  const until = stepEndsBy(known, graceMs / 1000) ?? 0;
  // One that has parked its own record had waited for the end of its step before.
  const hasParkedItself = status === 'FAILED' && error === ERROR.inDoubt;
  if (now < until && !hasParkedItself) return { kind: 'mayStillWork', status, until };
  const isRedrivable = IS_REDRIVABLE.holds(known);
  return { kind: 'dead', status, error, redriveCount, isRedrivable, hasGivenUp: GAVE_UP.holds(known) };
}

function judgedOwner(described: DescribeExecutionOutput | undefined): JudgedOwner {
  if (described === undefined) return { status: OWNER_NOT_FOUND };
  const { status = 'RUNNING', stopDate, error, redriveCount, redriveStatus } = described;
  return { status, stopDate: stopDate?.getTime() as EpochMs | undefined, error, redriveCount, redriveStatus };
}

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
