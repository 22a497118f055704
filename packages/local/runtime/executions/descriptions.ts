import type { ExecutionStatus } from '../../engine/index';
import type { ListedExecution, StoredExecution } from '../store/store';
import { storedRedriveProblem } from './redrivability';

/**
 * DescribeExecution, with times in epoch milliseconds. What the service does not return is absent.
 *
 * @example
 * const { status, output } = await stack.runtime.describeExecution(executionArn);
 */
export interface ExecutionDescription extends Omit<ExecutionSummary, 'itemCount'> {
  readonly input: string;
  readonly inputDetails: { readonly included: boolean };
  readonly output?: string;
  readonly outputDetails?: { readonly included: boolean };
  readonly error?: string;
  readonly cause?: string;
  readonly redriveStatus: 'REDRIVABLE' | 'NOT_REDRIVABLE';
  readonly redriveStatusReason?: string;
}

/** An item of ListExecutions, with times in epoch milliseconds. */
export interface ExecutionSummary {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly stateMachineVersionArn?: string;
  readonly stateMachineAliasArn?: string;
  readonly name: string;
  readonly status: ExecutionStatus;
  readonly startDate: number;
  readonly stopDate?: number;
  readonly redriveCount: number;
  readonly redriveDate?: number;
  /** Of an execution of a Map Run; in a list, only if those are what is listed. */
  readonly mapRunArn?: string;
  readonly itemCount?: number;
}

/** An execution as DescribeExecution returns it at `now`, epoch milliseconds. */
export function describe(
  { choice, execution }: Pick<StoredExecution, 'choice' | 'execution'>,
  now: number,
): ExecutionDescription {
  const output = execution.end?.output;
  return {
    ...summarize({ choice, execution }),
    input: execution.input.text,
    inputDetails: { included: true },
    ...(output && { output: output.text, outputDetails: { included: true } }),
    ...(execution.end?.error === undefined ? {} : { error: execution.end.error }),
    ...(execution.end?.cause === undefined ? {} : { cause: execution.end.cause }),
    ...(choice.mapRun && { mapRunArn: choice.mapRun.arn }),
    ...redrivability({ choice, execution }, now),
  };
}

export function summarize({ choice, execution }: ListedExecution): ExecutionSummary {
  return {
    executionArn: execution.arn,
    stateMachineArn: choice.machine.arn,
    ...(choice.versionArn !== undefined && { stateMachineVersionArn: choice.versionArn }),
    ...(choice.aliasArn !== undefined && { stateMachineAliasArn: choice.aliasArn }),
    name: execution.name,
    status: execution.status,
    startDate: execution.startedAt,
    ...(execution.end && { stopDate: execution.end.at }),
    redriveCount: execution.redriveCount,
    ...(execution.redrivenAt === null ? {} : { redriveDate: execution.redrivenAt }),
  };
}

function redrivability(stored: Pick<StoredExecution, 'choice' | 'execution'>, now: number) {
  const redriveStatusReason = storedRedriveProblem(stored, now);
  if (redriveStatusReason === undefined) return { redriveStatus: 'REDRIVABLE' } as const;
  return { redriveStatus: 'NOT_REDRIVABLE', redriveStatusReason } as const;
}

/** Members of a description that are an execution's data. */
const DATA_MEMBERS = new Set(['input', 'output']);

/** A description without the execution's data, where only metadata is asked for; the error stays. */
export function withIncluded(
  answer: object,
  includedData: 'ALL_DATA' | 'METADATA_ONLY' = 'ALL_DATA',
): object {
  if (includedData === 'ALL_DATA') return answer;
  const members = Object.entries(answer).filter(([name]) => !DATA_MEMBERS.has(name));
  const metadata = members.map(([name, value]) =>
    name === 'inputDetails' || name === 'outputDetails' ? [name, { included: false }] : [name, value],
  );
  return Object.fromEntries(metadata);
}
