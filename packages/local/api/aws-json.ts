import { JSON_DEPTH_MAX, tooDeepAt } from '../json/depth';
import type { Json } from '../json/json';
import { RequestError, type WireError } from './errors';
import type { ApiAnswer } from './exchange';

/**
 * The JSON of a request's body; an empty one is an empty object.
 *
 * @throws RequestError `SerializationException` for a body that is not JSON in UTF-8.
 */
export function parseBody(body: Buffer): Json {
  if (body.length === 0) return {};
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    if (tooDeepAt(text) === undefined) return JSON.parse(text) as Json;
  } catch {
    throw new RequestError('SerializationException', 'The request body is not valid JSON.');
  }
  const message = `The request body is nested deeper than ${JSON_DEPTH_MAX} levels.`;
  throw new RequestError('SerializationException', message);
}

/** An answer in the given dialect of AWS JSON. */
export function jsonAnswer(content: object, contentType: string, status = 200): ApiAnswer {
  return { status, headers: { 'content-type': contentType }, body: JSON.stringify(content) };
}

/** A rejection in the given dialect of AWS JSON. */
export function errorAnswer({ status, type, message }: WireError, contentType: string): ApiAnswer {
  return jsonAnswer({ __type: type, message }, contentType, status);
}

/** The dialect of Step Functions and DynamoDB. */
export const JSON_1_0 = 'application/x-amz-json-1.0';
/** The dialect of EventBridge. */
export const JSON_1_1 = 'application/x-amz-json-1.1';

/** The content types that a body in AWS JSON may have. */
export const JSON_TYPES: readonly string[] = [JSON_1_0, JSON_1_1, 'application/json'];
