import { errorAnswer, JSON_1_0 } from './aws-json';
import { RequestError, wireErrorOf } from './errors';
import type { ApiAnswer, RequestHead } from './exchange';

/** The services that the endpoint answers for, as their signatures name them, and as people do. */
const ANSWERED_FOR = new Map([
  ['states', 'Step Functions'],
  ['dynamodb', 'DynamoDB'],
  ['events', 'EventBridge'],
  ['lambda', 'Lambda'],
  ['sqs', 'SQS'],
]);

/** Services that answer in XML whatever they are asked in. */
const XML_SERVICES = new Set(['s3', 's3express', 's3-outposts', 'cloudfront', 'route53']);

/** A request for a service that is not here, refused in a form that clients of that service can read. */
export class UnknownServiceError extends RequestError {
  readonly answer: ApiAnswer;

  constructor(service: string, isForm: boolean) {
    const known = [...ANSWERED_FOR.values()].join(', ');
    super(
      'UnsupportedOperationException',
      `There is no ${service} at this endpoint; it answers for ${known}`,
    );
    this.answer = answerOf(service, isForm, this);
  }
}

/** The error for a request that no route takes, where it was signed for a service that is not here. */
export function unknownServiceOf({ headers }: RequestHead): UnknownServiceError | undefined {
  const scope = /Credential=[^/,]*\/\d+\/[^/,]*\/([\w-]+)\/aws4_request/.exec(headers.authorization ?? '');
  const service = scope?.[1];
  if (service === undefined || ANSWERED_FOR.has(service)) return undefined;
  const type = headers['content-type'];
  return new UnknownServiceError(service, type?.startsWith('application/x-www-form-urlencoded') === true);
}

function answerOf(service: string, isForm: boolean, { name, message }: RequestError): ApiAnswer {
  const error = `<Code>${name}</Code><Message>${message}</Message>`;
  if (isForm) return xmlAnswer(`<ErrorResponse><Error><Type>Sender</Type>${error}</Error></ErrorResponse>`);
  if (XML_SERVICES.has(service)) return xmlAnswer(`<Error>${error}</Error>`);
  return errorAnswer(wireErrorOf(name, message), JSON_1_0);
}

function xmlAnswer(body: string): ApiAnswer {
  return { status: 400, headers: { 'content-type': 'text/xml' }, body: `<?xml version="1.0"?>\n${body}` };
}
