import type { Answer, CommandContext } from '../actions/answer';
import { type DeadLetterQueue, deadLetterQueueOf } from '../aws/dead-letter-queue';
import { peekQueue } from '../aws/queues';
import { each } from '../concurrency';
import { EXIT } from '../program/exit';
import { flag, optional } from '../program/options';
import { Rejection, usage } from '../program/rejection';
import { causeOf } from '../repair/dead-letter-cause';
import { type Resending, resendAll } from '../repair/resend-all';
import { plural, printable } from '../text';
import { inBulk } from './shared-options';
import { workflowCommand } from './workflow-command';

interface ResendRequest extends Resending {
  /** Name, ARN or URL of the dead-letter queue. */
  readonly queue: string;
  readonly limit: number;
  readonly isConfirmed: boolean;
  /** True if only the messages are wanted, in groups. */
  readonly isDryRun?: boolean;
}

/**
 * Sends the messages of a dead-letter queue again: those that another queue has given up back to it, all others to what
 * they were on their way to. A message is deleted when it has been taken. Says how many there are, and asks first.
 * After Ctrl-C it answers what has been done until then. Fails if there is no such dead-letter queue, and if the user
 * cannot be asked or does not answer yes.
 */
export const resend = workflowCommand({
  name: 'resend',
  line: ['resend QUEUE', 'redelivers the messages of a dead-letter queue'],
  usage: 'resend DEAD-LETTER-QUEUE [options]',
  does: [
    'Redelivers the messages of a dead-letter queue, given by its name, ARN or URL. A message that came from another queue',
    'goes back to that queue. An event that a source could not deliver or start goes to its target. The command shows how',
    'many messages there are and asks. It deletes a message once the message is accepted. Messages that are not events,',
    'or have no usable key, stay in the queue, and the command lists them.',
    '',
    "The queues of a workflow's sources have NotStarted or NotDelivered in their names. `aws sqs list-queues` lists the",
    'queues of a region, and `onceflow dev` prints the URLs of local queues.',
  ],
  keyOptions: {},
  options: {
    ...inBulk('messages'),
    force: flag(
      'accept a queue that is not a dead-letter queue; a message without a known target goes to the workflow as it is',
    ),
    reason: optional(
      'TEXT',
      'a text',
      'only messages with this reason: an error, also that of the key, or part of the sentence on the console',
    ),
    'dry-run': flag('show the messages in groups by cause, with their keys, and resend nothing'),
    yes: flag('do not ask; you must pass it if there is no terminal'),
  },
  examples: [
    'onceflow resend orders-dead',
    'onceflow resend orders-dead --dry-run',
    'onceflow resend orders-dead --reason Lambda.TooManyRequestsException',
    'onceflow resend Shop-ChargePaymentSourceOrdersNotStarted1A2B3C4D-AbCdEf',
    'onceflow resend orders-dead --per-second 20 --yes --json',
  ],
  wantedIn({ values, positionals }): ResendRequest {
    const [queue, ...more] = positionals;
    if (!queue || more.length > 0)
      throw usage('which queue? Pass the name, ARN or URL of one dead-letter queue');
    const { limit, yes: isConfirmed, force: isForced, reason } = values;
    return {
      queue,
      limit,
      perSecond: values['per-second'],
      isConfirmed,
      isForced,
      reason,
      isDryRun: values['dry-run'],
    };
  },
  run: answerTo,
  async runOnAll(contexts, wanted) {
    // The queue of a source is known by the dispatcher that keeps events there; from all others messages go back.
    const keeping = await each(contexts, async context => {
      const queue = await deadLetterQueueOf(context, wanted.queue, true);
      return queue.dispatcher === undefined ? [] : [context];
    });
    const [own] = keeping.flat();
    const context = own ?? contexts[0];
    return context && answerTo(context, { ...wanted, accesses: own ? [own] : contexts });
  },
});

/** So many keys of a group are named. */
const KEYS_MAX = 10;

/** The messages in groups by cause, with their keys. They are received, and given back at once. */
async function planOf(
  context: CommandContext,
  { url, waiting, inFlight }: DeadLetterQueue,
  most: number,
  { accesses = [context] }: ResendRequest,
): Promise<Answer> {
  const groups = new Map<string, { readonly messageId: string; readonly recordKey: string | null }[]>();
  for (const message of await peekQueue(context.aws, url, most)) {
    const { recordKey = null, cause, stays } = await causeOf(accesses, message.body);
    const name = stays ? `${cause}; stays in the queue` : cause;
    groups.set(name, [...(groups.get(name) ?? []), { messageId: message.messageId, recordKey }]);
  }
  const sorted = [...groups].sort(([, one], [, other]) => other.length - one.length);
  const rows = sorted.map(([cause, messages]) => {
    const keys = messages.flatMap(({ recordKey }) => recordKey ?? []).map(printable);
    const more = keys.length > KEYS_MAX ? ` and ${keys.length - KEYS_MAX} more` : '';
    const named = keys.length === 0 ? '' : `: ${keys.slice(0, KEYS_MAX).join(', ')}${more}`;
    return `${plural(messages.length, 'message')}  ${printable(cause)}${named}\n`;
  });
  const how = 'To resend one group, pass --reason CAUSE. `onceflow show KEY` explains a key.\n';
  return {
    code: EXIT.done,
    json: { waiting, inFlight, groups: sorted.map(([cause, messages]) => ({ cause, messages })), resent: [] },
    text: () => `${rows.join('')}${how}`,
  };
}

async function answerTo(context: CommandContext, wanted: ResendRequest): Promise<Answer> {
  const { terminal, workflow } = context;
  const queue = await deadLetterQueueOf(context, wanted.queue, wanted.isForced);
  const { waiting, inFlight } = queue;
  const name = printable(queue.name);
  if (waiting === 0) {
    const hidden =
      inFlight === 0
        ? `${name} is empty\n`
        : `${name} has nothing to receive now; ${inFlight} in flight: another consumer has received them. Try again when their visibility timeout is over\n`;
    const json = { waiting, inFlight, ...(wanted.isDryRun ? { groups: [] } : { left: [] }), resent: [] };
    return { code: EXIT.done, json, text: () => hidden };
  }
  const most = Math.min(waiting, wanted.limit);
  if (wanted.isDryRun) return planOf(context, queue, most, wanted);
  if (!wanted.isConfirmed) {
    if (!terminal.isAttended) {
      const waits = `${name} has about ${plural(waiting, 'message')}`;
      throw usage(`${waits}, and there is no terminal to ask on. Pass --yes to resend them`);
    }
    const text =
      `${name} has about ${plural(waiting, 'message')}${inFlight === 0 ? '' : `, and ${inFlight} in flight`}.\n\n` +
      'Messages of another queue go back to that queue; events go to ' +
      `${printable(workflow.name)}.\n` +
      (wanted.reason === undefined
        ? ''
        : `Only those with the reason ${printable(wanted.reason)}; the others stay.\n`) +
      `A message is deleted here once it is accepted; at most ${wanted.perSecond} a second.\n\n`;
    if (
      !(await terminal.confirm(
        text,
        wanted.reason === undefined ? `Resend ${plural(most, 'message')}?` : 'Resend those messages?',
      ))
    )
      throw new Rejection('nothing was resent');
  }
  const { resent, left, endedBy } = await resendAll(context, queue, most, wanted);
  const isInterrupted = context.aws.signal?.aborted === true;
  const isDone = left.length === 0 && endedBy === undefined;
  return {
    code: isInterrupted ? EXIT.interrupted : isDone ? EXIT.done : EXIT.failed,
    json: { waiting, inFlight, resent, left, ...(endedBy !== undefined && { endedBy }) },
    text: () => {
      const rows = left.map(({ messageId, problem }) => `  ${messageId}: ${problem}\n`);
      const stay =
        left.length === 0 ? '' : `; ${plural(left.length, 'message')} stay:\n${rows.join('').trimEnd()}`;
      const end = endedBy === undefined ? '' : `${endedBy}; the other messages stay in the queue\n`;
      return `${plural(resent.length, 'message')} of ${name} resent${stay}\n${end}`;
    },
  };
}
