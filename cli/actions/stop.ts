import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import { ERROR, recordKey } from '../../state-machine/contract/index';
import { executionNameIn } from '../arns';
import { type Aws, answerOf } from '../aws/aws';
import { describe } from '../aws/executions';
import type { Key } from '../key/input/key';
import { KEYS_LISTED } from '../key/input/key-problem';
import { requireKeyOf } from '../key/input/resolve-key';
import { readRecord } from '../key/read-record';
import { STOPPED_FOR_GOOD } from '../key/what-is-next';
import { EXIT } from '../program/exit';
import { Rejection } from '../program/rejection';
import { printable, quoted } from '../text';
import type { Answer, CommandContext } from './answer';

const CAUSE = 'Stopped with onceflow stop';
const CHECK_ARN = 'Check the ARN, AWS_REGION and AWS_PROFILE';

/**
 * Stops the execution that owns a key. Its record stays as it is: recovery, or the next delivery, brings the owner back
 * where it stopped, unless the key is released before. One that is stopped for good is left alone by recovery.
 *
 * @throws Rejection where no execution owns the key, or the owner does not run
 */
export async function stopOwner(context: CommandContext, key: Key, isForGood: boolean): Promise<Answer> {
  const { workflow, aws } = context;
  requireKeyOf(workflow, key);
  const fullKey = recordKey(workflow.scope, key.text);
  const record = await readRecord(context, fullKey);
  if (record === undefined)
    throw new Rejection(
      `nothing was stopped, because ${quoted(fullKey)} has no record. Check the key: ${KEYS_LISTED}`,
    );
  return stopExecution(aws, record.owner, isForGood, fullKey);
}

const FOR_NOW =
  'stopped. A redrive resumes it where it stopped, and so does recovery within about a minute, if the workflow has it. ' +
  'At most once, recovery holds the key if the step was running. To keep it stopped, pass --for-good';

/**
 * Stops an execution of any state machine, by its ARN; `ownedKey` is the key that it was found by.
 *
 * @throws Rejection if it is not running, or does not exist
 */
export async function stopExecution(
  aws: Aws,
  executionArn: string,
  isForGood: boolean,
  ownedKey?: string,
): Promise<Answer> {
  const name = executionNameIn(executionArn);
  if (executionArn.split(':')[5] === 'express')
    throw new Rejection(
      `${name} is an Express execution, which Step Functions cannot stop. It ends within five minutes`,
    );
  const before = await describe(aws, executionArn);
  if (before === undefined) throw new Rejection(`there is no execution ${executionArn}. ${CHECK_ARN}`);
  if (before.status !== 'RUNNING')
    throw new Rejection(`${name} is not running: it is ${before.status}, so there is nothing to stop`);
  const request = new StopExecutionCommand({
    executionArn,
    cause: CAUSE,
    ...(isForGood && { error: ERROR.stopped }),
  });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  const subject = `execution ${executionArn}`;
  const answer = await answerOf(aws, 'StopExecution', subject, sent, 'ExecutionDoesNotExist');
  if (answer === undefined)
    throw new Rejection(`the execution ${executionArn} no longer exists. ${CHECK_ARN}`);
  return {
    code: EXIT.done,
    json: { executionArn, stopped: true, forGood: isForGood },
    text: () => {
      const owned = ownedKey === undefined ? '' : `${printable(ownedKey)}: `;
      return `${owned}${printable(name)} is ${isForGood ? STOPPED_FOR_GOOD : FOR_NOW}\n`;
    },
  };
}
