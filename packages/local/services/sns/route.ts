import type { ApiAnswer, ServiceRoute } from '../../api/exchange';
import { xmlOf } from '../../api/xml';
import { formIn, text } from './form';
import { ACTIONS, CHANGING, MESSAGE_BYTES_MAX, Rejection } from './operations';
import type { Topics } from './topics';

/** A form writes a byte in up to three characters, and there is more in it than the message. */
const BODY_BYTES_MAX = 4 * MESSAGE_BYTES_MAX;
const NAMESPACE = 'http://sns.amazonaws.com/doc/2010-03-31/';

/** SNS: a form with the `Action`, answered in XML, as far as standard topics go. */
export function snsRoute(topics: Topics): ServiceRoute {
  return {
    service: { title: 'SNS', signingName: 'sns' },
    requests: { form: true },
    contentTypes: ['application/x-www-form-urlencoded'],
    bodyBytesMax: BODY_BYTES_MAX,
    async handle({ body, requestId }) {
      const form = formIn(body.toString('utf8'));
      const action = text(form, 'Action');
      const perform = ACTIONS.get(action);
      const result = perform
        ? await perform(topics, form)
        : new Rejection('InvalidAction', `The local SNS has no action '${action}'`);
      if (result instanceof Rejection) return rejectionAnswer(result, requestId);
      if (CHANGING.has(action)) await topics.written();
      return { status: 200, headers: XML, body: xmlResponse(action, result, requestId) };
    },
  };
}

/** The body of an answer: its members by name, lists as `member`. */
export function xmlResponse(action: string, result: object, requestId: string): string {
  const metadata = `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata>`;
  const members = `<${action}Result>${xmlOf(result, 'member')}</${action}Result>`;
  return `<${action}Response xmlns="${NAMESPACE}">${members}${metadata}</${action}Response>`;
}

const XML = { 'content-type': 'text/xml' };

function rejectionAnswer({ code, message }: Rejection, requestId: string): ApiAnswer {
  const error = xmlOf({ Error: { Type: 'Sender', Code: code, Message: message }, RequestId: requestId });
  const body = `<ErrorResponse xmlns="${NAMESPACE}">${error}</ErrorResponse>`;
  return { status: code === 'NotFound' ? 404 : 400, headers: XML, body };
}
