import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { type Item, readItem } from '../table/attribute-value';
import { attributesOf, keyTextOf } from '../table/key';
import { performed } from '../table/operation';
import { RequestError } from '../table/request-error';
import { itemSize } from '../table/size';
import { addUnits, consumedOfTables, readUnits } from './capacity';
import type { StoredTable } from './stored-table';
import type { FindTable, TableWrite } from './transaction';

/** Bytes of items that one batch may answer; what is beyond comes back as not processed. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** Requests that one batch may have, over all its tables. */
const WRITES_MAX = 25;
const READS_MAX = 100;
const DUPLICATES = 'Provided list of item keys contains duplicates';

/** What a `BatchWriteItem` writes, each for itself. @throws RequestError */
export function batchWrites(request: JsonObject, find: FindTable): TableWrite[] {
  const tables = Object.entries(requestItems(request));
  const count = tables.reduce((sum, [, requests]) => sum + listOf(requests).length, 0);
  if (count > WRITES_MAX) throw new RequestError('Too many items requested for the BatchWriteItem call');
  // A table may be named twice, by its name and by its ARN.
  const seen = new Set<string>();
  return tables.flatMap(([name, requests]) => {
    const table = find(name);
    return listOf(requests).map(({ PutRequest: put, DeleteRequest: remove }) => {
      if (isJsonObject(put) === isJsonObject(remove)) {
        throw new RequestError(
          'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
        );
      }
      const isPut = isJsonObject(put);
      if (isPut) requireKeyed(table, put['Item']);
      const { write } = isPut
        ? performed(table, 'putItem', put)
        : performed(table, 'deleteItem', remove as JsonObject);
      const id = `${table.definition.name}!${write?.key}`;
      if (!write || seen.has(id)) throw new RequestError(DUPLICATES);
      seen.add(id);
      table.requireIndexable(write.item);
      return { table, write };
    });
  });
}

/** @throws RequestError in the words of batches, for an item without its key */
function requireKeyed({ schema }: StoredTable, item: Json | undefined): void {
  const members = isJsonObject(item) ? item : {};
  if (attributesOf(schema).every(({ name }) => members[name] !== undefined)) return;
  throw new RequestError('The provided key element does not match the schema');
}

/** The answer of a `BatchGetItem`. @throws RequestError */
export function batchGets(request: JsonObject, find: FindTable): JsonObject {
  const units = new Map<string, number>();
  const Responses: Record<string, Json[]> = {};
  const UnprocessedKeys: Record<string, Json> = {};
  let [bytes, count] = [0, 0];
  for (const [name, asked] of Object.entries(requestItems(request))) {
    const table = find(name);
    const { Keys, ...options } = isJsonObject(asked) ? asked : {};
    const keys = listOf(Keys);
    count += keys.length;
    if (count > READS_MAX) throw new RequestError('Too many items requested for the BatchGetItem call');
    const texts = keys.map(key => keyTextOf(table.schema, readItem(key)));
    if (new Set(texts).size < texts.length) throw new RequestError(DUPLICATES);
    const left: Json[] = [];
    const found: Json[] = [];
    for (const Key of keys) {
      const { output, read } = performed(table, 'getItem', { ...options, Key });
      const { Item } = output;
      const isConsistent = options['ConsistentRead'] === true;
      addUnits(units, table.definition.name, readUnits(read ? itemSize(read) : 0, isConsistent));
      if (!isJsonObject(Item)) continue;
      bytes += itemSize(Item as Item);
      if (bytes > ANSWER_BYTES_MAX) left.push(Key);
      else found.push(Item);
    }
    Responses[name] = found;
    if (left.length > 0) UnprocessedKeys[name] = { ...options, Keys: left };
  }
  return { Responses, UnprocessedKeys, ...consumedOfTables(request, units) };
}

function requestItems({ RequestItems: items }: JsonObject): JsonObject {
  return isJsonObject(items) ? items : {};
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
