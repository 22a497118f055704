import { inspectKey, readRecord } from '../key/inspect';
import { type JudgedKey, judgeKey } from '../key/judge';
import { requireKeyOf } from '../key/key';
import { isSame } from '../key/record';
import { planRedrive, type RedriveRefusal } from '../key/redrive-plan';
import { KeyWriter } from '../key/write';
import type { Command } from '../options';
import { EXIT } from '../program/exit';
import { Refusal } from '../refusal';
import { nextInWords } from '../render/key-facts';
import { dateTime, executionNameIn, printable } from '../text';
import type { Answer, CommandContext } from './command';

/**
 * Redrives the dead owner of a key, under the workflow's own conditions: a delivery that does the same at this moment
 * and this command redrive it once.
 *
 * @throws Refusal where the owner lives, may still be working, or cannot be redriven
 */
export async function redrive(
  context: CommandContext,
  { key, isForced }: Command & { name: 'redrive' },
): Promise<Answer> {
  requireKeyOf(context.workflow, key);
  const judged = judgeKey(await inspectKey(context, key));
  const { recordKey } = judged;
  const refusal = (reason: string) =>
    new Refusal(`the owner of ${JSON.stringify(recordKey)} is not redriven: ${reason}`);
  const plan = planRedrive(judged, { isForced });
  if (plan.kind === 'refused') throw refusal(reasonInWords(judged, plan.reason));
  const { record, owner } = plan;
  // The owner was looked at for a while, in which somebody may have begun to release the key.
  const current = await readRecord(context, recordKey);
  if (current === undefined || !isSame(current, record))
    throw refusal('the record has changed meanwhile; look again');
  if (!(await new KeyWriter(context).redrive(record, owner)))
    throw refusal('somebody else was faster, or it cannot go on any more; look again');
  const name = printable(executionNameIn(record.owner));
  return {
    code: EXIT.done,
    json: { recordKey, redriven: true, owner: record.owner, redriveCount: owner.redriveCount + 1 },
    text: () => `${name} goes on where it stopped; look at it with \`onceflow show\`\n`,
  };
}

function reasonInWords(key: JudgedKey, reason: RedriveRefusal): string {
  const { record, owner, nextDelivery } = key;
  if (record === undefined) return 'there is no record of this key';
  const name = executionNameIn(record.owner);
  const next = nextInWords(nextDelivery, record);
  const ended = 'status' in owner ? owner.status : '';
  const until = 'until' in owner ? dateTime(owner.until) : '';
  switch (reason) {
    case 'noRecord':
      return 'there is no record of this key';
    case 'expired':
      return 'the record has expired, and the next delivery claims the key anew';
    case 'reserved':
      return 'a release has reserved the record, or was broken off: `onceflow release` goes on from there';
    case 'nothingToFinish':
      return `the record is ${record.status}: there is nothing that ${name} could finish`;
    case 'ownerAlive':
      return `${name} lives: it is ${ended}`;
    case 'ownerSucceeded':
      return `${name} has succeeded; if the record stays as it is, ${next}`;
    case 'ownerMayStillWork':
      return `${name} ended ${ended} so short a time ago that its step may still be working, until ${until}`;
    case 'ownerExpress':
      return 'an Express execution cannot be redriven';
    case 'ownerNotVisibleYet':
      return `Step Functions does not know ${name} yet; look again at ${until}`;
    case 'ownerUnknown':
      return `Step Functions does not know ${name}; ${next}`;
    case 'ownerHasGivenUp':
      return `${name} had given its claim up, and would end again; ${next}`;
    case 'ownerTooOld':
      return `${name} cannot be redriven (it is too old); ${next}`;
    case 'cutOffInStep':
      return 'it was cut off in its step, which would run again: find out what the step did; then --force, or `onceflow release`';
  }
}
