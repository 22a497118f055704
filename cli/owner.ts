import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { ERROR } from '../state-machine/contract/index';
import type { Aws } from './aws/aws';
import { describe, historyOf } from './aws/executions';
import type { SeenRecord } from './record';
import { visitsIn } from './story/visits';
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
  return judgeOwner(seen, record, aws.time.now(), workflow.stepTimeoutMs);
}

/** The judgement alone. */
export function judgeOwner(
  seen: DescribeExecutionOutput | undefined,
  { claimedAt }: Pick<SeenRecord, 'claimedAt'>,
  now: number,
  stepTimeoutMs: number,
): Owner {
  if (seen === undefined) {
    const until = Date.parse(claimedAt ?? '') + VISIBLE_WITHIN_MS;
    return now < until ? { kind: 'notVisibleYet', until } : { kind: 'unknown' };
  }
  const { status = 'RUNNING', stopDate, error, redriveStatus, redriveCount = 0 } = seen;
  if (status === 'RUNNING' || status === 'PENDING_REDRIVE') return { kind: 'alive', status };
  if (status === 'SUCCEEDED') return { kind: 'succeeded' };
  const until = (stopDate?.getTime() ?? 0) + stepTimeoutMs;
  // One that has parked its own record had waited for the end of its step before.
  const hasParkedItself = status === 'FAILED' && error === ERROR.inDoubt;
  if (now < until && !hasParkedItself) return { kind: 'mayStillWork', status, until };
  return {
    kind: 'dead',
    status,
    error,
    redriveCount,
    isRedrivable: redriveStatus === 'REDRIVABLE',
    hasGivenUp: status === 'FAILED' && error === ERROR.claimContended,
  };
}

/**
 * Whether the owner may have been cut off within its step: true unless its history shows that it was elsewhere. Also
 * for a history that there is not any more.
 */
export async function wasCutOffInTheStep(aws: Aws, { prefix }: Workflow, owner: string): Promise<boolean> {
  const events = await historyOf(aws, owner);
  const last = events && visitsIn(events, prefix).at(-1);
  return last === undefined || (last.name === 'Business step' && last.exitedAt === undefined) || !last.isOurs;
}

function isExpress(executionArn: string): boolean {
  return executionArn.split(':')[5] === 'express';
}
