import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import type { KeyAttribute, KeySchema } from '../table/key';
import { RequestError } from '../table/request-error';
import type { Extent, SecondaryIndex, TableDefinition } from './stored-table';
import { requireTags } from './tags';

const INVALID = 'One or more parameter values were invalid: ';

/** The name and place of a table that is made. */
export interface TableIdentity {
  readonly arn: string;
  /** Epoch seconds. */
  readonly createdAt: number;
}

/** The table of a `CreateTable` request. @throws RequestError where DynamoDB would reject it */
export function tableDefinition(request: JsonObject, { arn, createdAt }: TableIdentity): TableDefinition {
  const name = String(request['TableName']);
  const attributes = objects(request['AttributeDefinitions']).map(
    ({ AttributeName, AttributeType }) => [String(AttributeName), String(AttributeType)] as const,
  );
  const types = new Map(attributes);
  if (types.size < attributes.length) {
    throw new RequestError('Cannot have two attributes with the same name');
  }
  requireTags(request['Tags']);
  requireBilling(request);
  const schema = readSchema(request['KeySchema'], types);
  const indexes = [
    ...objects(request['GlobalSecondaryIndexes']).map(index => readIndex(index, types, true)),
    ...objects(request['LocalSecondaryIndexes']).map(index => readIndex(index, types, false)),
  ];
  requireIndexes(schema, indexes, types);
  return { name, arn, schema, indexes, request, createdAt };
}

function requireBilling({ BillingMode, ProvisionedThroughput: throughput }: JsonObject): void {
  const given = isJsonObject(throughput) ? throughput : undefined;
  if (BillingMode === 'PAY_PER_REQUEST') {
    if (!given) return;
    throw new RequestError(
      `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
    );
  }
  if (given?.['ReadCapacityUnits'] && given['WriteCapacityUnits']) return;
  throw new RequestError(
    `${INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`,
  );
}

function readSchema(keySchema: Json | undefined, types: ReadonlyMap<string, string>): KeySchema {
  const parts = objects(keySchema);
  const names = parts.map(({ AttributeName }) => String(AttributeName));
  const [first, second] = parts;
  if (names.some(name => !types.has(name))) {
    const defined = [...types.keys()].join(', ');
    throw new RequestError(
      `${INVALID}Some index key attributes are not defined in AttributeDefinitions. ` +
        `Keys: [${names.join(', ')}], AttributeDefinitions: [${defined}]`,
    );
  }
  if (second && names[0] === names[1]) {
    throw new RequestError('Both the Hash Key and the Range Key element in the KeySchema have the same name');
  }
  if (first?.['KeyType'] !== 'HASH') {
    throw new RequestError('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  }
  if (second && second['KeyType'] !== 'RANGE') {
    throw new RequestError('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type');
  }
  const attribute = (name: string): KeyAttribute => {
    return { name, type: types.get(name) as KeyAttribute['type'] };
  };
  const [partition = '', sort] = names;
  return { partition: attribute(partition), ...(sort !== undefined && { sort: attribute(sort) }) };
}

function readIndex(index: JsonObject, types: ReadonlyMap<string, string>, isGlobal: boolean): SecondaryIndex {
  const projection = isJsonObject(index['Projection']) ? index['Projection'] : {};
  const type = projection['ProjectionType'];
  if (type === undefined) throw new RequestError(`${INVALID}Unknown ProjectionType: null`);
  const attributes = Array.isArray(projection['NonKeyAttributes']) ? projection['NonKeyAttributes'] : [];
  if (projection['NonKeyAttributes'] !== undefined && type !== 'INCLUDE') {
    throw new RequestError(`${INVALID}ProjectionType is ${String(type)}, but NonKeyAttributes is specified`);
  }
  if (new Set(attributes).size < attributes.length) {
    throw new RequestError(
      `${INVALID}Duplicate attribute in NonKeyAttributes of index ${String(index['IndexName'])}`,
    );
  }
  const kinds = objects(index['KeySchema']).map(({ KeyType }) => KeyType);
  if (kinds.length > 2 || (isGlobal && new Set(kinds).size < kinds.length)) {
    const what = `several ${kinds[1] === 'HASH' ? 'partition' : 'sort'} key attributes`;
    throw new RequestError(
      `the local DynamoDB does not support ${what} in an index, as ${String(index['IndexName'])} has`,
      'UnsupportedOperationException',
    );
  }
  return {
    name: String(index['IndexName']),
    isGlobal,
    schema: readSchema(index['KeySchema'], types),
    projected: type === 'ALL' ? undefined : attributes.map(String),
  };
}

function requireIndexes(
  schema: KeySchema,
  indexes: readonly SecondaryIndex[],
  types: ReadonlyMap<string, string>,
): void {
  const names = new Set<string>();
  const used = new Set([schema, ...indexes.map(index => index.schema)].flatMap(namesOf));
  for (const index of indexes) {
    if (names.has(index.name)) throw new RequestError(`${INVALID}Duplicate index name: ${index.name}`);
    names.add(index.name);
    if (index.isGlobal) continue;
    if (!index.schema.sort) {
      throw new RequestError(`${INVALID}Index KeySchema does not have a range key for index: ${index.name}`);
    }
    if (!schema.sort) {
      throw new RequestError(
        `${INVALID}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex`,
      );
    }
    if (index.schema.partition.name !== schema.partition.name) {
      throw new RequestError(
        `${INVALID}Index KeySchema does not have the same leading hash key as table KeySchema for index: ${index.name}`,
      );
    }
  }
  if (used.size === types.size) return;
  throw new RequestError(
    `${INVALID}Some AttributeDefinitions are not used. AttributeDefinitions: [${[...types.keys()].join(', ')}], ` +
      `keys used: [${[...used].join(', ')}]`,
  );
}

function namesOf({ partition, sort }: KeySchema): string[] {
  return sort ? [partition.name, sort.name] : [partition.name];
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** What `DescribeTable` tells of a table. `extentOf` is asked with the name of an index, or for the table itself. */
export function described(
  { request, arn, createdAt }: TableDefinition,
  extentOf: (index?: string) => Extent,
): JsonObject {
  const { BillingMode, ProvisionedThroughput, Tags: _tags, ...members } = request;
  const none = { ReadCapacityUnits: 0, WriteCapacityUnits: 0 };
  const throughput = isJsonObject(ProvisionedThroughput) ? ProvisionedThroughput : none;
  const indexes = (name: 'GlobalSecondaryIndexes' | 'LocalSecondaryIndexes') => {
    const given = objects(request[name]);
    if (given.length === 0) return {};
    const isGlobal = name === 'GlobalSecondaryIndexes';
    return {
      [name]: given.map(index => ({
        ...index,
        IndexArn: `${arn}/index/${String(index['IndexName'])}`,
        ItemCount: extentOf(String(index['IndexName'])).count,
        IndexSizeBytes: extentOf(String(index['IndexName'])).bytes,
        ...(isGlobal && { IndexStatus: 'ACTIVE' }),
      })),
    };
  };
  return {
    ...members,
    ...indexes('GlobalSecondaryIndexes'),
    ...indexes('LocalSecondaryIndexes'),
    TableArn: arn,
    TableStatus: 'ACTIVE',
    CreationDateTime: createdAt,
    TableId: idOf(arn, createdAt),
    ItemCount: extentOf().count,
    TableSizeBytes: extentOf().bytes,
    ProvisionedThroughput: { ...throughput, NumberOfDecreasesToday: 0 },
    ...(BillingMode === 'PAY_PER_REQUEST' && {
      BillingModeSummary: { BillingMode, LastUpdateToPayPerRequestDateTime: createdAt },
    }),
  };
}

/** A UUID that a table has for as long as it is there. */
function idOf(arn: string, createdAt: number): string {
  const hash = createHash('sha256').update(`${arn} ${createdAt}`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
