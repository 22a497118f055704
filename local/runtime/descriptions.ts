import type { Execution, ExecutionStatus } from '../engine/execution';
import type { HistoryEvent } from '../engine/history';
import type { Stored } from './store';

/** DescribeExecution, with times in epoch milliseconds. What the service does not tell is absent. */
export interface ExecutionDescription {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  readonly status: ExecutionStatus;
  readonly startDate: number;
  readonly stopDate?: number;
  readonly input: string;
  readonly inputDetails: { readonly included: boolean };
  readonly output?: string;
  readonly outputDetails?: { readonly included: boolean };
  readonly error?: string;
  readonly cause?: string;
  readonly redriveCount: number;
  readonly redriveStatus: 'REDRIVABLE' | 'NOT_REDRIVABLE';
  readonly redriveStatusReason?: string;
}

/** An item of ListExecutions, with times in epoch milliseconds. */
export interface ExecutionSummary {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  readonly status: ExecutionStatus;
  readonly startDate: number;
  readonly stopDate?: number;
  readonly redriveCount: number;
}

/** An execution as DescribeExecution tells it. */
export function describe({ machineArn, execution }: Stored): ExecutionDescription {
  const output = execution.end?.output;
  return {
    ...summarize({ machineArn, execution }),
    input: execution.input.text,
    inputDetails: { included: true },
    ...(output && { output: output.text, outputDetails: { included: true } }),
    ...(execution.end?.error === undefined ? {} : { error: execution.end.error }),
    ...(execution.end?.cause === undefined ? {} : { cause: execution.end.cause }),
    ...redrivability(execution),
  };
}

/** An execution as ListExecutions tells it. */
export function summarize({
  machineArn,
  execution,
}: Pick<Stored, 'machineArn' | 'execution'>): ExecutionSummary {
  return {
    executionArn: execution.arn,
    stateMachineArn: machineArn,
    name: execution.name,
    status: execution.status,
    startDate: execution.startedAt,
    ...(execution.end && { stopDate: execution.end.at }),
    redriveCount: execution.redriveCount,
  };
}

/** An event as `includeExecutionData: false` shows it: without input and output, with task parameters. */
export function withoutData(event: HistoryEvent): HistoryEvent {
  const stripped = Object.entries(event).map(([name, value]) => [
    name,
    typeof value === 'object' ? withoutMembers(value) : value,
  ]);
  return Object.fromEntries(stripped);
}

const DATA_MEMBERS = new Set(['input', 'inputDetails', 'output', 'outputDetails']);

function withoutMembers(details: object): object {
  return Object.fromEntries(Object.entries(details).filter(([name]) => !DATA_MEMBERS.has(name)));
}

function redrivability({ status }: Execution) {
  if (status !== 'RUNNING' && status !== 'SUCCEEDED') return { redriveStatus: 'REDRIVABLE' } as const;
  const redriveStatusReason = `Execution is ${status} and cannot be redriven`;
  return { redriveStatus: 'NOT_REDRIVABLE', redriveStatusReason } as const;
}
