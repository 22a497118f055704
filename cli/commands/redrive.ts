import { createHash } from 'node:crypto';
import { RedriveExecutionCommand } from '@aws-sdk/client-sfn';
import { recordKey, STATUS } from '../../state-machine/contract/index';
import type { Answer } from '../answer';
import { type Aws, answerOf } from '../aws/aws';
import { EXIT, Refusal } from '../exit';
import type { Command } from '../options';
import type { DeadOwner, Owner } from '../owner';
import { isGone, type SeenRecord } from '../record';
import { situationOf } from '../release/release';
import { executionNameIn, printable } from '../text';
import { dateTime } from '../time-text';
import type { Workflow } from '../workflow';

/**
 * Redrives the dead owner of a key, under the workflow's own conditions and with its token: a delivery that does the
 * same at this moment and this command redrive it once.
 *
 * @throws Refusal where the owner lives, may still be working, or cannot be redriven
 */
export async function redrive(
  aws: Aws,
  workflow: Workflow,
  { key, isForced }: Command & { name: 'redrive' },
): Promise<Answer> {
  const full = recordKey(workflow.scope, key.text);
  const { record, owner, wasInStep, now } = await situationOf(aws, workflow, full);
  const refuse = (reason: string) =>
    new Refusal(`the owner of ${JSON.stringify(full)} is not redriven: ${reason}`);
  if (record === undefined) throw refuse('there is no record of this key');
  if (isGone(record, now)) throw refuse('the record has expired, and the next delivery claims the key anew');
  const dead = requireDead(record, owner, refuse);
  if (workflow.isAtMostOnce && wasInStep && !isForced) {
    throw refuse(
      'it was cut off in its step, which would run again: find out what the step did; then --force, or `onceflow release`',
    );
  }
  const token = createHash('sha256').update(`${record.owner}#${dead.redriveCount}`, 'utf8').digest('hex');
  const request = new RedriveExecutionCommand({ executionArn: record.owner, clientToken: token });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  const answer = await answerOf(
    aws,
    'RedriveExecution',
    `execution ${record.owner}`,
    sent,
    'ExecutionNotRedrivable',
  );
  if (answer === undefined) throw refuse('somebody else was faster, or it cannot go on any more; look again');
  const name = executionNameIn(record.owner);
  return {
    code: EXIT.done,
    json: { recordKey: full, redriven: true, owner: record.owner, redriveCount: dead.redriveCount + 1 },
    text: () => `${printable(name)} goes on where it stopped; look at it with \`onceflow show\`\n`,
  };
}

function requireDead(record: SeenRecord, owner: Owner, refuse: (reason: string) => Refusal): DeadOwner {
  const name = executionNameIn(record.owner);
  const isResultElsewhere = record.status === STATUS.completed && record.result === null;
  if (record.status !== STATUS.inProgress && !isResultElsewhere) {
    throw refuse(`the record is ${record.status}: there is nothing that ${name} could finish`);
  }
  switch (owner.kind) {
    case 'alive':
      throw refuse(`${name} lives: it is ${owner.status}`);
    case 'succeeded':
      throw refuse(`${name} has succeeded`);
    case 'mayStillWork':
      throw refuse(
        `${name} ended ${owner.status} so short a time ago that its step may still be working, ` +
          `until ${dateTime(owner.until)}`,
      );
    case 'express':
      throw refuse('an Express execution cannot be redriven');
    case 'unknown':
    case 'notVisibleYet':
      throw refuse(
        `Step Functions does not know ${name}; a later delivery takes over, or \`onceflow release\` frees the key`,
      );
    case 'dead':
      if (owner.hasGivenUp)
        throw refuse(`${name} had given its claim up, and would end again; the next delivery takes over`);
      if (!owner.isRedrivable) {
        throw refuse(`${name} cannot be redriven (it is too old); the next delivery takes over`);
      }
      return owner;
  }
}
