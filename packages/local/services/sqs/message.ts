import { createHash } from 'node:crypto';
import { isJsonObject, type Json } from '../../json/json';
import type { MessageAttribute, MessageAttributes } from '../message-queues';

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

/** Attributes as a request gives them, or why they are rejected, in the service's words. */
export type ReadAttributes =
  | { readonly kind: 'attributes'; readonly attributes: MessageAttributes }
  | { readonly kind: 'rejected'; readonly message: string };

/** Reads the attributes of a message. A value of another type beside the attribute's own is rejected. */
export function readAttributes(given: Json): ReadAttributes {
  if (!isJsonObject(given)) return { kind: 'rejected', message: 'The message attributes must be a map.' };
  const attributes: [string, MessageAttribute][] = [];
  for (const [name, value] of Object.entries(given)) {
    const attribute = readAttribute(name, value);
    if (typeof attribute === 'string') return { kind: 'rejected', message: attribute };
    attributes.push([name, attribute]);
  }
  return { kind: 'attributes', attributes: Object.fromEntries(attributes) };
}

function readAttribute(name: string, given: Json): MessageAttribute | string {
  const { DataType, StringValue = null, BinaryValue = null } = isJsonObject(given) ? given : {};
  const kind = typeof DataType === 'string' ? DataType.split('.')[0] : undefined;
  if (typeof DataType !== 'string' || !['String', 'Number', 'Binary'].includes(kind ?? '')) {
    return `The type of message (user) attribute '${name}' is invalid. You must use only the following supported type prefixes: Binary, Number, String.`;
  }
  const isBinary = kind === 'Binary';
  const [value, other] = isBinary ? [BinaryValue, StringValue] : [StringValue, BinaryValue];
  if (other !== null) {
    const field = isBinary ? 'Binary' : 'String';
    return `The message attribute '${name}' with type '${DataType}' must use field '${field}'.`;
  }
  if (typeof value !== 'string' || value === '') {
    return `The message (user) attribute '${name}' must contain a non-empty value of type '${DataType}'.`;
  }
  return isBinary ? { DataType, BinaryValue: value } : { DataType, StringValue: value };
}
