import { describeValue } from '../words/describe-value';
import { isWellFormed } from './idempotency-key';
import { RECORD } from './record';

/**
 * How a table names what every table has: its key, and its TTL attribute. The attributes of a record beside these keep
 * their names in every table.
 *
 * @example
 * RecordTable.fromTable(shop, {
 *   partitionKey: 'PK',
 *   sortKey: { name: 'SK', value: 'CHARGE' },
 *   timeToLiveAttribute: 'ttl',
 * })
 */
export interface TableSchema {
  /** The table's partition key, a string: it holds `<scope>#<key>`. */
  readonly partitionKey: string;
  /**
   * The table's sort key, a string, and what it holds in every record: a text that no other item has there.
   *
   * @default - the table has none
   */
  readonly sortKey?: {
    readonly name: string;
    /** 1 to 1,024 bytes, such as `IDEMPOTENCY`. */
    readonly value: string;
  };
  /**
   * The table's TTL attribute.
   *
   * @default expiry
   */
  readonly timeToLiveAttribute?: string;
}

/**
 * The schema of a table that is made for records.
 *
 * @example
 * attributeIn(RECORD_SCHEMA, 'expiry') // 'expiry'
 */
export const RECORD_SCHEMA: TableSchema = { partitionKey: RECORD.idempotencyKey };

/**
 * What a table of this schema calls an attribute of the record. Others keep their names.
 *
 * @example
 * attributeIn({ partitionKey: 'PK' }, 'idempotencyKey') // 'PK'
 */
export function attributeIn(schema: TableSchema, name: string): string {
  if (name === RECORD.idempotencyKey) return schema.partitionKey;
  return name === RECORD.expiry ? (schema.timeToLiveAttribute ?? name) : name;
}

/**
 * The key attributes of the item that has this partition key, a DynamoDB value.
 *
 * @example
 * itemKeyIn(RECORD_SCHEMA, { S: 'Pay#order-7' }) // { idempotencyKey: { S: 'Pay#order-7' } }
 */
export function itemKeyIn<Value>(
  { partitionKey, sortKey }: TableSchema,
  key: Value,
): Record<string, Value | { S: string }> {
  return { [partitionKey]: key, ...(sortKey && { [sortKey.name]: { S: sortKey.value } }) };
}

/**
 * The faults of a schema, in words that name the member; undefined if there are none. For callers without type checking
 * any value is taken.
 */
export function schemaProblem(given: unknown): string | undefined {
  const members = 'partitionKey, sortKey and timeToLiveAttribute';
  if (!isObject(given)) {
    return `the schema of a table must be an object with ${members}, such as ${EXAMPLE}; got ${describeValue(given)}`;
  }
  const { partitionKey, sortKey, timeToLiveAttribute, ...others } = given;
  const [other] = Object.keys(others);
  if (other !== undefined) return `the schema of a table has no \`${other}\`; it has ${members}`;
  if (sortKey !== undefined && !isObject(sortKey)) {
    return `\`sortKey\` must be { name, value }, got ${describeValue(sortKey)}`;
  }
  const names: [string, unknown][] = [
    ['partitionKey', partitionKey],
    ...(sortKey === undefined ? [] : [['sortKey.name', sortKey['name']] as [string, unknown]]),
    ['timeToLiveAttribute', timeToLiveAttribute ?? RECORD.expiry],
  ];
  const problem = names.map(([member, name]) => nameProblem(member, name)).find(one => one !== undefined);
  if (problem !== undefined) return problem;
  const [twice] = names.filter(([, name], index) => names.findIndex(one => one[1] === name) < index);
  if (twice !== undefined) return `\`${twice[0]}\` must differ from the other names, got ${twice[1]}`;
  return sortKey === undefined ? undefined : valueProblem(sortKey['value']);
}

const EXAMPLE =
  "{ partitionKey: 'PK', sortKey: { name: 'SK', value: 'IDEMPOTENCY' }, timeToLiveAttribute: 'ttl' }";

/** Of DynamoDB's names those that neither JSONata nor the States Language reads as something else. */
const NAME = /^[\w.:@#/-]{1,255}$/;

/** The names that the record's other attributes have. */
const TAKEN: readonly string[] = Object.values(RECORD).filter(
  name => name !== RECORD.idempotencyKey && name !== RECORD.expiry,
);

function nameProblem(member: string, name: unknown): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) {
    return `\`${member}\` must be a name of 1 to 255 letters, digits and _ - . : @ # /, got ${describeValue(name)}`;
  }
  if (!TAKEN.includes(name)) return undefined;
  return `\`${member}\` must be none of the record's other attributes (${TAKEN.join(', ')}), got ${name}`;
}

const VALUE_BYTES_MAX = 1024;

function valueProblem(value: unknown): string | undefined {
  const isText = typeof value === 'string' && value !== '' && isWellFormed(value);
  if (isText && Buffer.byteLength(value) <= VALUE_BYTES_MAX && !/[\p{Cc}]|\$\{|\{%/u.test(value)) {
    return undefined;
  }
  return (
    `\`sortKey.value\` must be a text of 1 to ${VALUE_BYTES_MAX} bytes without control characters, \${ and {%, ` +
    `known when it is written, got ${describeValue(value)}`
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
