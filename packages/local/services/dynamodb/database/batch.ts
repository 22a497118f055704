import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { readItem } from '../table/attribute-value';
import { keyTextOf } from '../table/key';
import { performed } from '../table/operation';
import { RequestError } from '../table/request-error';
import { itemSize } from '../table/size';
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
      const { write } = isJsonObject(put)
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

/** The answer of a `BatchGetItem`. @throws RequestError */
export function batchGets(request: JsonObject, find: FindTable): JsonObject {
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
      const { Item } = performed(table, 'getItem', { ...options, Key }).output;
      if (!isJsonObject(Item)) continue;
      bytes += itemSize(readItem(Item));
      if (bytes > ANSWER_BYTES_MAX) left.push(Key);
      else found.push(Item);
    }
    Responses[name] = found;
    if (left.length > 0) UnprocessedKeys[name] = { ...options, Keys: left };
  }
  return { Responses, UnprocessedKeys };
}

function requestItems({ RequestItems: items }: JsonObject): JsonObject {
  return isJsonObject(items) ? items : {};
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
