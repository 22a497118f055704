import type { Answer, CommandContext } from '../actions/answer';
import { deadLetterQueueOf } from '../aws/dead-letter-queue';
import { EXIT } from '../program/exit';
import { flag, optional } from '../program/options';
import { Rejection, usage } from '../program/rejection';
import { type Resending, resendAll } from '../repair/resend-all';
import { plural, printable } from '../text';
import { inBulk } from './shared-options';
import { workflowCommand } from './workflow-command';

interface ResendRequest extends Resending {
  /** Name, ARN or URL of the dead-letter queue. */
  readonly queue: string;
  readonly limit: number;
  readonly isConfirmed: boolean;
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
      'only messages with this reason: the name of the error, or part of the sentence on the console',
    ),
    yes: flag('do not ask; you must pass it if there is no terminal'),
  },
  examples: [
    'onceflow resend orders-dead',
    'onceflow resend orders-dead --reason Lambda.TooManyRequestsException',
    'onceflow resend Shop-ChargePaymentSourceOrdersNotStarted1A2B3C4D-AbCdEf',
    'onceflow resend orders-dead --per-second 20 --yes --json',
  ],
  wantedIn({ values, positionals }): ResendRequest {
    const [queue, ...more] = positionals;
    if (!queue || more.length > 0)
      throw usage('which queue? Pass the name, ARN or URL of one dead-letter queue');
    const { limit, yes: isConfirmed, force: isForced, reason } = values;
    return { queue, limit, perSecond: values['per-second'], isConfirmed, isForced, reason };
  },
  run: answerTo,
});

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
    return { code: EXIT.done, json: { waiting, inFlight, resent: [], left: [] }, text: () => hidden };
  }
  const most = Math.min(waiting, wanted.limit);
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
