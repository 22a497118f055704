import { errorAnswer, JSON_1_0 } from './aws-json';
import { RequestError, wireErrorOf } from './errors';
import type { ApiAnswer, RequestHead, ServiceRoute } from './exchange';

/** Services that answer in XML whatever they are asked in. */
const XML_SERVICES = new Set(['s3', 's3express', 's3-outposts', 'cloudfront', 'route53']);

/** A request for a service that is not here, rejected in a form that clients of that service can read. */
export class UnknownServiceError extends RequestError {
  readonly answer: ApiAnswer;

  constructor(service: string, known: string, isForm: boolean) {
    super(
      'UnsupportedOperationException',
      `There is no ${service} at this endpoint; it answers for ${known}`,
    );
    this.answer = answerOf(service, isForm, this);
  }
}

/** The error for a request without a route that was signed for a service that is not among those here. */
export function unknownServiceOf(
  head: RequestHead,
  services: readonly ServiceRoute['service'][],
): UnknownServiceError | undefined {
  const service = signedServiceOf(head);
  if (service === undefined || services.some(({ signingName }) => signingName === service)) return undefined;
  const known = services.map(({ title }) => title).join(', ');
  const isForm = head.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  return new UnknownServiceError(service, known, isForm);
}

/** The service that a request is signed for, as signatures name it: in a header or, of what only reads, in its URL. */
export function signedServiceOf({ method, headers, query }: RequestHead): string | undefined {
  const { authorization } = headers;
  const isInUrl = authorization === undefined && (method === 'GET' || method === 'HEAD');
  const credential = isInUrl ? `Credential=${query.get('X-Amz-Credential')}` : (authorization ?? '');
  return /Credential=[^/,]*\/\d+\/[^/,]*\/([\w-]+)\/aws4_request/.exec(credential)?.[1];
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
