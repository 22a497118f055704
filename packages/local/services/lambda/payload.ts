import type { Json } from '../../json/json';
import { parseJson } from '../../json/syntax';

/** What a function gets of the body of an Invoke request, or why Lambda rejects the body. */
export type ReadPayload =
  | { readonly kind: 'payload'; readonly value: Json }
  /** `message` is that of InvalidRequestContentException. */
  | { readonly kind: 'invalid'; readonly message: string };

/** Characters of a body that its rejection quotes, as the service's parser does. */
const SHOWN_CHARACTERS = 500;

/** Reads the body of an Invoke request, JSON in UTF-8. A function that is invoked without one gets an empty object. */
export function readPayload(body: Buffer): ReadPayload {
  if (body.length === 0) return { kind: 'payload', value: {} };
  const text = decode(body);
  if (text === undefined) return invalid('Invalid UTF-8');
  const parsed = parseJson(text);
  if (parsed.kind === 'json') return { kind: 'payload', value: parsed.value };
  const { message, line, column } = parsed;
  const quoted = JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
  return invalid(`${message}\n at [Source: (byte[])${quoted}; line: ${line}, column: ${column}]`);
}

function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function invalid(reason: string): ReadPayload {
  return { kind: 'invalid', message: `Could not parse request body into json: ${reason}` };
}
