import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { Service, ServiceCall, ServiceResult, ServiceTable } from '../../runtime/calls/service';
import type { MessageAttributes } from '../message-queues';
import { optimizedResult } from '../optimized-result';
import { fieldsOf, missingIn, noDocumentIn } from '../rejections';
import { attributeFault, isSubject, messageFault, SUBJECT_FAULT } from './operations';
import { xmlResponse } from './route';
import type { Topics } from './topics';

/** The optimized integration `sns:publish`. A message that is not a string is published as its JSON text. */
export function snsIntegrations(
  topics: Topics,
  { newRequestId, now }: { readonly newRequestId: () => string; readonly now: () => number },
): ServiceTable {
  const publish: Service = {
    rejectionOf(given) {
      const fields = fieldsOf(given);
      const names = ['Message'];
      return missingIn(fields, names) ?? noDocumentIn(fields, names);
    },
    async call({ arguments: given }: ServiceCall): Promise<ServiceResult> {
      const identity = { requestId: newRequestId(), answeredAt: now() };
      const fields = fieldsOf(given);
      const {
        Message: body = null,
        TopicArn: topicArn,
        Subject: subject,
        MessageAttributes: attributes,
      } = fields;
      const message = typeof body === 'string' ? body : JSON.stringify(body);
      const fault = messageFault(fields, message);
      if (fault !== undefined) return rejected('InvalidParameter', fault, 400, identity.requestId);
      const broken = Object.entries(isJsonObject(attributes) ? attributes : {}).find(
        ([, each]) => !isAttribute(each),
      );
      if (broken) {
        const text = `The message attribute '${broken[0]}' must have a DataType and a StringValue or a BinaryValue.`;
        return rejected('InvalidParameterValue', text, 400, identity.requestId);
      }
      const wrong = attributeFault(isJsonObject(attributes) ? (attributes as MessageAttributes) : {});
      if (wrong !== undefined) return rejected('InvalidParameterValue', wrong, 400, identity.requestId);
      if (!isSubject(typeof subject === 'string' ? subject : undefined)) {
        return rejected('InvalidParameter', SUBJECT_FAULT, 400, identity.requestId);
      }
      const published = await topics.publish(String(topicArn), {
        message,
        ...(typeof subject === 'string' && { subject }),
        ...(isJsonObject(attributes) && { messageAttributes: attributes as MessageAttributes }),
      });
      if (!published) {
        return rejected('NotFound', topics.notFoundReason(String(topicArn)), 404, identity.requestId);
      }
      const members = { MessageId: published.messageId };
      const response = xmlResponse('Publish', members, identity.requestId);
      return { kind: 'succeeded', output: optimizedResult(members, response, identity) };
    },
  };
  return new Map([['sns:publish', publish]]);
}

function isAttribute(given: Json): boolean {
  const {
    DataType: type,
    StringValue: text,
    BinaryValue: bytes,
  }: JsonObject = isJsonObject(given) ? given : {};
  return typeof type === 'string' && (typeof text === 'string' || typeof bytes === 'string');
}

function rejected(code: string, message: string, status: number, requestId: string): ServiceResult {
  const origin = `Service: AmazonSNS; Status Code: ${status}; Error Code: ${code}; Request ID: ${requestId}`;
  return { kind: 'failed', error: `SNS.${code}Exception`, cause: `${message} (${origin}; Proxy: null)` };
}
