import { createHash } from 'node:crypto';
import { RedriveExecutionCommand } from '@aws-sdk/client-sfn';
import { recordKey, STATUS } from '../../state-machine/contract/index';
import type { Answer } from '../answer';
import { type Aws, answerOf } from '../aws/aws';
import { type Situation, situationOf } from '../key/inspect';
import { nextDelivery, nextInWords } from '../key/judge';
import { isGone, isSame, readRecord, type SeenRecord } from '../key/record';
import type { Command } from '../options';
import type { DeadOwner } from '../owner';
import { EXIT } from '../program/exit';
import { Refusal } from '../refusal';
import { HELD } from '../release/held';
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
  const situation = await situationOf(aws, workflow, full);
  const { record, place, now } = situation;
  const refuse = (reason: string) =>
    new Refusal(`the owner of ${JSON.stringify(full)} is not redriven: ${reason}`);
  if (record === undefined) throw refuse('there is no record of this key');
  if (isGone(record, now)) throw refuse('the record has expired, and the next delivery claims the key anew');
  const dead = requireDead(situation, record, refuse);
  if (workflow.isAtMostOnce && place === 'within' && !isForced) {
    throw refuse(
      'it was cut off in its step, which would run again: find out what the step did; then --force, or `onceflow release`',
    );
  }
  // To judge it took a while, in which somebody may have begun to release the key.
  const again = await readRecord(aws, workflow.table, full);
  if (again === undefined || !isSame(again, record))
    throw refuse('the record has changed meanwhile; look again');
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

function requireDead(
  situation: Situation,
  record: SeenRecord,
  refuse: (reason: string) => Refusal,
): DeadOwner {
  const { owner } = situation;
  const name = executionNameIn(record.owner);
  const next = nextInWords(nextDelivery(situation), record);
  if (record.status === HELD) {
    throw refuse('a release holds the record back, or was broken off: `onceflow release` goes on from there');
  }
  const isResultElsewhere = record.status === STATUS.completed && record.result === null;
  if (record.status !== STATUS.inProgress && !isResultElsewhere) {
    throw refuse(`the record is ${record.status}: there is nothing that ${name} could finish`);
  }
  switch (owner.kind) {
    case 'alive':
      throw refuse(`${name} lives: it is ${owner.status}`);
    case 'succeeded':
      throw refuse(`${name} has succeeded; if the record stays as it is, ${next}`);
    case 'mayStillWork':
      throw refuse(
        `${name} ended ${owner.status} so short a time ago that its step may still be working, ` +
          `until ${dateTime(owner.until)}`,
      );
    case 'express':
      throw refuse('an Express execution cannot be redriven');
    case 'notVisibleYet':
      throw refuse(`Step Functions does not know ${name} yet; look again at ${dateTime(owner.until)}`);
    case 'unknown':
      throw refuse(`Step Functions does not know ${name}; ${next}`);
    case 'dead':
      if (owner.hasGivenUp) throw refuse(`${name} had given its claim up, and would end again; ${next}`);
      if (!owner.isRedrivable) {
        throw refuse(`${name} cannot be redriven (it is too old); ${next}`);
      }
      return owner;
  }
}
