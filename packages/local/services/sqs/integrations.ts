import type { Json, JsonObject } from '../../json/json';
import type { Service, ServiceCall, ServiceResult, ServiceTable } from '../../runtime/calls/service';
import type { SendOptions } from '../message-queues';
import { type AnswerIdentity, optimizedCause, optimizedResult } from '../optimized-result';
import { fieldsOf, missingIn, noDocumentIn, noTextIn } from '../rejections';
import type { SendFault } from './fifo';
import { readAttributes } from './message';
import type { Queues, SentMessage } from './queues';

/** The optimized integration `sqs:sendMessage`. A body that is not a string is sent as its JSON text. */
export function sqsIntegrations(
  queues: Queues,
  { newRequestId, now }: { readonly newRequestId: () => string; readonly now: () => number },
): ServiceTable {
  const sendMessage: Service = {
    rejectionOf(given) {
      const fields = fieldsOf(given);
      const names = ['QueueUrl'];
      return missingIn(fields, names) ?? noTextIn(fields, names) ?? noDocumentIn(fields, ['MessageBody']);
    },
    async call({ arguments: given }: ServiceCall): Promise<ServiceResult> {
      const identity = { requestId: newRequestId(), answeredAt: now() };
      const fields = fieldsOf(given);
      const url = String(fields['QueueUrl']);
      const body = bodyOf(fields['MessageBody']);
      // As on the service, where the queue is looked for before the request is read.
      if (!queues.find(url)) return noSuchQueue(url, identity);
      if (body === '') return missingBody(identity);
      const read = readAttributes(fields['MessageAttributes'] ?? {});
      if (read.kind === 'rejected') {
        return rejected('AmazonSQSException', 'InvalidParameterValue', read.message, identity);
      }
      const options = { ...optionsOf(fields), messageAttributes: read.attributes };
      const unfit = queues.faultOf(url, body, options);
      if (unfit) return rejected(exceptionOf(unfit), unfit.code, unfit.message, identity);
      const message = await queues.sendDurably(url, body, options);
      return sent(message, identity);
    },
  };
  return new Map([['sqs:sendMessage', sendMessage]]);
}

/** The errors of a sender that have a class of their own in the SDK. */
function exceptionOf({ code }: SendFault): string {
  return code === 'InvalidMessageContents' ? 'InvalidMessageContentsException' : 'AmazonSQSException';
}

function optionsOf(fields: JsonObject): SendOptions {
  const { DelaySeconds: delay } = fields;
  const { MessageGroupId: messageGroupId, MessageDeduplicationId: messageDeduplicationId } = fields;
  return {
    ...(typeof messageGroupId === 'string' && { messageGroupId }),
    ...(typeof messageDeduplicationId === 'string' && { messageDeduplicationId }),
    ...(typeof delay === 'number' && { delaySeconds: delay }),
  };
}

function bodyOf(body: Json | undefined): string {
  if (body === undefined || body === null) return '';
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function sent(message: SentMessage | undefined, identity: AnswerIdentity): ServiceResult {
  if (!message) throw new Error('the queue has gone while a message was sent to it');
  const digest = message.md5OfMessageAttributes;
  const members = {
    ...(digest !== undefined && { MD5OfMessageAttributes: digest }),
    MD5OfMessageBody: message.md5OfBody,
    MessageId: message.messageId,
    ...(message.sequenceNumber !== undefined && { SequenceNumber: message.sequenceNumber }),
  };
  return { kind: 'succeeded', output: optimizedResult(members, members, identity) };
}

function missingBody(identity: AnswerIdentity): ServiceResult {
  const message = 'The request must contain the parameter MessageBody.';
  return rejected('AmazonSQSException', 'MissingParameter', message, identity);
}

function noSuchQueue(url: string, identity: AnswerIdentity): ServiceResult {
  const host = /^https?:\/\/([^/:]+)/.exec(url)?.[1] ?? url;
  const isReachable = host.endsWith('.amazonaws.com') || host === 'localhost' || host === '127.0.0.1';
  if (!isReachable) {
    const cause = `Unable to execute HTTP request: ${host}: Name or service not known`;
    return { kind: 'failed', error: 'SQS.SdkClientException', cause };
  }
  const message = 'The specified queue does not exist.';
  return rejected('QueueDoesNotExistException', 'AWS.SimpleQueueService.NonExistentQueue', message, identity);
}

function rejected(
  exception: string,
  code: string,
  message: string,
  { requestId }: AnswerIdentity,
): ServiceResult {
  const cause = optimizedCause(message, { service: 'AmazonSQS', code, requestId });
  return { kind: 'failed', error: `SQS.${exception}`, cause };
}
