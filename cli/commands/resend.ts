import type { Answer, CommandContext } from '../actions/answer';
import { deadLetterQueueOf } from '../aws/dead-letter-queue';
import { type Resending, resendAll } from '../bulk/resend-all';
import { EXIT } from '../program/exit';
import { flag, optional } from '../program/options';
import { Refusal, usage } from '../program/refusal';
import { plural, printable } from '../text';
import { inBulk } from './shared-options';
import { workflowCommand } from './workflow-command';

interface Wanted extends Resending {
  /** Name, ARN or URL of the dead-letter queue. */
  readonly queue: string;
  readonly limit: number;
  readonly isConfirmed: boolean;
}

/**
 * Sends the messages of a dead-letter queue again: those that another queue has given up back to it, all others to
 * what they were on their way to. A message is deleted when it has been taken. Says how many there are, and asks
 * first. After Ctrl-C it answers what has been done until then. Fails where there is no such dead-letter queue, and
 * where nobody can be asked or says yes.
 */
export const resend = workflowCommand({
  name: 'resend',
  line: ['resend QUEUE', 'sends the messages of a dead-letter queue again'],
  usage: 'resend DEAD-LETTER-QUEUE [options]',
  does: [
    'Sends the messages of a dead-letter queue again, given by its name, ARN or URL: what another queue has given up goes',
    'back to that queue, what a source could not deliver or start to where it was on its way. Shows how many there are',
    'and asks. A message is deleted when it has been taken; what is no event, or has no usable key, stays and is named.',
    '',
    "The queues of a workflow's sources have NotStarted and NotDelivered in their names: `aws sqs list-queues` lists the",
    'queues of a region, and `onceflow dev` prints the URLs of those on this machine.',
  ],
  keyOptions: {},
  options: {
    ...inBulk('messages'),
    force: flag(
      'also from a queue that is not a dead-letter queue: a message that nothing is known of is sent as it is',
    ),
    reason: optional(
      'TEXT',
      'a text',
      'only messages that lie there for this reason: the name of the error, or a part of the sentence that the page has',
    ),
    yes: flag('do not ask; needed where there is no terminal'),
  },
  examples: [
    'onceflow resend orders-dead',
    'onceflow resend orders-dead --reason Lambda.TooManyRequestsException',
    'onceflow resend Shop-ChargePaymentSourceOrdersNotStarted1A2B3C4D-AbCdEf',
    'onceflow resend orders-dead --per-second 20 --yes --json',
  ],
  wantedIn({ values, positionals }): Wanted {
    const [queue, ...more] = positionals;
    if (!queue || more.length > 0)
      throw usage('resend takes one dead-letter queue, by its name, its ARN or its URL');
    const { limit, yes: isConfirmed, force: isForced, reason } = values;
    return { queue, limit, perSecond: values['per-second'], isConfirmed, isForced, reason };
  },
  run: answerTo,
});

async function answerTo(context: CommandContext, wanted: Wanted): Promise<Answer> {
  const { terminal, workflow } = context;
  const queue = await deadLetterQueueOf(context, wanted.queue, wanted.isForced);
  const { waiting, inFlight } = queue;
  const name = printable(queue.name);
  if (waiting === 0) {
    const hidden =
      inFlight === 0
        ? `${name} is empty\n`
        : `${name} has nothing to receive now; ${inFlight} in flight: somebody has received them, look again later\n`;
    return { code: EXIT.done, json: { waiting, inFlight, resent: [], left: [] }, text: () => hidden };
  }
  const most = Math.min(waiting, wanted.limit);
  if (!wanted.isConfirmed) {
    if (!terminal.isAttended) {
      const waits = `${name} has about ${plural(waiting, 'message')}`;
      throw usage(`${waits}, and there is no terminal to ask on; pass --yes if you are sure`);
    }
    const text =
      `${name} has about ${plural(waiting, 'message')}${inFlight === 0 ? '' : `, and ${inFlight} in flight`}.\n\n` +
      'Those that another queue has given up go back to it; events are delivered to ' +
      `${printable(workflow.name)} as they were to be.\n` +
      (wanted.reason === undefined
        ? ''
        : `Only those that lie there for ${printable(wanted.reason)}; the others stay.\n`) +
      `What has been taken is deleted here; at most ${wanted.perSecond} a second.\n\n`;
    if (
      !(await terminal.confirm(
        text,
        wanted.reason === undefined ? `Resend ${plural(most, 'message')}?` : 'Resend those messages?',
      ))
    )
      throw new Refusal('nothing was resent');
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
      const end = endedBy === undefined ? '' : `${endedBy}; the rest is where it was\n`;
      return `${plural(resent.length, 'message')} of ${name} resent${stay}\n${end}`;
    },
  };
}
