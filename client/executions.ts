import {
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  StartExecutionCommand,
  StartSyncExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { EpochMs } from '../state-machine/contract/time';
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

/** The execution that answers a start, in times of AWS's clock. */
export interface StartedExecution {
  readonly executionArn: string;
  /** When it began, epoch milliseconds; undefined if the answer does not say so. */
  readonly since: number | undefined;
  /** When it was called, or a second earlier, in epoch milliseconds. */
  readonly calledAt: number;
  /** The time, epoch milliseconds, or a second earlier. */
  now(): EpochMs;
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
  const clock = clockOf(call, request);
  const sent = call.sfn.send(request, { abortSignal: call.signal });
  const answer = await answerOf('StartExecution', sent, 'ExecutionAlreadyExists');
  if (answer === undefined) return undefined;
  const executionArn = requireArn('StartExecution', answer.executionArn);
  // An Express execution cannot be looked at: a caller would wait for nothing.
  if (executionArn.split(':')[5] !== 'express') {
    return { executionArn, since: timeOf(answer.startDate), ...clock() };
  }
  throw new StartOnceError(
    "the state machine is an Express workflow, and has been started; set `type: 'EXPRESS'`",
    {
      operation: 'StartExecution',
      executionArn,
    },
  );
}

/**
 * Reads AWS's clock off the answer to a request that is sent next, because the caller's may be wrong by any time. An
 * answer without a date, as of a mock, is dated by the caller's clock. The time between is measured, so that retries of
 * the SDK and a clock that is set meanwhile change nothing.
 */
function clockOf({ time }: Call, request: StartExecutionCommand) {
  const begun = time.elapsed();
  let atBegin: number = time.now();
  request.middlewareStack.add(
    next => async args => {
      const answer = await next(args);
      const { headers } = answer.response as { readonly headers?: Readonly<Record<string, string>> };
      const date = Date.parse(headers?.['date'] ?? '');
      if (!Number.isNaN(date)) atBegin = date - (time.elapsed() - begun);
      return answer;
    },
    // Without a name, which a middleware of the client could have, too.
    { step: 'deserialize', priority: 'low' },
  );
  return (): Pick<StartedExecution, 'calledAt' | 'now'> => ({
    calledAt: atBegin,
    now: () => (atBegin + time.elapsed() - begun) as EpochMs,
  });
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

function timeOf(date: Date | undefined): number | undefined {
  const ms = date?.getTime();
  return Number.isNaN(ms) ? undefined : ms;
}
