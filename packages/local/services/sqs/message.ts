import { createHash } from 'node:crypto';
import { isJsonObject, type Json } from '../../json/json';
import type { MessageAttribute, MessageAttributes } from '../message-queues';
import type { SendFault } from './fifo';

/** The digest that SQS gives of a body, in hexadecimal. */
export function md5(text: string): string {
  return createHash('md5').update(text, 'utf8').digest('hex');
}

/** The digest that SQS gives of attributes; undefined where there are none. */
export function md5OfAttributes(attributes: MessageAttributes = {}): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash('md5');
  const add = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const attribute = attributes[name];
    if (!attribute) continue;
    add(Buffer.from(name));
    add(Buffer.from(attribute.DataType));
    const isText = 'StringValue' in attribute;
    hash.update(Buffer.from([isText ? 1 : 2]));
    add(isText ? Buffer.from(attribute.StringValue) : Buffer.from(attribute.BinaryValue, 'base64'));
  }
  return hash.digest('hex');
}

/** The bytes that count towards a queue's limit: of the body, and of each attribute its name, type and value. */
export function messageBytes(body: string, attributes: MessageAttributes): number {
  let bytes = Buffer.byteLength(body);
  for (const [name, attribute] of Object.entries(attributes)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(attribute.DataType);
    bytes +=
      'StringValue' in attribute
        ? Buffer.byteLength(attribute.StringValue)
        : Buffer.byteLength(attribute.BinaryValue, 'base64');
  }
  return bytes;
}

/** Characters that XML does not have, which SQS rejects. */
const NO_CHARACTER = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const CHARACTERS =
  'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | ' +
  '#x10000 to #x10FFFF';

/** Why no queue whose messages have at most `max` bytes takes this one; undefined if such a queue takes it. */
export function contentFault(
  body: string,
  attributes: MessageAttributes,
  max: number,
): SendFault | undefined {
  if (NO_CHARACTER.test(body)) return { code: 'InvalidMessageContents', message: CHARACTERS };
  if (messageBytes(body, attributes) <= max) return undefined;
  const message = `One or more parameters are invalid. Reason: Message must be shorter than ${max} bytes.`;
  return { code: 'InvalidParameterValue', message };
}

/**
 * The attributes with these names, or with a name that begins as one that ends in `.*`; undefined if none is asked
 * for. A name that no attribute can have asks for none.
 */
export function selectAttributes(
  attributes: MessageAttributes,
  names: readonly string[],
): MessageAttributes | undefined {
  const asked = names.filter(name => ALL.has(name) || nameFault(name.replace(/\.\*$/, '')) === undefined);
  if (asked.length === 0) return undefined;
  const isAsked = (name: string) =>
    asked.some(
      one => ALL.has(one) || one === name || (one.endsWith('.*') && name.startsWith(one.slice(0, -2))),
    );
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isAsked(name)));
}

const ALL: ReadonlySet<string> = new Set(['All', '*', '.*']);

/** Attributes as a request gives them, or why they are rejected, in the service's words. */
export type ReadAttributes =
  | { readonly kind: 'attributes'; readonly attributes: MessageAttributes }
  | { readonly kind: 'rejected'; readonly message: string };

/** Attributes that one message may have. */
const ATTRIBUTES_MAX = 10;
/** Characters that the name, and the type, of an attribute may have. */
const NAME_CHARACTERS_MAX = 256;

/** Reads the attributes of a message. A value of another type beside the attribute's own is rejected. */
export function readAttributes(given: Json, owner: 'user' | 'system' = 'user'): ReadAttributes {
  if (!isJsonObject(given)) return { kind: 'rejected', message: 'The message attributes must be a map.' };
  const count = Object.keys(given).length;
  if (count > ATTRIBUTES_MAX) {
    const message = `Number of message attributes [${count}] exceeds the allowed maximum [${ATTRIBUTES_MAX}].`;
    return { kind: 'rejected', message };
  }
  const attributes: [string, MessageAttribute][] = [];
  for (const [name, value] of Object.entries(given)) {
    const nameRejected = owner === 'user' ? nameFault(name) : systemNameFault(name);
    const attribute = nameRejected ?? readAttribute(name, value, owner);
    if (typeof attribute === 'string') return { kind: 'rejected', message: attribute };
    attributes.push([name, attribute]);
  }
  return { kind: 'attributes', attributes: Object.fromEntries(attributes) };
}

/** Why no attribute can have this name. */
function nameFault(name: string): string | undefined {
  if (name.length > NAME_CHARACTERS_MAX)
    return 'Message (user) attribute names must be shorter than 256 Bytes';
  if (!/^[\p{L}\p{N}_.-]+$/u.test(name)) {
    return (
      'Message (user) attributes name can only contain upper and lower score characters, digits, periods, hyphens ' +
      'and underscores. '
    );
  }
  if (!/^(?:aws\.|amazon\.|\.)|\.$/i.test(name)) return undefined;
  return (
    "You can't use message attribute names beginning with 'AWS.' or 'Amazon.'. These strings are reserved for " +
    "internal use. Additionally, they cannot start or end with '.'."
  );
}

/** Senders can give one attribute of SQS itself. */
function systemNameFault(name: string): string | undefined {
  return name === 'AWSTraceHeader' ? undefined : `Message system attribute name '${name}' is invalid.`;
}

function readAttribute(name: string, given: Json, owner: 'user' | 'system'): MessageAttribute | string {
  const shown = `(${owner}) attribute '${name}'`;
  const { DataType, StringValue = null, BinaryValue = null } = isJsonObject(given) ? given : {};
  const kind = typeof DataType === 'string' ? DataType.split('.')[0] : undefined;
  if (typeof DataType !== 'string' || !['String', 'Number', 'Binary'].includes(kind ?? '')) {
    return `The type of message ${shown} is invalid. You must use only the following supported type prefixes: Binary, Number, String.`;
  }
  if (DataType.length > NAME_CHARACTERS_MAX) {
    return 'Message (user) attribute types must be shorter than 256 Bytes';
  }
  const isBinary = kind === 'Binary';
  const [value, other] = isBinary ? [BinaryValue, StringValue] : [StringValue, BinaryValue];
  if (other !== null) {
    const field = isBinary ? 'Binary' : 'String';
    return `The message attribute '${name}' with type '${DataType}' must use field '${field}'.`;
  }
  if (typeof value !== 'string' || value === '') {
    return `Message ${shown} must contain a non-empty value of type '${DataType}'.`;
  }
  if (isBinary) return { DataType, BinaryValue: value };
  if (NO_CHARACTER.test(value)) return CHARACTERS;
  if (kind === 'Number' && !/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(value.trim())) {
    return `Can't cast the value of message ${shown} to a number.`;
  }
  return { DataType, StringValue: value };
}
