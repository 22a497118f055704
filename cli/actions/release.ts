import { randomUUID } from 'node:crypto';
import { executionNameIn } from '../arns';
import type { Key } from '../key/input/key';
import { requireKeyOf } from '../key/input/resolve-key';
import { inspectKey } from '../key/inspect';
import { type JudgedKey, judgeKey } from '../key/judge';
import { keyFacts } from '../key/key-facts';
import { releaseRejection } from '../key/operator/rejections';
import { RESERVED_FOR_MS, release } from '../key/operator/release';
import { planRelease, type ReadyRelease, type ReleaseOptions } from '../key/operator/release-plan';
import { operatorName, reservationOf, reservedInWords } from '../key/operator/reservation';
import { isSame, type RecordState } from '../key/record';
import { facts, hanging } from '../layout';
import { EXIT } from '../program/exit';
import { Rejection, usage } from '../program/rejection';
import type { Style } from '../terminal';
import { age, duration, printable, QUOTED_MAX, quoted, shortened } from '../text';
import type { Answer, CommandContext } from './answer';

/** The words for an action on a key. */
function verbOf({ completion }: Pick<ReleaseOptions, 'completion'>): string {
  return completion === undefined ? 'released' : 'completed';
}

/** The key to free, and how. */
type WhichRelease = ReleaseOptions & { readonly key: Key };

/** Releases a key, after asking. @throws Rejection if that is not safe, or was not confirmed */
export async function releaseKey(
  context: CommandContext,
  options: WhichRelease & { readonly isConfirmed: boolean },
): Promise<Answer> {
  const { workflow, terminal } = context;
  requireKeyOf(workflow, options.key);
  const key = judgeKey(await inspectKey(context, options.key));
  const { recordKey } = key;
  const plan = planRelease(key, options);
  if (plan.kind === 'rejected')
    throw new Rejection(
      `${quoted(recordKey)} cannot be ${verbOf(options)}: ${releaseRejection(key, plan.reason)}`,
    );
  if (plan.kind === 'free') {
    const text = `${quoted(recordKey)} is already free: ${freeInWords(key, plan.reason)}\n`;
    const json = { recordKey, released: false, reason: plan.reason };
    return { code: EXIT.done, json, text: () => text };
  }
  if (options.isConfirmed) terminal.say(`${planInWords(terminal.style, plan)}\n`);
  else await confirm(context, key, plan);
  terminal.progress(`the key is being ${verbOf(options)}`);
  return releaseAsShown(context, options, plan.record);
}

/**
 * Releases a key whose record an operator has been shown, and has decided about.
 *
 * @throws Rejection if the record is another by now, or its release is not safe any more
 */
export async function releaseAsShown(
  context: CommandContext,
  options: WhichRelease,
  shown: RecordState,
): Promise<Answer> {
  // The operator took a while to say yes, and in any case the key was read before.
  const again = judgeKey(await inspectKey(context, options.key));
  const { recordKey } = again;
  const plan = stillReady(again, shown, options);
  await release(context, plan, {
    token: randomUUID(),
    by: options.completion?.by ?? operatorName(),
    progress: context.terminal.progress,
  });
  const dangers = dangersOf(plan);
  const { action, nextAttempt, completion } = plan;
  return {
    code: EXIT.done,
    json: completion
      ? { recordKey, completed: true, attempt: nextAttempt, by: completion.by, reason: completion.reason }
      : { recordKey, released: true, action, nextAttempt, dangers },
    text: style => {
      const warnings = dangers.map(danger => `${hanging(style, 'Warning: ', danger)}\n`).join('');
      const next = completion
        ? 'deliveries get its result, and the step does not run again'
        : `the next delivery runs the step as attempt ${nextAttempt}`;
      return `${printable(recordKey)} is ${verbOf(plan)}: ${next}\n${warnings}`;
    },
  };
}

async function confirm({ terminal }: CommandContext, key: JudgedKey, plan: ReadyRelease): Promise<void> {
  if (!terminal.isAttended)
    throw usage('there is no terminal to ask on. Pass --yes to act without a question');
  const { style } = terminal;
  const known = facts(style, keyFacts(key, plan.record));
  const text = `${printable(key.recordKey)}\n\n${known}\n\n${planInWords(style, plan)}\n\n`;
  const question = plan.completion ? 'Complete the key with this result?' : 'Release the key?';
  if (!(await terminal.confirm(text, question))) throw new Rejection(`nothing was ${verbOf(plan)}`);
}

/** The plan as it is now, if it is still about the record that was shown. */
function stillReady(key: JudgedKey, shown: RecordState, options: ReleaseOptions): ReadyRelease {
  const plan = planRelease(key, options);
  if (plan.kind === 'ready' && isSame(plan.record, shown)) return plan;
  const reason =
    plan.kind === 'ready'
      ? 'the record has changed in the meantime; see `onceflow show`'
      : plan.kind === 'free'
        ? freeInWords(key, plan.reason)
        : releaseRejection(key, plan.reason);
  throw new Rejection(`nothing was ${verbOf(options)}: ${reason}`);
}

function planInWords(style: Style, plan: ReadyRelease): string {
  const lines = effectsOf(plan).map(effect => hanging(style, '  - ', effect));
  const mind = dangersOf(plan).map(danger => hanging(style, '  ! ', danger));
  return ['This', ...lines, ...(mind.length > 0 ? ['Warning:', ...mind] : [])].join('\n');
}

/** What a release does to the record, a sentence each that goes on from "This". */
export function effectsOf(plan: ReadyRelease): readonly string[] {
  const { action, nextAttempt, isReservedFirst, completion } = plan;
  const reserved = isReservedFirst
    ? [
        `reserves the record first, until a redrive of the owner can no longer arrive: ${duration(RESERVED_FOR_MS)}`,
      ]
    : [];
  if (completion)
    return [
      ...reserved,
      `takes the record over as attempt ${nextAttempt}, so that no late write of the owner counts`,
      `marks the record as COMPLETED: each later delivery, request and \`startOnce\` gets the result ${shortened(completion.result, QUOTED_MAX)}`,
      `keeps in the record who completed it (${completion.by}), when, and why: ${completion.reason}`,
    ];
  return action === 'delete'
    ? [
        ...reserved,
        'deletes the record: the next delivery runs the step, with any payload',
        'attempts restart at 1, so an attempt is not a fencing token across this release',
      ]
    : [
        ...reserved,
        `marks the record as released: the next delivery with the same payload runs the step as attempt ${nextAttempt}`,
      ];
}

const STEP_BEFORE = {
  ran: ['the step has already run completely: release the key only if you know that it can run again'],
  mayHaveRun: [
    'the step might already have had its effect: release the key only if you know that it can run again',
  ],
  notBegun: [],
} as const satisfies Record<ReadyRelease['stepBefore'], readonly string[]>;

/** What an operator who releases a key has to mind, a sentence each. */
export function dangersOf(plan: ReadyRelease): readonly string[] {
  const { stepBefore, mustNotBeRedriven, record, completion, hasDestination } = plan;
  const reservation = reservationOf(record);
  const taken =
    reservation === undefined
      ? []
      : [`this takes the place of what another operator does: ${reservedInWords(reservation)}`];
  if (completion)
    return [
      ...taken,
      'the step never runs again for this key: if it has not taken effect, release the key instead',
      ...(hasDestination
        ? ['the success destination gets no message: if its consumer needs the result, send it yourself']
        : []),
    ];
  const name = executionNameIn(record.owner);
  const redrive =
    `do not redrive ${name} from now on: it was interrupted in its step, ` +
    'and would run the step at the same time as the next owner';
  return [...taken, ...STEP_BEFORE[stepBefore], ...(mustNotBeRedriven ? [redrive] : [])];
}

/** Why a key is free as it is. */
export function freeInWords(
  { record, now }: JudgedKey,
  reason: 'expired' | 'failed' | 'releasedBefore',
): string {
  if (reason === 'expired') return `the record has expired (${age((record?.expiry ?? 0) * 1000, now)})`;
  const what = reason === 'releasedBefore' ? 'it was released before' : 'its step has failed';
  return `${what}, and the next delivery runs it again as attempt ${(record?.attempt ?? 0) + 1}`;
}
