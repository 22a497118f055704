import { createHash } from 'node:crypto';
import { StartExecutionCommand } from '@aws-sdk/client-sfn';
import { retryName, SUFFIX_LENGTH } from '../../state-machine/contract/execution-name';
import { executionName } from '../../state-machine/contract/index';
import { answerOf } from '../aws/aws';
import { describe } from '../aws/executions';
import type { WorkflowAccess } from '../aws/workflow';
import { Rejection } from '../program/rejection';

/** An input to deliver again. */
export interface RepeatedInput {
  readonly keyText: string;
  readonly input: string | undefined;
  /** What the name of the execution is made from: of two deliveries with the same there is one. */
  readonly once: string;
}

const DEATHS: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT', 'ABORTED']);

/**
 * Starts the workflow with an input that it has had before, under the workflow's own rules. Resolves to what was done.
 *
 * @throws Rejection where the name is taken by an execution that has ended without succeeding, or AWS rejects the start
 */
export async function startAgain(
  { aws, workflow }: WorkflowAccess,
  { keyText, input, once }: RepeatedInput,
): Promise<string> {
  const suffix = createHash('sha256').update(once, 'utf8').digest('hex').slice(0, SUFFIX_LENGTH);
  const name = retryName(executionName(keyText, workflow.executionNames), suffix);
  const { stateMachineArn } = workflow;
  const request = new StartExecutionCommand({ stateMachineArn, name, input });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  const subject = `state machine ${workflow.name}`;
  const answer = await answerOf(aws, 'StartExecution', subject, sent, 'ExecutionAlreadyExists');
  if (answer !== undefined) return `started ${name}`;
  // It did not end as those that were looked for, or has not been listed yet.
  const arn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  const { status } = (await describe(aws, arn)) ?? {};
  if (status === undefined || !DEATHS.has(status)) return `${name} had already been started`;
  throw new Rejection(
    `${name} had already been started, and is ${status}. Run the command again, without --error`,
  );
}
