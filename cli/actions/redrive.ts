import { REDRIVE_WITHIN_MS } from '../../state-machine/contract/recovery-timing';
import { executionNameIn } from '../arns';
import type { Key } from '../key/input/key';
import { requireKeyOf } from '../key/input/resolve-key';
import { inspectKey } from '../key/inspect';
import { judgeKey } from '../key/judge';
import { planRedrive } from '../key/operator/redrive-plan';
import { redriveRejection } from '../key/operator/rejections';
import { KeyWriter } from '../key/operator/write';
import { readRecord } from '../key/read-record';
import { isSame, type RecordState } from '../key/record';
import { EXIT } from '../program/exit';
import { Rejection } from '../program/rejection';
import { printable, quoted } from '../text';
import type { Answer, CommandContext } from './answer';

/**
 * Redrives the ended owner of a key, under the conditions of recovery: a recovery that does the same at this moment and
 * this command redrive it once.
 *
 * `shown` is the record that an operator has decided about: if it is another by now, nothing is redriven.
 *
 * @throws Rejection if the owner runs, its step may still be running, or it cannot be redriven
 */
export async function redriveKey(
  context: CommandContext,
  { key, isForced }: { readonly key: Key; readonly isForced: boolean },
  shown?: RecordState,
): Promise<Answer> {
  requireKeyOf(context.workflow, key);
  const judged = judgeKey(await inspectKey(context, key));
  const { recordKey } = judged;
  const rejection = (reason: string) =>
    new Rejection(`the owner of ${quoted(recordKey)} cannot be redriven: ${reason}`);
  const plan = planRedrive(judged, { isForced });
  if (plan.kind === 'rejected') throw rejection(redriveRejection(judged, plan.reason));
  const { record, owner } = plan;
  // A release that has begun meanwhile counts on this: a redrive is sent within a minute after the record was read.
  const { time } = context.aws;
  const readAt = time.elapsed();
  const current = await readRecord(context, recordKey);
  if (current === undefined || !isSame(current, record) || !isSame(current, shown ?? record))
    throw rejection('the record has changed in the meantime; see `onceflow show`');
  if (time.elapsed() - readAt >= REDRIVE_WITHIN_MS)
    throw rejection('the record was read more than a minute ago. Try again');
  if (!(await new KeyWriter(context).redrive(record, owner)))
    throw rejection('it is already running again, or can no longer resume; see `onceflow show`');
  const name = printable(executionNameIn(record.owner));
  return {
    code: EXIT.done,
    json: { recordKey, redriven: true, owner: record.owner, redriveCount: owner.redriveCount + 1 },
    text: () =>
      `${printable(recordKey)}: ${name} resumes where it stopped. See \`onceflow show\` for what it does\n`,
  };
}
