import { createHash } from 'node:crypto';
import { StartExecutionCommand, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { answerOf } from '../aws/aws';
import { paced } from '../bulk/paced';
import type { Command } from '../options';
import { EXIT } from '../program/exit';
import { Refusal, usage } from '../refusal';
import { plural, printable } from '../text';
import type { Answer, CommandContext } from './command';

type Wanted = Command & { name: 'resend' };

/** What became of one message. */
interface Resent {
  readonly messageId: string;
  /** Where it is now: in a queue, or an execution. */
  readonly to: string;
}

/**
 * Sends the messages of a dead-letter queue again: those that another queue has given up back to it, all others as
 * deliveries to the workflow. A message is deleted when it has been taken. Says how many there are, and asks first.
 *
 * @throws Refusal where there is no such queue, and where nobody can be asked or says yes
 */
export async function resend(context: CommandContext, wanted: Wanted): Promise<Answer> {
  const { aws, terminal, workflow } = context;
  const url = await queueUrlOf(context, wanted.queue);
  const name = printable(url.slice(url.lastIndexOf('/') + 1));
  const waiting = await countOf(context, url);
  if (waiting === 0) {
    return { code: EXIT.done, json: { waiting, resent: [], left: [] }, text: () => `${name} is empty\n` };
  }
  const most = Math.min(waiting, wanted.limit);
  if (!wanted.isConfirmed) {
    if (!terminal.isAttended) throw usage('there is no terminal to ask on; pass --yes if you are sure');
    const text =
      `${name} has about ${plural(waiting, 'message')}.\n\nThose that another queue has given up go back to it; all ` +
      `others are delivered to ${printable(workflow.name)}.\n` +
      `What has been taken is deleted here; at most ${wanted.perSecond} a second.\n\n`;
    if (!(await terminal.confirm(text, `Resend ${plural(most, 'message')}?`)))
      throw new Refusal('nothing was resent');
  }
  const resent: Resent[] = [];
  const left: { readonly messageId: string; readonly problem: string }[] = [];
  for await (const messages of batchesOf(context, url, most)) {
    const before = resent.length + left.length;
    const progress = (done: number) => terminal.progress(`resending: ${before + done} of ${most}`);
    const outcomes = await paced(aws, messages, { perSecond: wanted.perSecond, progress }, message =>
      resendOne(context, url, message),
    );
    for (const [index, outcome] of outcomes.entries()) {
      const messageId = messages[index]?.MessageId ?? '';
      if ('result' in outcome) resent.push({ messageId, to: outcome.result });
      else left.push({ messageId, problem: outcome.problem });
    }
  }
  return {
    code: left.length === 0 ? EXIT.done : EXIT.failed,
    json: { waiting, resent, left },
    text: () => {
      const rows = left.map(({ messageId, problem }) => `  ${messageId}: ${problem}\n`);
      const stay =
        left.length === 0 ? '' : `; ${plural(left.length, 'message')} stay:\n${rows.join('').trimEnd()}`;
      return `${plural(resent.length, 'message')} of ${name} resent${stay}\n`;
    },
  };
}

async function queueUrlOf({ aws }: CommandContext, queue: string): Promise<string> {
  if (/^https?:/.test(queue)) return queue;
  const [QueueName = '', QueueOwnerAWSAccountId] = queue.startsWith('arn:')
    ? queue.split(':').slice(4).reverse()
    : [queue];
  const request = new GetQueueUrlCommand({ QueueName, QueueOwnerAWSAccountId });
  const sent = aws.sqs.send(request, { abortSignal: aws.signal });
  const answer = await answerOf(aws, 'GetQueueUrl', `queue ${queue}`, sent, 'QueueDoesNotExist');
  if (answer?.QueueUrl !== undefined) return answer.QueueUrl;
  throw new Refusal(
    `there is no queue ${queue} in this region and account; pass its name, its ARN or its URL`,
  );
}

async function countOf({ aws }: CommandContext, QueueUrl: string): Promise<number> {
  const request = new GetQueueAttributesCommand({
    QueueUrl,
    AttributeNames: ['ApproximateNumberOfMessages'],
  });
  const sent = aws.sqs.send(request, { abortSignal: aws.signal });
  const answer = await answerOf(aws, 'GetQueueAttributes', `queue ${QueueUrl}`, sent);
  return Number(answer?.Attributes?.['ApproximateNumberOfMessages'] ?? 0);
}

/** A receive may find nothing although there is something. */
const EMPTY_RECEIVES_MAX = 3;
/** Longer than a batch takes, at one message a second. */
const VISIBILITY_SECONDS = 120;

/** The messages of a queue, at most so many, each once. */
async function* batchesOf({ aws }: CommandContext, QueueUrl: string, most: number) {
  const seen = new Set<string>();
  for (let empty = 0; empty < EMPTY_RECEIVES_MAX && seen.size < most; ) {
    const request = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: Math.min(10, most - seen.size),
      VisibilityTimeout: VISIBILITY_SECONDS,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['DeadLetterQueueSourceArn'],
    });
    const sent = aws.sqs.send(request, { abortSignal: aws.signal });
    const answer = await answerOf(aws, 'ReceiveMessage', `queue ${QueueUrl}`, sent);
    const messages = (answer?.Messages ?? []).filter(({ MessageId = '' }) => !seen.has(MessageId));
    for (const { MessageId = '' } of messages) seen.add(MessageId);
    empty = messages.length === 0 ? empty + 1 : 0;
    if (messages.length > 0) yield messages;
    else if (empty < EMPTY_RECEIVES_MAX) await aws.time.sleep(1000, aws.signal);
  }
}

/** Resolves to where the message has gone, and has deleted it here. @throws Refusal for one that nobody takes */
async function resendOne(context: CommandContext, QueueUrl: string, message: Message): Promise<string> {
  const { aws } = context;
  const from = message.Attributes?.DeadLetterQueueSourceArn;
  const to = from === undefined ? await deliver(context, message) : await sendBack(context, from, message);
  const request = new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle });
  const sent = aws.sqs.send(request, { abortSignal: aws.signal });
  await answerOf(aws, 'DeleteMessage', `queue ${QueueUrl}`, sent);
  return to;
}

async function sendBack(
  context: CommandContext,
  queueArn: string,
  { Body, MessageAttributes }: Message,
): Promise<string> {
  const { aws } = context;
  const QueueUrl = await queueUrlOf(context, queueArn);
  const request = new SendMessageCommand({ QueueUrl, MessageBody: Body, MessageAttributes });
  const sent = aws.sqs.send(request, { abortSignal: aws.signal });
  await answerOf(aws, 'SendMessage', `queue ${queueArn}`, sent);
  return queueArn;
}

async function deliver(
  { aws, workflow }: CommandContext,
  { MessageId = '', Body: input = '' }: Message,
): Promise<string> {
  if (!isEvent(input)) throw new Refusal('its body is no JSON object, so it is no event of the workflow');
  const { stateMachineArn } = workflow;
  // One name for one message: where its delete is lost, the next run finds it started.
  const name = `resend-${createHash('sha256').update(MessageId, 'utf8').digest('hex').slice(0, 32)}`;
  const subject = `state machine ${workflow.name}`;
  if (workflow.type === 'EXPRESS') {
    const request = new StartSyncExecutionCommand({ stateMachineArn, name, input });
    const sent = aws.sfnForExpress.send(request, { abortSignal: aws.signal });
    const answer = await answerOf(aws, 'StartSyncExecution', subject, sent);
    if (answer?.status === 'SUCCEEDED') return name;
    throw new Refusal(
      `its execution ended with ${printable(answer?.error ?? answer?.status ?? 'no answer')}`,
    );
  }
  const request = new StartExecutionCommand({ stateMachineArn, name, input });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  await answerOf(aws, 'StartExecution', subject, sent, 'ExecutionAlreadyExists');
  return name;
}

function isEvent(text: string): boolean {
  try {
    const event: unknown = JSON.parse(text);
    return typeof event === 'object' && event !== null && !Array.isArray(event);
  } catch {
    return false;
  }
}
