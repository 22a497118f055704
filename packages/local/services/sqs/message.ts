import { createHash } from 'node:crypto';
import type { MessageAttributes } from '../message-queues';

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

/** Why attributes as a request gives them are refused, in the service's words; undefined when they are taken. */
export function attributesFault(attributes: unknown): string | undefined {
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) {
    return 'The message attributes must be a map.';
  }
  for (const [name, attribute] of Object.entries(attributes as Record<string, Partial<Given> | null>)) {
    const { DataType: type, StringValue: text, BinaryValue: bytes } = attribute ?? {};
    const [kind] = typeof type === 'string' ? type.split('.') : [];
    if (!['String', 'Number', 'Binary'].includes(kind ?? '')) {
      return `The type of message (user) attribute '${name}' is invalid. You must use only the following supported type prefixes: Binary, Number, String.`;
    }
    const value = kind === 'Binary' ? bytes : text;
    if (typeof value !== 'string' || value === '') {
      return `The message (user) attribute '${name}' must contain a non-empty value of type '${String(type)}'.`;
    }
  }
  return undefined;
}

interface Given {
  readonly DataType: unknown;
  readonly StringValue: unknown;
  readonly BinaryValue: unknown;
}
