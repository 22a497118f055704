import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { canonicalDecimal, compareDecimals, parseDecimal } from './decimal';
import { RequestError } from './request-error';

/** Each type's short name and the name it has in error messages. */
const TYPES = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  SS: 'SS',
  NS: 'NS',
  BS: 'BS',
  M: 'MAP',
  L: 'LIST',
  NULL: 'NULL',
  BOOL: 'BOOLEAN',
} as const;

export type AttributeType = keyof typeof TYPES;

/** A value as DynamoDB writes it, with one member named by its type. Numbers in {@link decimalText}'s form. */
export type AttributeValue = JsonObject;

/** An item: attribute values by name. Never changed, so it can be kept and compared. */
export type Item = Readonly<Record<string, AttributeValue>>;

export function isType(name: string): name is AttributeType {
  return Object.hasOwn(TYPES, name);
}

/** What error messages call a type. */
export function longName(type: AttributeType): string {
  return TYPES[type];
}

/** The type of a value that has been read. */
export function typeOf(value: AttributeValue): AttributeType {
  for (const type in value) return type as AttributeType;
  throw new Error('a value that has not been read: it has no type');
}

/** A member of a value by its type; undefined where the value has another. */
export function textOf(value: AttributeValue | undefined, type: 'S' | 'N' | 'B'): string | undefined {
  const text = value?.[type];
  return typeof text === 'string' ? text : undefined;
}

/** The elements of a value that is a set or list of this type; undefined where it is none. */
export function elementsOf(
  value: AttributeValue | undefined,
  type: AttributeType,
): readonly Json[] | undefined {
  const elements = value?.[type];
  return Array.isArray(elements) ? elements : undefined;
}

/** The value as it is stored. @throws RequestError where DynamoDB would reject it */
export function readValue(given: Json | undefined): AttributeValue {
  const types = isJsonObject(given) ? Object.keys(given) : [];
  const [type] = types;
  if (type === undefined || !isType(type)) {
    throw new RequestError(
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    );
  }
  if (types.length > 1) {
    throw new RequestError(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  return { [type]: readContent(type, (given as JsonObject)[type] as Json) };
}

/** Bytes that the name of an attribute may have. */
const NAME_BYTES_MAX = 65_535;

/** @throws RequestError for a name that no attribute can have */
export function requireName(name: string): void {
  if (name === '') throw new RequestError(`${INVALID}Attribute name must not be empty`);
  // No text has more bytes than three for each of its characters.
  if (name.length * 3 <= NAME_BYTES_MAX || Buffer.byteLength(name) <= NAME_BYTES_MAX) return;
  throw new RequestError(`${INVALID}Attribute name is too large, must be less than 65536 bytes`);
}

/** The item in a request's member. @throws RequestError where a name or a value is rejected */
export function readItem(given: Json | undefined): Item {
  const attributes = isJsonObject(given) ? Object.entries(given) : [];
  for (const [name] of attributes) requireName(name);
  return Object.fromEntries(attributes.map(([name, value]) => [name, readValue(value)]));
}

const INVALID = 'One or more parameter values were invalid: ';

function readContent(type: AttributeType, content: Json): Json {
  switch (type) {
    case 'N':
      return canonicalDecimal(String(content));
    case 'NULL':
      if (content !== true)
        throw new RequestError(`${INVALID}Null attribute value types must have the value of true`);
      return true;
    case 'SS':
    case 'BS':
    case 'NS':
      return readSet(type, Array.isArray(content) ? content : []);
    case 'M':
      return readMap(content);
    case 'L':
      return Array.isArray(content) ? content.map(readValue) : [];
    default:
      return content;
  }
}

function readMap(content: Json): Item {
  const members = isJsonObject(content) ? Object.entries(content) : [];
  return Object.fromEntries(members.map(([name, value]) => [name, readValue(value)]));
}

/** The words of AWS's downloadable DynamoDB for texts, and of the service for empty bytes and empty numbers. */
const NULL_MEMBER = {
  SS: `${INVALID}An string set may not have a null string as a member`,
  NS: 'The parameter cannot be converted to a numeric value',
  BS: `${INVALID}Binary sets may not contain null or empty values`,
};

function readSet(type: 'SS' | 'NS' | 'BS', elements: readonly Json[]): readonly string[] {
  const kind = {
    SS: 'An string set  may not be',
    NS: 'An number set  may not be',
    BS: 'Binary sets should not be',
  };
  if (elements.length === 0) throw new RequestError(`${INVALID}${kind[type]} empty`);
  if (elements.includes(null)) throw new RequestError(NULL_MEMBER[type]);
  const texts = elements.map(element =>
    type === 'NS' ? canonicalDecimal(String(element)) : String(element),
  );
  if (new Set(texts).size === texts.length) return texts;
  if (type === 'NS') throw new RequestError('Input collection contains duplicates');
  const shown = `Input collection [${texts.join(', ')}]`;
  throw new RequestError(`${INVALID}${shown}${type === 'BS' ? 'of type BS' : ''} contains duplicates.`);
}

/** Whether two values are equal: same type, same content; sets in any order. */
export function isEqual(a: AttributeValue, b: AttributeValue): boolean {
  return canonical(a) === canonical(b);
}

/** A text that two values share if and only if they are equal. */
export function canonical(value: AttributeValue): string {
  const type = typeOf(value);
  const content = value[type];
  if (type === 'M' && isJsonObject(content)) {
    const names = Object.keys(content).sort();
    return `{${names.map(name => `${JSON.stringify(name)}:${canonical(content[name] as AttributeValue)}`).join()}}`;
  }
  if (type === 'L' && Array.isArray(content)) {
    return `[${content.map(element => canonical(element as AttributeValue)).join()}]`;
  }
  if (Array.isArray(content)) return `${type}${JSON.stringify([...content].map(String).sort())}`;
  return `${type}${JSON.stringify(content)}`;
}

/**
 * How two values compare, as a sign; undefined where they have no order: different types, or a type without one.
 * Texts and bytes are ordered by their UTF-8 bytes.
 */
export function compare(a: AttributeValue, b: AttributeValue): number | undefined {
  const type = typeOf(a);
  if (type !== typeOf(b)) return undefined;
  const [left, right] = [String(a[type]), String(b[type])];
  if (type === 'N') return compareDecimals(parseDecimal(left), parseDecimal(right));
  if (type === 'S') return Buffer.compare(Buffer.from(left), Buffer.from(right));
  if (type === 'B') return Buffer.compare(Buffer.from(left, 'base64'), Buffer.from(right, 'base64'));
  return undefined;
}
