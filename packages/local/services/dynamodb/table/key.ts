import { type AttributeValue, canonical, type Item, typeOf } from './attribute-value';
import type { Path } from './document-path';
import { RequestError } from './request-error';

export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S' | 'N' | 'B';
}

/** The key of a table or of an index: a partition key, and perhaps a sort key. */
export interface KeySchema {
  readonly partition: KeyAttribute;
  readonly sort?: KeyAttribute;
}

/** The key's attributes, partition key first. */
export function attributesOf({ partition, sort }: KeySchema): readonly KeyAttribute[] {
  return sort ? [partition, sort] : [partition];
}

/** What an item has of these attributes. */
export function keyIn(item: Item, attributes: readonly KeyAttribute[]): Item {
  const found = attributes.flatMap(({ name }) => (item[name] ? [[name, item[name]] as const] : []));
  return Object.fromEntries(found);
}

/**
 * A text that keys of a table share if and only if they are the same key. The key of a table with only a partition key
 * of type S is that text.
 */
export function keyText(schema: KeySchema, key: Item): string {
  const { partition, sort } = schema;
  const text = key[partition.name]?.['S'];
  if (!sort && partition.type === 'S' && typeof text === 'string') return text;
  return JSON.stringify(attributesOf(schema).map(({ name }) => canonical(key[name] as AttributeValue)));
}

const INVALID = 'One or more parameter values were invalid: ';

/** The key of an item that is put. @throws RequestError where it has none, or one that DynamoDB rejects */
export function keyTextOfItem(schema: KeySchema, item: Item): string {
  for (const attribute of attributesOf(schema)) {
    const { name, type } = attribute;
    const value = item[name];
    if (!value) throw new RequestError(`${INVALID}Missing the key ${name} in the item`);
    if (typeOf(value) !== type) {
      throw new RequestError(
        `${INVALID}Type mismatch for key ${name} expected: ${type} actual: ${typeOf(value)}`,
      );
    }
    requireKeyValue(schema, attribute, value, 'One or more parameter values are not valid. ');
  }
  return keyText(schema, item);
}

/** The text of a `Key`. @throws RequestError where it has another form than the table's key */
export function keyTextOf(schema: KeySchema, key: Item): string {
  const attributes = attributesOf(schema);
  if (Object.keys(key).length !== attributes.length) throw wrongKey();
  for (const attribute of attributes) requireKeyPiece(schema, attribute, key);
  return keyText(schema, key);
}

/** @throws RequestError where a key has no value of the right type for one of its attributes */
export function requireKeyPiece(schema: KeySchema, attribute: KeyAttribute, key: Item): void {
  const value = key[attribute.name];
  if (!value || typeOf(value) !== attribute.type) throw wrongKey();
  requireKeyValue(schema, attribute, value, INVALID);
}

function wrongKey(): RequestError {
  return new RequestError('The provided key element does not match the schema');
}

/** Bytes that a partition key and a sort key may have. */
const KEY_BYTES_MAX = { partition: 2048, sort: 1024 };

function requireKeyValue(
  schema: KeySchema,
  { name, type }: KeyAttribute,
  value: AttributeValue,
  opening: string,
): void {
  if (type === 'N') return;
  const text = String(value[type]);
  if (text === '') {
    const kind = type === 'S' ? 'string' : 'binary';
    const rule = `The AttributeValue for a key attribute cannot contain an empty ${kind} value.`;
    throw new RequestError(`${opening}${rule} Key: ${name}`);
  }
  const bytes = type === 'S' ? Buffer.byteLength(text) : Buffer.from(text, 'base64').length;
  if (schema.partition.name === name) {
    if (bytes <= KEY_BYTES_MAX.partition) return;
    throw new RequestError(`${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`);
  }
  if (bytes <= KEY_BYTES_MAX.sort) return;
  throw new RequestError(
    `${INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`,
  );
}

/** @throws RequestError where an item has a value for the key of an index that the index cannot have */
export function requireIndexKey(index: string, schema: KeySchema, item: Item): void {
  for (const attribute of attributesOf(schema)) {
    const { name, type } = attribute;
    const value = item[name];
    if (!value) continue;
    if (typeOf(value) !== type) {
      const types = `Expected: ${type} Actual: ${typeOf(value)}`;
      throw new RequestError(`${INVALID}Type mismatch for Index Key ${name} ${types} IndexName: ${index}`);
    }
    if (type !== 'N' && value[type] === '') {
      const kind = type === 'S' ? 'string' : 'binary';
      throw new RequestError(
        'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
          `The AttributeValue for a key attribute cannot contain an empty ${kind} value. ` +
          `IndexName: ${index}, IndexKey: ${name}`,
      );
    }
    requireKeyValue(schema, attribute, value, INVALID);
  }
}

/** @throws RequestError where a path goes on within an attribute of a key */
export function requireScalarKeys(
  kind: 'Key' | 'IndexKey',
  schema: KeySchema,
  nested: ReadonlySet<string>,
): void {
  const attribute = attributesOf(schema).find(({ name }) => nested.has(name));
  if (!attribute) return;
  const what = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed";
  throw new RequestError(`${what}: ${kind}: ${attribute.name}`);
}

/** @throws RequestError where an update changes the key */
export function requireKeyUnchanged(schema: KeySchema, paths: readonly Path[]): void {
  for (const { name } of attributesOf(schema)) {
    if (!paths.some(([first]) => first === name)) continue;
    throw new RequestError(`${INVALID}Cannot update attribute ${name}. This attribute is part of the key`);
  }
}
