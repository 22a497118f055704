import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { evaluate } from '../../state-machine/contract/condition';
import {
  GAVE_UP,
  HAS_SUCCEEDED,
  IS_NOT_VISIBLE_YET,
  IS_REDRIVABLE,
  IS_RUNNING,
  OWNER_NOT_FOUND,
  stepEndsBy,
  visibleBy,
} from '../../state-machine/contract/conditions';
import { type EpochMs, ERROR } from '../../state-machine/contract/index';
import type { JudgedOwner } from '../../state-machine/contract/judged';
import {
  AFTER_THE_STEP,
  BEFORE_THE_STEP,
  FAILS_AFTER_THE_STEP,
  REJECTIONS_BEFORE_THE_STEP,
  RESULTS_AFTER_THE_STEP,
  RESULTS_BEFORE_THE_STEP,
  SENDS_AFTER_THE_STEP,
  SENDS_BEFORE_THE_STEP,
  SENDS_OF_RESULTS,
  STATE,
} from '../../state-machine/contract/state-names';
import type { Workflow } from '../aws/workflow';
import type { StateVisit } from './history';
import type { KeyState } from './key-state';
import { isHeld, isUnfinished, type KeyRecord } from './record';

/** The facts of a key with which its next delivery and its recovery are judged. */
export interface JudgedOwnership extends Pick<KeyState, 'workflow' | 'record' | 'now'> {
  readonly owner: Owner;
  /** Where an ended owner of an unfinished or held record stopped; undefined where that says nothing. */
  readonly stoppedAt: StoppedAt | undefined;
}

/** How the execution that a record names is, judged as the workflow does. Times in epoch milliseconds. */
export type Owner =
  | { readonly kind: 'running'; readonly status: string }
  /** Its record has been written before, or is about to be seen so. */
  | { readonly kind: 'succeeded' }
  | (EndedExecution & { readonly kind: 'mayStillWork' })
  | EndedOwner
  /** Also if there is no record. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'notVisibleYet'; readonly until: number }
  | { readonly kind: 'express' };

/** An execution that has ended without success. */
interface EndedExecution {
  readonly status: string;
  readonly error: string | undefined;
  readonly isRedrivable: boolean;
  readonly redriveCount: number;
  /** True if it ended in a Fail state before its step: a redrive would only end it again. */
  readonly hasGivenUp: boolean;
  /** Until when the step that it called may be running, epoch milliseconds. */
  readonly until: number;
}

/** An execution that has ended without finishing its record, or after having failed. Nothing of it runs any more. */
export type EndedOwner = EndedExecution & { readonly kind: 'ended' };

/** What an owner can be, in words. */
export const OWNER_KINDS = {
  running: 'is running',
  succeeded: 'has succeeded',
  mayStillWork: 'has ended without success, and its step might be running until the time in `until`',
  ended: 'has ended without success, and nothing of it is running',
  unknown: 'Step Functions does not know it',
  notVisibleYet: 'Step Functions does not know it, and might show it until the time in `until`',
  express: 'is an Express execution, which Step Functions cannot describe',
} as const satisfies Readonly<Record<Owner['kind'], string>>;

/** Whether an owner has ended without success, also if its step may still be running. */
export function endedWithoutSuccess(
  owner: Owner,
): owner is EndedExecution & { kind: 'ended' | 'mayStillWork' } {
  return owner.kind === 'ended' || owner.kind === 'mayStillWork';
}

/** Why nothing can be done about a key, by the kind of its owner: any but `ended`. */
export const OWNER_REJECTIONS = {
  running: 'ownerRunning',
  succeeded: 'ownerSucceeded',
  mayStillWork: 'ownerMayStillWork',
  notVisibleYet: 'ownerNotVisibleYet',
  unknown: 'ownerUnknown',
  express: 'ownerExpress',
} as const satisfies Readonly<Record<Exclude<Owner['kind'], 'ended'>, string>>;

/** How the owner is, and where it stopped if it has ended. Pure. */
export function judgeOwnership(state: KeyState): JudgedOwnership {
  const { workflow, record, now } = state;
  const owner = judgeOwner(state);
  return { workflow, record, now, owner, stoppedAt: judgeStop(state, owner) };
}

/** How the owner is, at the time of the reading, by the conditions of the workflow. */
export function judgeOwner(state: Pick<KeyState, 'workflow' | 'record' | 'owner' | 'now'>): Owner {
  const { workflow, record, owner: seen, now } = state;
  if (record === undefined || seen === undefined) return { kind: 'unknown' };
  if (seen.isExpress) return { kind: 'express' };
  const { claimedAt } = record;
  const owner = judgedOwnerOf(seen.description);
  const known = { record: { status: undefined, claimedAt }, owner, now };
  const { status, error, redriveCount = 0 } = owner;
  if (evaluate(IS_NOT_VISIBLE_YET, known)) return { kind: 'notVisibleYet', until: visibleBy({ claimedAt }) };
  if (status === OWNER_NOT_FOUND) return { kind: 'unknown' };
  if (evaluate(IS_RUNNING, known)) return { kind: 'running', status };
  if (evaluate(HAS_SUCCEEDED, known)) return { kind: 'succeeded' };
  const gracePeriod = stepMsOf(workflow, record) / 1000;
  // Without a time of its end, it may have ended just now.
  const until = stepEndsBy(known, gracePeriod) ?? now + gracePeriod * 1000;
  // An execution that holds its own record has waited for the end of its step before.
  const hasHeldItself = status === 'FAILED' && error === ERROR.inDoubt;
  const kind = now < until && !hasHeldItself ? 'mayStillWork' : 'ended';
  const [isRedrivable, hasGivenUp] = [evaluate(IS_REDRIVABLE, known), evaluate(GAVE_UP, known)];
  return { kind, status, error, redriveCount, isRedrivable, hasGivenUp, until };
}

/** How long a step can run, in milliseconds. The owner may have run another definition: the longer time counts. */
export function stepMsOf(
  { stepTimeoutMs, isStepTimeoutGiven }: Workflow,
  record: Pick<KeyRecord, 'stepTimeout'> | undefined,
): number {
  return isStepTimeoutGiven ? stepTimeoutMs : Math.max(stepTimeoutMs, (record?.stepTimeout ?? 0) * 1000);
}

function judgedOwnerOf(description: DescribeExecutionOutput | undefined): JudgedOwner {
  if (description === undefined) return { status: OWNER_NOT_FOUND };
  const { status = 'RUNNING', stopDate, error, redriveCount, redriveStatus } = description;
  return { status, stopDate: stopDate?.getTime() as EpochMs | undefined, error, redriveCount, redriveStatus };
}

/** The place where an ended owner stopped, seen from the business step. `within` also if the place is unknown. */
export type StoppedAt = 'before' | 'within' | 'after';

function judgeStop({ workflow, record, owner }: KeyState, judged: Owner): StoppedAt | undefined {
  if (record === undefined || !endedWithoutSuccess(judged)) return undefined;
  if (!isUnfinished(record) && !isHeld(record, workflow)) return undefined;
  return stoppedAt(owner?.history?.visits ?? []);
}

/** Where an execution that stayed in these states stopped. */
export function stoppedAt(visits: readonly StateVisit[]): StoppedAt {
  const last = visits.at(-1);
  if (!last?.isOurs) return 'within';
  if (last.name === STATE.step) return last.exitedAt === undefined ? 'within' : 'after';
  if (BEFORE.has(last.name)) return 'before';
  return AFTER.has(last.name) ? 'after' : 'within';
}

const BEFORE: ReadonlySet<string> = new Set([
  ...BEFORE_THE_STEP,
  ...SENDS_BEFORE_THE_STEP,
  ...RESULTS_BEFORE_THE_STEP,
  ...REJECTIONS_BEFORE_THE_STEP,
]);

const AFTER: ReadonlySet<string> = new Set([
  ...AFTER_THE_STEP,
  ...SENDS_AFTER_THE_STEP,
  ...RESULTS_AFTER_THE_STEP,
  ...SENDS_OF_RESULTS,
  ...FAILS_AFTER_THE_STEP,
]);
