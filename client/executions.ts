import {
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  StartExecutionCommand,
  StartSyncExecutionCommand,
} from '@aws-sdk/client-sfn';
import { answerOf, isTransient } from './aws';
import type { Call } from './call';
import { StartOnceError } from './errors';
import { Backoff } from './time';

/** The longest delay between two polls, in milliseconds: an account has 10 or 15 DescribeExecution a second. */
const POLL_DELAY_MAX_MS = 5_000;

/** How an execution ended, whichever operation reports it. */
export interface Ending {
  readonly executionArn: string;
  readonly status?: string | undefined;
  readonly output?: string | undefined;
  readonly error?: string | undefined;
  readonly cause?: string | undefined;
}

/** The execution that answers a start, and since when it runs, in epoch milliseconds. */
export interface StartedExecution {
  readonly executionArn: string;
  readonly since: number | undefined;
}

/**
 * Starts an execution of this name, or finds the one that runs under it with the same input; undefined where the name
 * is taken otherwise.
 *
 * @throws StartOnceError
 */
export async function start(call: Call, name: string): Promise<StartedExecution | undefined> {
  const request = new StartExecutionCommand({
    stateMachineArn: call.stateMachineArn,
    name,
    input: call.input,
  });
  const sent = call.sfn.send(request, { abortSignal: call.signal });
  const answer = await answerOf('StartExecution', sent, 'ExecutionAlreadyExists');
  if (answer === undefined) return undefined;
  const executionArn = requireArn('StartExecution', answer.executionArn);
  // An Express execution cannot be looked at: a caller would wait for nothing.
  if (executionArn.split(':')[5] !== 'express') return { executionArn, since: answer.startDate?.getTime() };
  throw new StartOnceError(
    "the state machine is an Express workflow, and has been started; set `type: 'EXPRESS'`",
    {
      operation: 'StartExecution',
      executionArn,
    },
  );
}

/** Runs an Express execution to its end. @throws StartOnceError */
export async function run(call: Call): Promise<Ending> {
  const { stateMachineArn, name, input } = call;
  const request = new StartSyncExecutionCommand({ stateMachineArn, name, input });
  const answer = await answerOf('StartSyncExecution', call.sfn.send(request, { abortSignal: call.signal }));
  return { ...answer, executionArn: requireArn('StartSyncExecution', answer?.executionArn) };
}

/** What is known of an execution, or undefined where it is not visible (yet, or any more). @throws StartOnceError */
export async function describe(
  call: Call,
  executionArn: string,
): Promise<DescribeExecutionOutput | undefined> {
  const sent = call.sfn.send(new DescribeExecutionCommand({ executionArn }), { abortSignal: call.signal });
  return answerOf('DescribeExecution', sent, 'ExecutionDoesNotExist', executionArn);
}

/**
 * How the execution ended, or undefined when the caller's time is over first.
 *
 * A poll that fails transiently is made again: the execution goes on meanwhile. Just after its start it may not be
 * visible yet.
 *
 * @throws StartOnceError where the last poll fails, or any of them for good
 */
export async function endOf(call: Call, executionArn: string): Promise<Ending | undefined> {
  const backoff = new Backoff(POLL_DELAY_MAX_MS);
  for (;;) {
    const isLastPoll = !(await call.patience.pause(backoff.nextMs()));
    try {
      const description = await describe(call, executionArn);
      if (hasEnded(description)) return { ...description, executionArn };
    } catch (error) {
      if (isLastPoll || !isTransient(error)) throw error;
    }
    if (isLastPoll) return undefined;
  }
}

/** The ARN of the execution of this name. */
export function executionArnOf(stateMachineArn: string, name: string): string {
  // Without the version or alias that may follow the machine's name.
  const [arn, partition, service, region, account, , machine] = stateMachineArn.split(':');
  return [arn, partition, service, region, account, 'execution', machine, name].join(':');
}

/**
 * Whether the execution is one of this state machine, which may be looked at. A record's owner need not be: it may be
 * an Express execution, or one of a state machine that had another name.
 */
export function isOfMachine({ stateMachineArn }: Call, executionArn: string): boolean {
  return executionArn.startsWith(executionArnOf(stateMachineArn, ''));
}

function hasEnded(description: DescribeExecutionOutput | undefined): description is DescribeExecutionOutput {
  const status = description?.status;
  return status !== undefined && status !== 'RUNNING' && status !== 'PENDING_REDRIVE';
}

function requireArn(operation: string, executionArn: string | undefined): string {
  if (executionArn !== undefined) return executionArn;
  throw new StartOnceError(`${operation} returned no execution; check the endpoint of the client`, {
    operation,
  });
}
