import type { ChildInput, EndedMapRun, MapRun, MapRunCounts } from '../../engine/index';
import type { StoredExecution } from '../store/store';
import { childMachineArn } from './child-machine';
import { RunCounts } from './run-counts';

/** A Map Run as an execution knows it: with `taskId` and `inputs` while it runs, with `ended` afterwards. */
export interface KnownMapRun {
  readonly stored: StoredExecution;
  readonly run: MapRun;
  readonly taskId?: string;
  readonly inputs?: readonly ChildInput[];
  readonly ended?: EndedMapRun;
}

/** How many are how far, as the API says it. */
export interface ApiCounts extends MapRunCounts {
  readonly resultsWritten: number;
  readonly failuresNotRedrivable: number;
  readonly pendingRedrive: number;
}

/** DescribeMapRun, with times in epoch milliseconds. */
export interface MapRunDescription {
  readonly mapRunArn: string;
  readonly executionArn: string;
  readonly status: 'RUNNING' | EndedMapRun['status'];
  readonly startDate: number;
  readonly stopDate?: number;
  readonly maxConcurrency: number;
  readonly toleratedFailurePercentage: number;
  readonly toleratedFailureCount: number;
  readonly itemCounts: ApiCounts;
  readonly executionCounts: ApiCounts;
  readonly redriveCount: number;
}

/** An item of ListMapRuns, with times in epoch milliseconds. */
export interface MapRunSummary {
  readonly executionArn: string;
  readonly mapRunArn: string;
  readonly stateMachineArn: string;
  readonly startDate: number;
  readonly stopDate?: number;
}

/** A Map Run as DescribeMapRun returns it; `counts` are those of one that runs, if it runs in this process. */
export function describeMapRun(
  { stored, run, inputs = [], ended }: KnownMapRun,
  counts: Pick<RunCounts, 'executions' | 'items'> = new RunCounts(inputs),
): MapRunDescription {
  return {
    mapRunArn: run.arn,
    executionArn: stored.execution.arn,
    status: ended?.status ?? 'RUNNING',
    startDate: run.startedAt,
    ...(ended && { stopDate: ended.endedAt }),
    maxConcurrency: run.maxConcurrency,
    toleratedFailurePercentage: run.toleratedFailurePercentage,
    toleratedFailureCount: run.toleratedFailureCount,
    itemCounts: apiCounts((ended ?? counts).items, ended !== undefined),
    executionCounts: apiCounts((ended ?? counts).executions, ended !== undefined),
    redriveCount: 0,
  };
}

/** A Map Run as ListMapRuns returns it. */
export function summarizeMapRun({ stored, run, ended }: KnownMapRun): MapRunSummary {
  return {
    executionArn: stored.execution.arn,
    mapRunArn: run.arn,
    stateMachineArn: childMachineArn(run.arn),
    startDate: run.startedAt,
    ...(ended && { stopDate: ended.endedAt }),
  };
}

/** Redriving a run is not built here, so none of its failures can be. */
function apiCounts(counts: MapRunCounts, hasEnded: boolean): ApiCounts {
  const failuresNotRedrivable = counts.failed + counts.timedOut + counts.aborted;
  const resultsWritten = hasEnded ? counts.succeeded : 0;
  return { ...counts, resultsWritten, failuresNotRedrivable, pendingRedrive: 0 };
}
