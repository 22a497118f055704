import { inspectKey, readRecord } from '../key/inspect';
import { judgeKey } from '../key/judge';
import { type Key, requireKeyOf } from '../key/key';
import { isSame, type RecordState } from '../key/record';
import { planRedrive } from '../key/redrive-plan';
import { redriveRefusal } from '../key/refusals';
import { KeyWriter } from '../key/write';
import { EXIT } from '../program/exit';
import { Refusal } from '../program/refusal';
import { executionNameIn, printable } from '../text';
import type { Answer, CommandContext } from './answer';

/**
 * Redrives the dead owner of a key, under the workflow's own conditions: a delivery that does the same at this moment
 * and this command redrive it once.
 *
 * `shown` is the record that somebody has decided about: where it is another by now, nothing is redriven.
 *
 * @throws Refusal where the owner lives, may still be working, or cannot be redriven
 */
export async function redriveKey(
  context: CommandContext,
  { key, isForced }: { readonly key: Key; readonly isForced: boolean },
  shown?: RecordState,
): Promise<Answer> {
  requireKeyOf(context.workflow, key);
  const judged = judgeKey(await inspectKey(context, key));
  const { recordKey } = judged;
  const refusal = (reason: string) =>
    new Refusal(`the owner of ${JSON.stringify(recordKey)} is not redriven: ${reason}`);
  const plan = planRedrive(judged, { isForced });
  if (plan.kind === 'refused') throw refusal(redriveRefusal(judged, plan.reason));
  const { record, owner } = plan;
  // The owner was looked at for a while, in which somebody may have begun to release the key.
  const current = await readRecord(context, recordKey);
  if (current === undefined || !isSame(current, record) || !isSame(current, shown ?? record))
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
