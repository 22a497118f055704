import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import { ERROR, recordKey } from '../../state-machine/contract/index';
import { type Aws, answerOf } from '../aws/aws';
import { describe } from '../aws/executions';
import { readRecord } from '../key/inspect';
import { type Key, requireKeyOf } from '../key/key';
import { EXIT } from '../program/exit';
import { Refusal } from '../program/refusal';
import { executionNameIn, printable, quoted } from '../text';
import type { Answer, CommandContext } from './answer';

const CAUSE = 'Stopped with `onceflow stop`';

/**
 * Stops the execution that owns a key. Its record stays as it is: recovery, or the next delivery, brings the owner back
 * where it stopped, unless the key is released before. One that is stopped for good is left alone by recovery.
 *
 * @throws Refusal where no execution owns the key, or the owner does not run
 */
export async function stopOwner(context: CommandContext, key: Key, isForGood: boolean): Promise<Answer> {
  const { workflow, aws } = context;
  requireKeyOf(workflow, key);
  const fullKey = recordKey(workflow.scope, key.text);
  const record = await readRecord(context, fullKey);
  if (record === undefined) throw new Refusal(`nothing is stopped: there is no record of ${quoted(fullKey)}`);
  return stopExecution(aws, record.owner, isForGood);
}

const FOR_GOOD =
  'stopped for good: recovery leaves it alone; a redrive, or the next delivery of its key, lets it go on';
const FOR_NOW =
  'stopped; a redrive lets it go on where it stopped, and so does recovery, within a minute or so, where the ' +
  'workflow has it: --for-good keeps recovery from it';

/** Stops an execution of any state machine, by its ARN. @throws Refusal where it does not run, or there is none */
export async function stopExecution(aws: Aws, executionArn: string, isForGood: boolean): Promise<Answer> {
  const name = executionNameIn(executionArn);
  if (executionArn.split(':')[5] === 'express')
    throw new Refusal(`${name} is an Express execution, which nobody can stop; it ends within five minutes`);
  const before = await describe(aws, executionArn);
  if (before === undefined) throw new Refusal(`there is no execution ${executionArn}`);
  if (before.status !== 'RUNNING') throw new Refusal(`${name} does not run: it is ${before.status}`);
  const request = new StopExecutionCommand({
    executionArn,
    cause: CAUSE,
    ...(isForGood && { error: ERROR.stopped }),
  });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  const subject = `execution ${executionArn}`;
  const answer = await answerOf(aws, 'StopExecution', subject, sent, 'ExecutionDoesNotExist');
  if (answer === undefined) throw new Refusal(`there is no execution ${executionArn} any more`);
  return {
    code: EXIT.done,
    json: { executionArn, stopped: true, forGood: isForGood },
    text: () => `${printable(name)} is ${isForGood ? FOR_GOOD : FOR_NOW}\n`,
  };
}
