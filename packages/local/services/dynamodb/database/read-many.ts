import type { Json, JsonObject } from '../../../json/json';
import { type Item, isEqual, readItem } from '../table/attribute-value';
import { type Condition, parseCondition } from '../table/condition';
import type { Path } from '../table/document-path';
import { attributesOf, keyIn, keyText, keyTextOf, requireKeyPiece, requireScalarKeys } from '../table/key';
import { within } from '../table/operation';
import { parseProjection, projected } from '../table/projection';
import { RequestError } from '../table/request-error';
import { itemSize } from '../table/size';
import { Words } from '../table/tokens';
import { readUnits } from './capacity';
import { type KeyCondition, keyConditionOf, parseKeyCondition } from './key-condition';
import type { KeyedItem } from './ordered-items';
import { type SecondaryIndex, type StoredTable, startKeyOf } from './stored-table';
import type { FindTable } from './transaction';

/** Bytes of items that one page may read. */
const PAGE_BYTES_MAX = 1024 * 1024;

/** Answers a `Query`: the items of one partition, by sort key, a page at a time. @throws RequestError */
export function query(find: FindTable, request: JsonObject): JsonObject {
  const words = new Words(request);
  const text = request['KeyConditionExpression'];
  if (typeof text !== 'string') {
    const what =
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.';
    throw new RequestError(what);
  }
  const parts = within('KeyConditionExpression', () => parseKeyCondition(text, words));
  const expressions = expressionsOf(request, words);
  words.requireAllUsed();
  const table = find(request['TableName']);
  const index = indexOf(table, request);
  const ordered = table.inOrderOf(index);
  const condition = keyConditionOf(parts, ordered.schema);
  const reading = readingOf(table, index, request, expressions);
  const start = startOf(table, index, request);
  if (start && !ordered.schema.sort && !index) {
    throw new RequestError('The query can return at most one row and cannot be restarted');
  }
  if (start) requireWithin(start, ordered.schema, condition);
  const { sort } = ordered.schema;
  const admitted = ordered
    .inPartition(condition.partition)
    .filter(({ item }) => !sort || condition.admits(item[sort.name] ?? {}));
  const isForward = request['ScanIndexForward'] !== false;
  const items = isForward ? admitted : [...admitted].reverse();
  const left = start
    ? items.filter(item => (isForward ? ordered.isBefore(start, item) : ordered.isBefore(item, start)))
    : items;
  return pageOf(left, reading);
}

/** Answers a `Scan`: all items, a page at a time. @throws RequestError */
export function scan(find: FindTable, request: JsonObject): JsonObject {
  const words = new Words(request);
  const segment = segmentOf(request);
  const expressions = expressionsOf(request, words);
  words.requireAllUsed();
  const table = find(request['TableName']);
  const index = indexOf(table, request);
  const ordered = table.inOrderOf(index);
  const reading = readingOf(table, index, request, expressions);
  const start = startOf(table, index, request);
  function* left(): Iterable<KeyedItem> {
    for (const keyed of ordered.all(start?.item[ordered.schema.partition.name])) {
      if (start && !ordered.isBefore(start, keyed)) continue;
      if (segment && ordered.segmentOf(keyed.item, segment.of) !== segment.number) continue;
      yield keyed;
    }
  }
  return pageOf(left(), reading);
}

/** What of the items that are read is answered. */
interface Reading {
  readonly table: StoredTable;
  readonly index: SecondaryIndex | undefined;
  readonly request: JsonObject;
  readonly filter: Condition | undefined;
  readonly paths: readonly Path[] | undefined;
}

/** The expressions of a request, which are judged before the table is looked for. */
interface Expressions extends Pick<Reading, 'filter' | 'paths'> {
  /** The attributes that the filter begins paths with. */
  readonly heads: ReadonlySet<string>;
  /** The attributes within which a filter or a projection goes on. */
  readonly nested: ReadonlySet<string>;
}

function expressionsOf(request: JsonObject, words: Words): Expressions {
  const filterText = request['FilterExpression'];
  const projectionText = request['ProjectionExpression'];
  const heads = new Set<string>();
  const nested = new Set<string>();
  const onPath = ([head, ...rest]: Path) => {
    heads.add(head);
    if (rest.length > 0) nested.add(head);
  };
  const filter =
    typeof filterText === 'string'
      ? within('FilterExpression', () => parseCondition(filterText, words, onPath))
      : undefined;
  const paths =
    typeof projectionText === 'string'
      ? within('ProjectionExpression', () => parseProjection(projectionText, words))
      : undefined;
  for (const [head, ...rest] of paths ?? []) if (rest.length > 0) nested.add(head);
  return { filter, paths, heads, nested };
}

function readingOf(
  table: StoredTable,
  index: SecondaryIndex | undefined,
  request: JsonObject,
  { filter, paths, heads, nested }: Expressions,
): Reading {
  const { schema, indexes } = table.definition;
  requireScalarKeys('Key', schema, nested);
  for (const { schema: keys } of indexes) requireScalarKeys('IndexKey', keys, nested);
  requireSelect(index, request, paths !== undefined);
  const limit = request['Limit'];
  if (typeof limit === 'number' && limit < 1) {
    throw new RequestError(
      `1 validation error detected: Value '${limit}' at 'limit' failed to satisfy constraint: ` +
        'Member must have value greater than or equal to 1',
    );
  }
  if (request['KeyConditionExpression'] !== undefined) {
    const key = attributesOf((index ?? table.definition).schema).find(({ name }) => heads.has(name));
    if (key) {
      throw new RequestError(
        `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${key.name}`,
      );
    }
  }
  return { table, index, request, filter, paths };
}

function requireSelect(
  index: SecondaryIndex | undefined,
  { Select: select }: JsonObject,
  hasProjection: boolean,
): void {
  if (hasProjection && select !== undefined && select !== 'SPECIFIC_ATTRIBUTES') {
    const what = select === 'COUNT' ? 'only the Count' : String(select);
    throw new RequestError(`Cannot specify the ProjectionExpression when choosing to get ${what}`);
  }
  if (select === 'SPECIFIC_ATTRIBUTES' && !hasProjection) {
    throw new RequestError(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  }
  if (select === 'ALL_PROJECTED_ATTRIBUTES' && !index) {
    throw new RequestError('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
  }
  if (select === 'ALL_ATTRIBUTES' && index?.isGlobal && index.projected) {
    throw new RequestError(
      'One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary ' +
        `index ${index.name} because its projection type is not ALL`,
    );
  }
}

function pageOf(items: Iterable<KeyedItem>, reading: Reading): JsonObject {
  const { request, filter, paths, table, index } = reading;
  const limit = typeof request['Limit'] === 'number' ? request['Limit'] : Number.POSITIVE_INFINITY;
  const found: Json[] = [];
  let [scanned, bytes] = [0, 0];
  let last: Item | undefined;
  for (const { item } of items) {
    scanned += 1;
    bytes += itemSize(item);
    const visible = visibleIn(reading, item);
    if (!filter || filter(visible)) found.push(paths ? projected(paths, visible) : visible);
    if (scanned < limit && bytes < PAGE_BYTES_MAX) continue;
    last = item;
    break;
  }
  const units = readUnits(bytes, request['ConsistentRead'] === true);
  return {
    ...(request['Select'] !== 'COUNT' && { Items: found }),
    Count: found.length,
    ScannedCount: scanned,
    ...(last && { LastEvaluatedKey: keyIn(last, startKeyOf(table.definition, index)) }),
    ...capacityOf(reading, units),
  };
}

function capacityOf({ request, table, index }: Reading, units: number): JsonObject {
  const wanted = request['ReturnConsumedCapacity'] ?? 'NONE';
  if (wanted === 'NONE') return {};
  const { name: TableName } = table.definition;
  const total = { TableName, CapacityUnits: units };
  if (wanted === 'TOTAL') return { ConsumedCapacity: total };
  if (!index) return { ConsumedCapacity: { ...total, Table: { CapacityUnits: units } } };
  const kind = index.isGlobal ? 'GlobalSecondaryIndexes' : 'LocalSecondaryIndexes';
  const of = { Table: { CapacityUnits: 0 }, [kind]: { [index.name]: { CapacityUnits: units } } };
  return { ConsumedCapacity: { ...total, ...of } };
}

function visibleIn({ table, index, request }: Reading, item: Item): Item {
  if (!index?.projected) return item;
  // A local index reads from the table what it does not have.
  const isFetched =
    !index.isGlobal && (request['Select'] === 'ALL_ATTRIBUTES' || request['ProjectionExpression']);
  if (isFetched) return item;
  const names = new Set([...startKeyOf(table.definition, index).map(({ name }) => name), ...index.projected]);
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
}

function indexOf(table: StoredTable, request: JsonObject): SecondaryIndex | undefined {
  const name = request['IndexName'];
  if (name === undefined) return undefined;
  const index = table.definition.indexes.find(other => other.name === name);
  if (!index) throw new RequestError(`The table does not have the specified index: ${String(name)}`);
  if (index.isGlobal && request['ConsistentRead'] === true) {
    throw new RequestError('Consistent reads are not supported on global secondary indexes');
  }
  return index;
}

const INVALID_START = 'The provided starting key is invalid';

/** The item that a page begins after. Only its keys are known. */
function startOf(
  table: StoredTable,
  index: SecondaryIndex | undefined,
  request: JsonObject,
): KeyedItem | undefined {
  if (request['ExclusiveStartKey'] === undefined) return undefined;
  const item = readItem(request['ExclusiveStartKey']);
  const { schema } = table;
  if (Object.keys(item).length !== startKeyOf(table.definition, index).length) {
    throw new RequestError(INVALID_START);
  }
  try {
    keyTextOf(schema, keyIn(item, attributesOf(schema)));
    if (index) for (const part of attributesOf(index.schema)) requireKeyPiece(index.schema, part, item);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError(`${INVALID_START}: ${error.message}`);
  }
  return { key: keyText(schema, item), item };
}

function requireWithin(
  { item }: KeyedItem,
  { partition, sort }: StoredTable['schema'],
  condition: KeyCondition,
) {
  const isSame = isEqual(item[partition.name] ?? {}, condition.partition);
  if (sort && condition.hasSort && !condition.admits(item[sort.name] ?? {})) {
    throw new RequestError('The provided starting key does not match the range key predicate');
  }
  if (isSame) return;
  throw new RequestError(
    'The provided starting key is outside query boundaries based on provided conditions',
  );
}

const SEGMENTS_MAX = 1_000_000;

function segmentOf(request: JsonObject): { readonly number: number; readonly of: number } | undefined {
  const { Segment: number, TotalSegments: of } = request;
  if (number === undefined && of === undefined) return undefined;
  if (typeof of !== 'number') {
    throw new RequestError(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    );
  }
  if (typeof number !== 'number') {
    throw new RequestError(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    );
  }
  if (number < 0 || of < 1 || of > SEGMENTS_MAX || number >= of) {
    throw new RequestError(
      'The Segment parameter is zero-based and must be less than parameter TotalSegments: ' +
        `Segment: ${number} is not less than TotalSegments: ${of}`,
    );
  }
  return { number, of };
}
