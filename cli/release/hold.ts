import type { Aws } from '../aws/aws';
import { describe, each, historyOf, listed } from '../aws/executions';
import { visitsIn } from '../key/history';
import { readRecord, type SeenRecord } from '../key/record';
import { hold, letGo } from '../key/write';
import { type Owner, ownerOf } from '../owner';
import { Refusal } from '../refusal';
import { claimedKeys } from '../story/claimed-key';
import { executionNameIn } from '../text';
import type { Workflow } from '../workflow';
import { HELD } from './held';

/** States in which a delivery acts on what it has read before. Everybody else reads the record again first. */
const ACTS_ON_WHAT_IT_READ: ReadonlySet<string> = new Set([
  'Read record',
  'Judge record',
  "Return the owner's result",
  'Ask about the owner',
  'Is the owner alive?',
  "Read the owner's history",
  'Cut off in the step?',
  'Redrive the owner',
]);

/** ListExecutions may not show at once what has just begun. */
const LISTED_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 2_000;
/** Deliveries that act on what they have read get so long to be done with it. */
const PATIENCE_MS = 60_000;
/** So many running executions are looked at. */
const RUNNING_MAX = 500;

/**
 * Does the work on an unfinished record that is held back, so that no delivery that reads it from now on redrives its
 * owner, when those are done that have read it before. The owner is dead still when the work begins.
 *
 * `note` tells this hold from every other. Where the work is not done, the record gets its status back: after a
 * refusal, an error, and Ctrl-C. A process that is killed leaves it held, and another release goes on from there. An
 * owner that was redriven meanwhile finishes a held record as ever.
 *
 * @throws Refusal where the owner was brought back, others are not done with it in time, or the work was refused
 */
export async function whileHeld(
  aws: Aws,
  workflow: Workflow,
  record: SeenRecord,
  owner: Owner,
  note: string,
  work: (held: SeenRecord) => Promise<void>,
): Promise<void> {
  const held = { ...record, status: HELD, error: note };
  try {
    if (!(await hold(aws, workflow, record, note)) && !(await isHeld(aws, workflow, held))) {
      throw new Refusal(
        'nothing was released: the record has changed meanwhile; look at it with `onceflow show`',
      );
    }
    await othersAreDone(aws, workflow, held);
    await requireDeadAsBefore(aws, workflow, held, owner);
    await work(held);
  } catch (error) {
    // Also after Ctrl-C, and where an answer was lost: the condition knows whether it is held, and by whom.
    const { signal: _, ...patient } = aws;
    await letGo(patient, workflow, held).catch(() => {
      throw new Refusal(
        'AWS does not answer, and the record may still be held back (RELEASING): look at it with `onceflow show`, ' +
          'and release it again',
      );
    });
    throw error;
  }
}

async function requireDeadAsBefore(
  aws: Aws,
  workflow: Workflow,
  held: SeenRecord,
  owner: Owner,
): Promise<void> {
  const again = await ownerOf(aws, workflow, held);
  const isAsBefore =
    again.kind === 'dead' && owner.kind === 'dead' && again.redriveCount === owner.redriveCount;
  if (isAsBefore) return;
  throw new Refusal(
    `nothing was released: the owner ${executionNameIn(held.owner)} was redriven by somebody else`,
  );
}

/** A hold that was refused by what it had written itself, its first answer lost. */
async function isHeld(aws: Aws, { table }: Workflow, held: SeenRecord): Promise<boolean> {
  const now = await readRecord(aws, table, held.recordKey);
  return now?.status === HELD && now.error === held.error;
}

async function othersAreDone(aws: Aws, workflow: Workflow, held: SeenRecord): Promise<void> {
  const until = aws.time.elapsed() + PATIENCE_MS;
  await aws.time.sleep(LISTED_WITHIN_MS, aws.signal);
  let pending = await runningOthers(aws, workflow, held);
  while (pending.length > 0) {
    const looks = await each(pending, arn => isActing(aws, workflow, arn, held));
    pending = pending.filter((_, index) => looks[index]);
    if (pending.length === 0) return;
    if (aws.time.elapsed() >= until) {
      const names = pending.map(executionNameIn).join(', ');
      throw new Refusal(
        `nothing was released: ${names} may be about to redrive the owner; try again in a minute`,
      );
    }
    await aws.time.sleep(LOOK_EVERY_MS, aws.signal);
  }
}

async function runningOthers(aws: Aws, { stateMachineArn }: Workflow, held: SeenRecord): Promise<string[]> {
  const arns: string[] = [];
  // In this order: what is about to go on when the first list is made may be running when the second is.
  for (const status of ['PENDING_REDRIVE', 'RUNNING'] as const) {
    const { items, isCutOff } = await listed(aws, {
      stateMachineArn,
      since: 0,
      namesMax: RUNNING_MAX,
      status,
    });
    if (isCutOff) {
      throw new Refusal(
        `nothing was released: more than ${RUNNING_MAX} executions are running, and any of them may be about to ` +
          'redrive the owner; try again when it is quieter',
      );
    }
    arns.push(...items.flatMap(({ executionArn }) => executionArn ?? []));
  }
  return arns.filter(arn => arn !== held.owner);
}

/** Whether an execution of the key may still act on a record that it read before it was held. */
async function isActing(aws: Aws, { prefix }: Workflow, arn: string, held: SeenRecord): Promise<boolean> {
  const events = (await historyOf(aws, arn)) ?? [];
  const keys = claimedKeys(events);
  if (keys.size > 0 && !keys.has(held.recordKey)) return false;
  const last = visitsIn(events, prefix).at(-1);
  if (last === undefined || !ACTS_ON_WHAT_IT_READ.has(last.name)) return false;
  const status = (await describe(aws, arn))?.status;
  return status === 'RUNNING' || status === 'PENDING_REDRIVE';
}
