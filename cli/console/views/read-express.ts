import type { DescribeStateMachineOutput } from '@aws-sdk/client-sfn';
import type { ExecutionView } from '@onceflow/console';
import type { Aws } from '../../aws/aws';
import { describeStateMachine } from '../../aws/state-machines';
import type { LocalStackAccess } from '../../dev/local-stack-access';
import { Rejection } from '../../program/rejection';

/** Whether Step Functions keeps no history of an execution, by its ARN. */
export function isExpress(executionArn: string): boolean {
  return /^arn:[^:]+:states:[^:]+:\d+:express:/.test(executionArn);
}

/**
 * An Express execution, as far as its log tells: on a stack of this process. Elsewhere the log is in CloudWatch, which
 * is not read here.
 *
 * @throws Rejection with the command that gets the log, if there is nothing to read here
 */
export async function readExpress(
  aws: Aws,
  executionArn: string,
  local: LocalStackAccess | undefined,
): Promise<ExecutionView> {
  const [head = '', machine = ''] = executionArn.split(':express:');
  const [stateMachine = '', ...names] = machine.split(':');
  const stateMachineArn = `${head}:stateMachine:${stateMachine}`;
  const answer = await describeStateMachine(aws, stateMachineArn);
  const events = local?.logged(executionArn) ?? [];
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) throw new Rejection(whereItIs(executionArn, answer));
  const details = detailsOf(last);
  const status = STATUSES[last.type];
  return {
    executionArn,
    name: names.join(':'),
    stateMachine,
    status: status ?? 'RUNNING',
    start: first.timestamp,
    stop: status === undefined ? null : last.timestamp,
    redriveCount: 0,
    input: detailsOf(first)['input'] ?? null,
    output: details['output'] ?? null,
    error: details['error'] ?? null,
    cause: details['cause'] ?? null,
    definition: answer?.definition ?? null,
    events,
    actions: [],
    reading: null,
  };
}

const STATUSES: Readonly<Record<string, string>> = {
  ExecutionSucceeded: 'SUCCEEDED',
  ExecutionFailed: 'FAILED',
  ExecutionAborted: 'ABORTED',
  ExecutionTimedOut: 'TIMED_OUT',
};

function detailsOf(event: ExecutionView['events'][number]): Readonly<Record<string, string | undefined>> {
  const found = Object.entries(event).find(([name]) => name.endsWith('EventDetails'));
  return (found?.[1] ?? {}) as Readonly<Record<string, string | undefined>>;
}

function whereItIs(executionArn: string, answer: DescribeStateMachineOutput | undefined): string {
  const { level = 'OFF', includeExecutionData, destinations = [] } = answer?.loggingConfiguration ?? {};
  const begin = 'Step Functions keeps no history of Express executions';
  const group = destinations[0]?.cloudWatchLogsLogGroup?.logGroupArn?.split(':log-group:')[1];
  if (level === 'OFF' || group === undefined)
    return `${begin}, and this state machine has no log; give the workflow \`logs\` with level ALL`;
  const isAll = level === 'ALL' && includeExecutionData === true;
  const more = isAll ? '' : `. It logs with level ${level}${level === 'ALL' ? ', without data' : ''}`;
  return (
    `${begin}; what this one has logged is printed by aws logs filter-log-events ` +
    `--log-group-name ${group.replace(/:\*$/, '')} --filter-pattern '{ $.execution_arn = "${executionArn}" }' ` +
    `> log.json, and shown by "Open a history"${more}`
  );
}
